package crash

import (
	"strings"
	"testing"

	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/runtime/world"
)

func TestMask(t *testing.T) {
	a, b, old := strings.Repeat("a1", 16), strings.Repeat("b2", 16), strings.Repeat("0", 32)
	tests := map[string]string{
		"":                         "",
		"no id at all":             "no id at all",
		a:                          "#1",
		"x " + b + ", " + a:        "x #1, #2",
		a + "-" + b + "-" + a:      "#1-#2-#1",
		old + " is known":          old + " is known",
		a + "0 is a longer number": a + "0 is a longer number",
	}
	for text, want := range tests {
		if got := mask(text, map[string]bool{old: true}); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A disguised end agrees with a run that drew other identities, and with none that kept one of those it must not keep.
func TestDisguise(t *testing.T) {
	old, fresh, other := strings.Repeat("0", 32), strings.Repeat("a1", 16), strings.Repeat("b2", 16)
	world := func(epoch, file string) grader.Snapshot {
		return grader.Snapshot{
			Databases: []grader.DatabaseSnapshot{{Path: "a.sqlite", Tables: []grader.Table{
				{Name: "t", Columns: []string{"id", "epoch"}, Rows: [][]world.Value{{world.StringValue(old), world.StringValue(epoch)}}},
			}}},
			Files: []grader.FileSnapshot{{Path: "marker", Text: epoch}, {Path: "log", Text: file}},
		}
	}
	known := map[string]bool{old: true, fresh: true} // the state holds the learner's own
	end := disguise(world(fresh, "began "+fresh), map[string]bool{old: true})
	c := probe.Comparison{Known: known, Contents: true}
	if d := c.Compare(masked(end, known), masked(world(other, "began "+other), known)); len(d) > 0 {
		t.Errorf("another fresh identity differs: %v", d)
	}
	if d := c.Compare(masked(end, known), masked(world(fresh, "began "+other), known)); len(d) == 0 {
		t.Error("an identity that is not fresh agrees")
	}
	if d := c.Compare(masked(end, known), masked(world(other, "began twice "+other), known)); len(d) == 0 {
		t.Error("another text agrees")
	}
}
