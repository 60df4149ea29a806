package lower_test

import (
	"os"
	"testing"
)

// TestOne runs the program that the variable LOWER_ONE names and shows what it prints.
func TestOne(t *testing.T) {
	file := os.Getenv("LOWER_ONE")
	if file == "" {
		t.Skip("SKIPPED LOUDLY: for use by hand, with LOWER_ONE=file.go")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr, refusals, err := run(t, file, text)
	for _, r := range refusals {
		t.Logf("refused %v", r)
	}
	t.Logf("err %v\n%s\nstderr:\n%s", err, stdout, stderr)
}
