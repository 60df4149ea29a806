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
			dir := openFolder(t)
			report, err := Doctor(t.Context(), Options{Without: test.without, TempDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if !AtLeast(report.Level, test.level) && len(report.Broken) == 0 {
				t.Skipf("SKIPPED LOUDLY: this machine cannot show level %s: %+v", test.level, report.Layers)
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
			if left := leftovers(t, dir); len(left) > 0 {
				t.Errorf("left in the temporary folder: %q", left)
			}
		})
	}
}

// leftovers are the names in a folder.
func leftovers(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// openFolder is a temporary folder that workers with another user's rights can reach.
func openFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sandbox-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
