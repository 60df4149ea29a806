package matrix_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/matrix"
	"fieldbook/grader"
	"fieldbook/grader/crash"
	"fieldbook/grader/probe"
)

var update = flag.Bool("update", false, "write the golden files")

// sample is a matrix of a function that never syncs its marker.
func sample() *crash.Matrix {
	holds, lost, both := crash.Cell{}, crash.Cell{Broken: []crash.Model{crash.Named}}, crash.Cell{Broken: []crash.Model{crash.Lost, crash.Named}}
	unread := crash.Cell{Unread: []crash.Model{crash.Lost}}
	cells := [][]crash.Cell{{holds, holds}, {holds, holds}, {holds, holds}, {holds, holds}, {holds, lost}, {unread, both}}
	good := []crash.Finding{{Verdict: crash.Holds}, {Verdict: crash.Holds}}
	m := &crash.Matrix{
		Exercise: "restore", Verdict: grader.NeedsWork, Outcome: grader.Observed, Explored: 20, Elapsed: 2_400_000_000,
		Invariants: []crash.Column{
			{ID: "I1", Text: "the database opens, and its integrity check is ok"},
			{ID: "I2", Text: "the marker is there, 32 hex digits", Files: []string{"shop.authority"}, Consequence: "AssertCurrent refuses every worker now, and still does after a resume."},
		},
		Operations: []crash.Operation{
			{Number: 1, Kind: "write", Path: "shop.image-1/image.db", File: "runtime/assistant/restore.go", Line: 33},
			{Number: 2, Kind: "write", Path: "shop.image-1/image.db", File: "runtime/assistant/restore.go", Line: 33},
			{Number: 3, Kind: "write", Path: "shop.authority.b90f", File: "runtime/assistant/restore.go", Line: 63},
			{Number: 4, Kind: "rename", Path: "shop.authority.b90f", To: "shop.authority", File: "runtime/assistant/restore.go", Line: 71},
			{Number: 5, Kind: "sync_folder", Path: ".", File: "runtime/assistant/restore.go", Line: 78},
		},
		Rows: []crash.Row{
			{What: "nothing yet"},
			{First: 1, Last: 2, Place: "image", What: "copy of the backup", Summary: []string{"2 writes", "not synced"}, Line: 33},
			{First: 3, Last: 3, Place: "marker", What: "write 32 bytes", Line: 63},
			{First: 4, Last: 4, Place: "marker", What: "rename to shop.authority", Line: 71},
			{First: 5, Last: 5, Place: "folder", What: "sync", Line: 78},
		},
		States: []crash.State{
			{Facts: facts("b90f…  32 bytes", "epoch 7c1e…  paused 1"), Findings: good},
			{Facts: facts("7c1e…  32 bytes", "epoch 7c1e…  paused 1"), Findings: good},
			{Facts: facts("empty  0 bytes", "epoch 7c1e…  paused 1"), Findings: []crash.Finding{{Verdict: crash.Holds}, {Verdict: crash.Broken}}},
			{Facts: facts("b90f…  16 bytes", "epoch 7c1e…  paused 1"), Findings: []crash.Finding{{Verdict: crash.Unread}, {Verdict: crash.Broken, Reason: "a reason in a sentence"}}},
		},
		Faults: []crash.Injected{
			{Operation: 1, Kind: probe.NoSpace, Reached: true, Returned: "unclassified"},
			{Operation: 1, Kind: probe.TornWrite, Reached: true, Returned: "unclassified"},
			{Operation: 3, Kind: probe.TornWrite, Reached: true, Broken: []crash.Breach{
				{Reason: "no error came back, and the end is not complete: file shop.authority: expected there, observed missing"},
				{Invariant: "I2"},
			}},
			{Operation: 5, Kind: probe.FailedSync, Reached: true, Returned: "unclassified", Broken: []crash.Breach{{Invariant: "I2", Model: crash.Lost}}},
			{Operation: 5, Kind: probe.FailedSync},
		},
	}
	states := [][]crash.Instance{
		{{Model: crash.Killed, State: 1}, {Model: crash.Lost, State: 1}, {Model: crash.Named, State: 1}},
		{{Model: crash.Killed, State: 1}, {Model: crash.Lost, State: 1}, {Model: crash.Named, State: 1}},
		{{Model: crash.Killed, State: 1}, {Model: crash.Lost, State: 1}, {Model: crash.Named, State: 1}},
		{{Model: crash.Killed, State: 1}, {Model: crash.Lost, State: 1}, {Model: crash.Named, State: 1}},
		{{Model: crash.Killed, State: 0}, {Model: crash.Lost, State: 1}, {Model: crash.Named, State: 2}},
		{{Model: crash.Killed, State: 0}, {Model: crash.Lost, State: 0}, {Model: crash.Named, State: 2}, {Model: crash.Lost, Half: "shop.authority", State: 3}},
	}
	for i := range states {
		m.Points = append(m.Points, crash.Point{After: i, Instances: states[i], Cells: cells[i], Unsynced: []crash.Unsynced{
			{Path: "shop.image-1/image.db", First: 1}, {Path: "shop.authority", First: 3},
		}})
	}
	for i := range m.Rows {
		m.Rows[i].Cells, m.Rows[i].Yours = cells[m.Rows[i].First], m.Rows[i].Line != 63 // line 63 is of a supplied file
	}
	return m
}

