package offered_test

import (
	"slices"
	"strings"
	"testing"

	"fieldbook/grader/engine/offered"
)

func TestPackages(t *testing.T) {
	list := offered.Packages()
	t.Logf("offered, %d packages:\n%s", len(list), strings.Join(list, "\n"))
	if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Error("the list is not sorted, or names a package twice")
	}
	for _, path := range list {
		if !offered.Has(path) {
			t.Errorf("%s is listed and not offered", path)
		}
	}
}

// What gives a program the machine, or a way around the list, is never offered.
func TestNeverOffered(t *testing.T) {
	never := []string{
		"os", "os/exec", "os/signal", "net", "net/http", "syscall", "unsafe", "reflect", "runtime", "runtime/debug",
		"expvar", "text/template", "html/template", "path/filepath", "log", "log/slog", "testing", "plugin", "embed",
		"database/sql", "io/fs", "io/ioutil", "C",
		"fieldbook/runtime/operation", "fieldbook/grader/engine/lower/object", "fieldbook/grader", "fieldbook/exercises/holdout",
		"github.com/traefik/yaegi/interp", "github.com/traefik/yaegi/stdlib",
	}
	for _, path := range never {
		if offered.Has(path) {
			t.Errorf("%s is offered", path)
		}
	}
	for _, path := range offered.Packages() {
		for _, family := range []string{"go/", "debug/", "archive/", "os/", "runtime/"} {
			if strings.HasPrefix(path, family) {
				t.Errorf("%s is offered", path)
			}
		}
	}
}
