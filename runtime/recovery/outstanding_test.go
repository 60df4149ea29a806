package recovery_test

import (
	"testing"

	"fieldbook/runtime/recovery"
)

func TestOutstanding(t *testing.T) {
	for _, test := range []struct {
		name     string
		intended []string
		receipts map[string]string
		want     int
	}{
		{"nothing intended", nil, nil, 0},
		{"nothing sent", []string{"a", "b"}, nil, 2},
		{"everything sent", []string{"a", "b"}, map[string]string{"a": "r1", "b": "r2"}, 0},
		{"asked for twice", []string{"a", "b", "a"}, map[string]string{"b": "r"}, 1},
		{"cut short", []string{"a", "b"}, map[string]string{"a": "", "b": "r"}, 1},
		{"a receipt that nobody intended", []string{"a"}, map[string]string{"z": "r"}, 1},
		{"an empty key is a key", []string{"", "a"}, map[string]string{"a": "r"}, 1},
		{"keys are compared exactly", []string{"a", "A", "a "}, map[string]string{"a": "r"}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := recovery.Outstanding(test.intended, test.receipts); got != test.want {
				t.Errorf("Outstanding(%q, %q) = %d, want %d", test.intended, test.receipts, got, test.want)
			}
		})
	}
}