func facts(marker, row string) []crash.Fact {
	return []crash.Fact{{Of: "shop.authority", Text: marker}, {Of: "control row", Text: row}}
}

// whole is everything that is drawn of a matrix.
func whole(t draw.Theme, m *crash.Matrix, width int) []string {
	lines := matrix.Headline(t, m, width)
	lines = append(lines, matrix.Legend(t, m, width)...)
	lines = append(lines, matrix.Table(t, m, matrix.Cell{Row: 3, Column: 1}, width)...)
	for _, cell := range append(matrix.Breaches(m, 8), matrix.Cell{Row: 4, Column: 1}, matrix.Cell{Row: 0, Column: 0}) {
		lines = append(append(lines, ""), draw.Wrap(matrix.Heading(draw.Theme{}, m, cell), width)...)
		lines = append(lines, matrix.Detail(t, m, cell, width)...)
	}
	return append(append(lines, ""), matrix.Faults(t, m, width)...)
}

func TestDrawing(t *testing.T) {
	for name, width := range map[string]int{"wide": 100, "narrow": 80, "phone": 52} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(whole(draw.Theme{}, sample(), width), "\n") + "\n"
			path := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// No line is wider than asked, and colours add no cells and no meaning.
func TestWidthsAndColours(t *testing.T) {
	for width := 40; width <= 120; width++ {
		plain, colour := whole(draw.Theme{}, sample(), width), whole(draw.Colour(), sample(), width)
		if len(plain) != len(colour) {
			t.Fatalf("width %d: %d lines, %d with colours", width, len(plain), len(colour))
		}
		for i := range plain {
			if draw.Width(plain[i]) != draw.Width(colour[i]) {
				t.Errorf("width %d: %q has another width with colours: %q", width, plain[i], colour[i])
			}
			if w := draw.Width(plain[i]); w > width {
				t.Errorf("width %d: a line of %d cells: %q", width, w, plain[i])
			}
		}
	}
}

func TestNothingBroken(t *testing.T) {
	m := sample()
	m.Faults = m.Faults[:2]
	for i := range m.Rows {
		m.Rows[i].Cells = make([]crash.Cell, 2)
	}
	if cells := matrix.Breaches(m, 8); len(cells) > 0 {
		t.Errorf("breaches %v", cells)
	}
	if text := strings.Join(matrix.Faults(draw.Theme{}, m, 100), " "); !strings.Contains(text, "an error came back or the end was complete") {
		t.Error(text)
	}
	if text := strings.Join(matrix.Legend(draw.Theme{}, m, 100), " "); strings.Contains(text, matrix.UnreadSign) {
		t.Error(text)
	}
}
