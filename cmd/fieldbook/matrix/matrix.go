// Package matrix draws what an exploration of crashes shows: the matrix of operations and invariants, one of its cells with
// the states behind it, and what refused operations led to. Like package draw it returns lines and knows no terminal. It runs
// in the student's command and imports package draw and the result of grader/crash.
package matrix

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/grader/crash"
)

// UnreadSign marks a cell of which nothing can be told.
const UnreadSign = "?"

// Cell is a place in a matrix, to be marked: a row and an invariant, by their indexes.
type Cell struct {
	Row, Column int
}

// None marks no cell.
func None() Cell { return Cell{Row: -1, Column: -1} }

// Headline names the exercise and says how much was explored.
func Headline(t draw.Theme, m *crash.Matrix, width int) []string {
	left := t.Title.On(t.Say("Crash matrix")) + "   " + m.Exercise + "   " + t.Say("visible world") + "   " + t.Verdict(m.Verdict)
	counts := []string{
		pluralOf(t, len(m.Operations), "1 operation", "%d operations"), pluralOf(t, m.Explored, "1 state", "%d states"), t.Say("%d distinct", len(m.States)), draw.Duration(m.Elapsed),
	}
	right := t.Faint.On(strings.Join(counts, "   "))
	if draw.Width(left)+draw.Width(right)+2 <= width {
		return []string{draw.Fit(left, width-draw.Width(right)) + right}
	}
	return []string{draw.Cut(left, width), draw.Cut(right, width)}
}

// Legend says what the signs mean.
func Legend(t draw.Theme, m *crash.Matrix, width int) []string {
	text := t.Say("%s holds in every state   %s breaks under that many of the 3 models", t.Pass.On(draw.PassSign), t.Differ.On("✗1 ✗2 ✗3"))
	unread := func(c crash.Cell) bool { return plainSign(c) == UnreadSign }
	if slices.ContainsFunc(m.Rows, func(r crash.Row) bool { return slices.ContainsFunc(r.Cells, unread) }) {
		text += "   " + t.Say("%s cannot be told", t.Changed.On(UnreadSign))
	}
	return draw.Wrap(text, width)
}

// Widths of the columns.
const (
	afterWidth  = 6
	lineWidth   = 5
	gapOfColumn = 2
	cellWidth   = 5 // where there is room; one less where there is not
	lastCell    = 4 // needs no space behind it
	wideEnough  = 96
)

// Table is the matrix: the operations that belong together are one row, the learner's line stands before the cells.
func Table(t draw.Theme, m *crash.Matrix, marked Cell, width int) []string {
	cell := cellWidth
	if width < wideEnough {
		cell--
	}
	place := 0
	for _, r := range m.Rows {
		place = max(place, min(draw.Width(r.Place), maxPlace))
	}
	what := width - afterWidth - lineWidth - 2*gapOfColumn - cell*(len(m.Invariants)-1) - lastCell
	row := func(after, text, line string, cells []string) string {
		var b strings.Builder
		b.WriteString(draw.Right(after, afterWidth) + draw.Spaces(gapOfColumn) + draw.Fit(text, what) + draw.Right(line, lineWidth) + draw.Spaces(gapOfColumn))
		for _, c := range cells {
			b.WriteString(draw.Fit(c, cell))
		}
		return strings.TrimRight(b.String(), " ")
	}
	var ids []string
	for _, c := range m.Invariants {
		ids = append(ids, t.Faint.On(c.ID))
	}
	lines := []string{row(t.Faint.On(t.Say("after")), t.Faint.On(t.Say("what the disk was asked to do")), t.Faint.On(t.Say("line")), ids)}
	for i, r := range m.Rows {
		var cells []string
		for j, c := range r.Cells {
			sign := Sign(t, c)
			if i == marked.Row && j == marked.Column {
				sign = t.Selected.On("[" + plainSign(c) + "]")
			}
			cells = append(cells, sign)
		}
		text := r.What
		if r.Place != "" {
			text = draw.Fit(r.Place, place) + " " + What(r, what-place-2)
		}
		lines = append(lines, row(After(r), text, lineOf(r), cells))
	}
	return lines
}

