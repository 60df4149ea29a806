package recovery_test

import (
	"testing"

	"fieldbook/runtime/recovery"
)

func TestContained(t *testing.T) {
	for _, test := range []struct {
		name         string
		folder, path string
		want         bool
	}{
		{"a file", "/srv/reports", "/srv/reports/742.txt", true},
		{"a file far below", "/srv/reports", "/srv/reports/2026/11/742.txt", true},
		{"a neighbour that begins like it", "/srv/reports", "/srv/reports-old/742.txt", false},
		{"up and out", "/srv/reports", "/srv/reports/../keys/742.txt", false},
		{"down and up again", "/srv/reports", "/srv/reports/tmp/../742.txt", true},
		{"up and back", "/srv/reports", "/srv/reports/../reports/742.txt", true},
		{"the folder itself", "/srv/reports", "/srv/reports", false},
		{"the folder itself, with a slash", "/srv/reports", "/srv/reports/", false},
		{"a way around to the folder", "/srv/reports", "/srv/reports/tmp/..", false},
		{"doubled slashes", "/srv/reports", "//srv//reports//742.txt", true},
		{"dots in a name", "/srv/reports", "/srv/reports/..742..txt", true},
		{"above the root", "/srv/reports", "/../srv/reports/742.txt", true},
		{"no root", "/srv/reports", "srv/reports/742.txt", false},
		{"nothing", "/srv/reports", "", false},
		{"another letter case", "/srv/reports", "/srv/Reports/742.txt", false},
		{"a folder with a slash", "/srv/reports/", "/srv/reports/742.txt", true},
		{"a folder with dots", "/srv/./tmp/../reports", "/srv/reports/742.txt", true},
		{"a folder without a root", "srv/reports", "/srv/reports/742.txt", false},
		{"no folder", "", "/srv/reports/742.txt", false},
		{"everything is beneath the root", "/", "/srv", true},
		{"but not the root", "/", "/..", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := recovery.Contained(test.folder, test.path); got != test.want {
				t.Errorf("Contained(%q, %q) = %t, want %t", test.folder, test.path, got, test.want)
			}
		})
	}
}
