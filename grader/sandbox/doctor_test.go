package sandbox

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestDoctor(t *testing.T) {
	for _, test := range []struct {
		name    string
		without []string
		level   string
		open    []string // attacks that nothing promises to hold
	}{
		{"all layers", nil, Strong, nil},
		{"without namespaces", []string{"namespaces"}, Standard, []string{"see whether a file exists"}},
		{"without landlock", []string{"landlock"}, Standard, nil},
		{"without seccomp", []string{"seccomp"}, Weak, nil},
		{"bare", []string{"namespaces", "landlock", "seccomp", "capabilities"}, Weak, []string{"read a file outside", "fork", "connect by TCP"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS != "linux" {
				t.Skip("SKIPPED LOUDLY: the layers are Linux's")
			}
			if testing.Short() && test.level == Weak {
				t.Skip("SKIPPED LOUDLY: levels that nobody relies on are left out of short runs")
			}
			report, err := Doctor(t.Context(), Options{Without: test.without})
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			if err := report.Write(&text); err != nil {
				t.Fatal(err)
			}
			if report.Level != test.level || len(report.Broken) > 0 {
				t.Errorf("level %s, want %s; broken %q\n%s", report.Level, test.level, report.Broken, text.String())
			}
			for _, a := range report.Attacks {
				for _, open := range test.open {
					if a.Name == open && (a.Held || a.Expected) {
						t.Errorf("%q was held without the layers that hold it: %s", a.Name, a.Evidence)
					}
				}
				if test.level != Weak && !a.Held && a.Expected {
					t.Errorf("%q was not held: %s", a.Name, a.Evidence)
				}
			}
			if !strings.Contains(text.String(), "Level: "+test.level) {
				t.Errorf("the report does not name its level:\n%s", text.String())
			}
			t.Log("\n" + text.String())
			if left := leftovers(t, "fieldbook-doctor-"); len(left) > 0 {
				t.Errorf("left in the temporary folder: %q", left)
			}
		})
	}
}

// leftovers are names in the temporary folder that begin with prefix.
func leftovers(t *testing.T, prefix string) []string {
	t.Helper()
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), prefix) {
			names = append(names, entry.Name())
		}
	}
	return names
}
