package probe_test

import (
	"strings"
	"testing"

	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/runtime/world"
)

func id(digit string) string { return strings.Repeat(digit, 32) }

// shopWorld is a world with one control row, one event and its marker.
func shopWorld(epoch, marker string, paused int64) grader.Snapshot {
	return grader.Snapshot{
		Databases: []grader.DatabaseSnapshot{{Path: "shop.sqlite", Tables: []grader.Table{
			{Name: "control", Columns: []string{"epoch", "paused"}, Rows: [][]world.Value{{world.StringValue(epoch), world.IntValue(paused)}}},
			{Name: "events", Columns: []string{"id", "kind"}, Rows: [][]world.Value{
				{world.IntValue(1), world.StringValue("chatter")}, {world.IntValue(2), world.StringValue("claimed")},
			}},
		}}},
		Files: []grader.FileSnapshot{{Path: "shop.authority", Size: 32, Text: marker}},
	}
}

func TestCompareWorlds(t *testing.T) {
	known := map[string]bool{id("0"): true}
	good := shopWorld(id("a"), id("a"), 1)
	tests := map[string]struct {
		got    func() grader.Snapshot
		events []string
		want   string // places, joined
	}{
		"OK/Identical":      {got: func() grader.Snapshot { return good }},
		"OK/OtherFreshID":   {got: func() grader.Snapshot { return shopWorld(id("b"), id("b"), 1) }},
		"MarkerOfOtherID":   {got: func() grader.Snapshot { return shopWorld(id("b"), id("c"), 1) }, want: "file shop.authority"},
		"EpochNotFresh":     {got: func() grader.Snapshot { return shopWorld(id("0"), id("0"), 1) }, want: "shop.sqlite, control, row 1, epoch; file shop.authority"},
		"PausedDiffers":     {got: func() grader.Snapshot { return shopWorld(id("b"), id("b"), 0) }, want: "shop.sqlite, control, row 1, paused"},
		"MarkerMissing":     {got: func() grader.Snapshot { s := shopWorld(id("b"), id("b"), 1); s.Files = nil; return s }, want: "file shop.authority"},
		"DatabaseMissing":   {got: func() grader.Snapshot { s := shopWorld(id("b"), id("b"), 1); s.Databases = nil; return s }, want: "database shop.sqlite"},
		"OK/StrayWithFresh": {got: func() grader.Snapshot { return shopWorld(id("d"), id("d"), 1) }},
		"StrayFile": {got: func() grader.Snapshot {
			s := shopWorld(id("b"), id("b"), 1)
			s.Files = append(s.Files, grader.FileSnapshot{Path: "image/shop.sqlite"})
			return s
		}, want: "file image/shop.sqlite"},
		"OtherEventThatCounts": {got: func() grader.Snapshot {
			s := shopWorld(id("b"), id("b"), 1)
			s.Databases[0].Tables[1].Rows = s.Databases[0].Tables[1].Rows[:1]
			return s
		}, events: []string{"claimed"}, want: "shop.sqlite, events, number of rows"},
		"OK/OtherEventThatDoesNotCount": {got: func() grader.Snapshot {
			s := shopWorld(id("b"), id("b"), 1)
			s.Databases[0].Tables[1].Rows = s.Databases[0].Tables[1].Rows[1:]
			return s
		}, events: []string{"claimed"}},
		"KindOfCellDiffers": {got: func() grader.Snapshot {
			s := shopWorld(id("b"), id("b"), 1)
			s.Databases[0].Tables[0].Rows[0][1] = world.StringValue("1")
			return s
		}, want: "shop.sqlite, control, row 1, paused"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var places []string
			for _, d := range (probe.Comparison{Known: known, Events: test.events}).Compare(good, test.got()) {
				places = append(places, d.Place)
			}
			if got := strings.Join(places, "; "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestFreshIDsInPathsCorrespond(t *testing.T) {
	a := grader.Snapshot{Files: []grader.FileSnapshot{{Path: "m." + id("a")}, {Path: "m." + id("0")}}}
	b := grader.Snapshot{Files: []grader.FileSnapshot{{Path: "m." + id("c")}, {Path: "m." + id("0")}}}
	if d := (probe.Comparison{Known: map[string]bool{id("0"): true}}).Compare(a, b); d != nil {
		t.Errorf("got %v", d)
	}
}
