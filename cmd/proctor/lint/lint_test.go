package lint

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

var update = flag.Bool("update", false, "record what the examples print")

func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		probe.Serve()
	}
	os.Exit(m.Run())
}

func TestUnitsAreClean(t *testing.T) {
	for _, u := range append(units.All(), units.Translations()...) {
		t.Run(u.ID+"/"+u.Language(), func(t *testing.T) {
			found, err := Unit(u)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) > 0 {
				t.Errorf("%d complaints:\n%s", len(found), say(found))
			}
		})
	}
}

// TestWhatUnitsSupplyRuns executes every example, demonstration and challenge.
func TestWhatUnitsSupplyRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED LOUDLY: examples and challenges are not run with -short")
	}
	pool, err := sandbox.NewPool(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	o := task.Options{Engine: engine.New(teaching.Tree()), Pool: pool, Edition: units.Edition, Now: time.Now}
	for _, u := range units.All() {
		t.Run(u.ID, func(t *testing.T) {
			if *update {
				record(t, o, u)
			}
			found, err := Run(t.Context(), o, u)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) > 0 {
				t.Errorf("%d complaints:\n%s", len(found), say(found))
			}
		})
	}
}

// record writes the outputs of a unit's examples. The texts are embedded: another run of the test compares.
func record(t *testing.T, o task.Options, u *units.Unit) {
	t.Helper()
	for _, e := range u.Examples() {
		output, _, err := Output(t.Context(), o, u, e)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join("..", "..", "..", "units", u.ID, e.Recorded()), []byte(output), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// say is a list of complaints as text.
func say(found []grader.Diagnostic) string {
	var b strings.Builder
	for _, d := range found {
		fmt.Fprintln(&b, d.String())
	}
	return b.String()
}
