package units_test

import (
	"testing"

	"fieldbook/units"
)

// BenchmarkAll is what a start of the program pays for its units.
func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		units.All()
	}
}