// maxPlace is how wide the column of places gets at most.
const maxPlace = 12

// What tells what the operations of a row ask, with as much of their summary as there is room for.
func What(r crash.Row, room int) string {
	for i := range r.Summary {
		if text := r.What + ", " + strings.Join(r.Summary[i:], ", "); draw.Width(text) <= room {
			return text
		}
	}
	return r.What
}

// After names the operations of a row: "38", "1-22".
func After(r crash.Row) string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}

func lineOf(r crash.Row) string {
	if r.Line == 0 || !r.Yours {
		return "-"
	}
	return fmt.Sprint(r.Line)
}

// Sign is a cell in its colour.
func Sign(t draw.Theme, c crash.Cell) string {
	switch {
	case len(c.Broken) > 0:
		return t.Differ.On(plainSign(c))
	case len(c.Unread) > 0:
		return t.Changed.On(plainSign(c))
	}
	return t.Pass.On(plainSign(c))
}

func plainSign(c crash.Cell) string {
	switch {
	case len(c.Broken) > 0:
		return fmt.Sprintf("%s%d", draw.DifferSign, len(c.Broken))
	case len(c.Unread) > 0:
		return UnreadSign
	}
	return draw.PassSign
}

// Breaches is the first cell of each invariant that does not hold, in the order of the rows; at most that many.
func Breaches(m *crash.Matrix, most int) []Cell {
	var list []Cell
	seen := map[int]bool{}
	for i, r := range m.Rows {
		for j, c := range r.Cells {
			if !c.Holds() && !seen[j] && len(list) < most {
				seen[j] = true
				list = append(list, Cell{Row: i, Column: j})
			}
		}
	}
	return list
}

// Heading says what a cell is about: "After operation 38, I2: the marker is there, 32 hex digits".
func Heading(t draw.Theme, m *crash.Matrix, cell Cell) string {
	column := m.Invariants[cell.Column]
	when := t.Say("After operation %d", m.Rows[cell.Row].First)
	if m.Rows[cell.Row].First == 0 {
		when = t.Say("Before the first operation")
	}
	return fmt.Sprintf("%s, %s: %s", when, column.ID, t.Message(column.Text))
}

// Detail is what lies behind a cell: for each model the state in words and whether the invariant holds there, then why, and
// who can now not do what.
func Detail(t draw.Theme, m *crash.Matrix, cell Cell, width int) []string {
	point := m.Points[m.Rows[cell.Row].First]
	column := m.Invariants[cell.Column]
	header := []string{t.Faint.On("  " + t.Say("model"))}
	var rows [][]string
	var reasons []string
	for _, model := range crash.Models() {
		instance := behind(m, point, cell.Column, model)
		state := m.States[instance.State]
		finding := state.Findings[cell.Column]
		row := []string{verdictSign(t, finding) + " " + modelWords(t, instance)}
		for _, f := range state.Facts {
			if len(rows) == 0 {
				header = append(header, t.Faint.On(f.Of))
			}
			row = append(row, f.Text)
		}
		rows = append(rows, append(row, verdictWord(t, finding)))
		if finding.Reason != "" && !slices.Contains(reasons, finding.Reason) {
			reasons = append(reasons, finding.Reason)
		}
	}
	rows = append([][]string{append(header, t.Faint.On(column.ID))}, rows...)
	lines := table(rows, width)
	for _, reason := range reasons {
		lines = append(lines, draw.Wrap(reason, width)...)
	}
	if len(m.Rows[cell.Row].Cells[cell.Column].Broken) > 0 {
		for _, u := range unsynced(t, m, point, cell.Column) {
			lines = append(lines, draw.Wrap(u, width)...)
		}
		if column.Consequence != "" {
			lines = append(lines, draw.Wrap(t.Message(column.Consequence), width)...)
		}
		lines = append(lines, draw.Wrap(until(t, m, point, cell.Column), width)...)
	}
	return lines
}

// behind is the instance of a model that a cell is shown by: one in which the invariant is broken before one of which nothing
// can be told, and the first otherwise.
func behind(m *crash.Matrix, p crash.Point, column int, model crash.Model) crash.Instance {
	var found crash.Instance
	worst := -1
	for _, instance := range p.Instances {
		bad := slices.Index([]crash.Verdict{crash.Holds, crash.Unread, crash.Broken}, m.States[instance.State].Findings[column].Verdict)
		if instance.Model == model && bad > worst {
			found, worst = instance, bad
		}
	}
	return found
}

func modelWords(t draw.Theme, i crash.Instance) string {
	words := t.Say("name before contents")
	switch i.Model {
	case crash.Killed:
		words = t.Say("process killed")
	case crash.Lost:
		words = t.Say("power lost")
	}
	if i.Half != "" {
		return t.Say("%s, half of %s", words, path.Base(i.Half))
	}
	return words
}

func verdictSign(t draw.Theme, f crash.Finding) string {
	switch f.Verdict {
	case crash.Holds:
		return t.Pass.On(draw.PassSign)
	case crash.Broken:
		return t.Differ.On(draw.DifferSign)
	}
	return t.Changed.On(UnreadSign)
}

func verdictWord(t draw.Theme, f crash.Finding) string {
	switch f.Verdict {
	case crash.Holds:
		return t.Say("holds")
	case crash.Broken:
		return t.Differ.On(t.Say("BROKEN"))
	}
	return t.Changed.On(t.Say("cannot be told"))
}

// table aligns the rows of a detail. Where they are too wide together, the states stand below their models.
func table(rows [][]string, width int) []string {
	lines := draw.Columns(rows, 2, width)
	widest := 0
	for _, line := range draw.Columns(rows, 2, 1000) {
		widest = max(widest, draw.Width(line))
	}
	if widest <= width {
		return lines
	}
	lines = nil
	header := rows[0]
	for _, row := range rows[1:] {
		last := len(row) - 1
		lines = append(lines, draw.Cut(row[0]+"   "+row[last], width))
		for i := 1; i < last; i++ {
			lines = append(lines, draw.Hang("    "+header[i]+"  ", row[i], width)...)
		}
	}
	return lines
}

// unsynced names what a power loss takes from the files that the invariant is judged by.
func unsynced(t draw.Theme, m *crash.Matrix, p crash.Point, column int) []string {
	var sentences []string
	for _, u := range p.Unsynced {
		if !slices.Contains(m.Invariants[column].Files, u.Path) {
			continue
		}
		op := m.Operations[u.First-1]
		where := ""
		if op.Line > 0 {
			where = fmt.Sprintf(" (%s:%d)", path.Base(op.File), op.Line)
		}
		sentences = append(sentences, t.Say("No sync of %s has followed operation %d%s yet.", path.Base(u.Path), u.First, where))
	}
	return sentences
}

// until says up to where the invariant stays broken.
func until(t draw.Theme, m *crash.Matrix, p crash.Point, column int) string {
	for _, later := range m.Points[p.After+1:] {
		if later.Cells[column].Holds() {
			op := m.Operations[later.After-1]
			where := ""
			if op.Line > 0 {
				where = fmt.Sprintf(" (%s:%d)", path.Base(op.File), op.Line)
			}
			return t.Say("%s holds again after operation %d%s.", m.Invariants[column].ID, later.After, where)
		}
	}
	return t.Say("%s stays broken to the end.", m.Invariants[column].ID)
}

// pluralOf is a number of things: one of them, or the format for several.
func pluralOf(t draw.Theme, n int, one, many string) string {
	if n == 1 {
		return t.Format(one)
	}
	return t.Say(many, n)
}
