package evidence

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"fieldbook/grader"
	"fieldbook/runtime/world"
)

// Trail is one thing of a world, a row or a file, followed over the stages of a run. Only its cells that change, and those
// that the report says differ, are listed.
type Trail struct {
	Place string // "shop.sqlite"
	Title string // "assistant_control 1", "shop.authority"
	Cells []Cell
}

// Cell is one column of a row, or one property of a file, at each stage.
type Cell struct {
	Name    string
	Values  []world.Value // one a stage; Absent where the row or file is not there
	Changed []bool        // differs from the stage before; the first is false
	Differs bool          // the report compared this very cell, and it is not as expected
}

// Stages are the labels of a report's stages, in order.
func Stages(r grader.Report) []string {
	var labels []string
	for _, s := range stages(r) {
		labels = append(labels, s.Label)
	}
	return labels
}

// stages are a report's stages without a last one that repeats the world of the one before: most runs end with a mark.
func stages(r grader.Report) []grader.Stage {
	n := len(r.Stages)
	if n > 1 && reflect.DeepEqual(r.Stages[n-1].Snapshot, r.Stages[n-2].Snapshot) {
		return r.Stages[:n-1]
	}
	return r.Stages
}

// Trails follows every row and file of a report's world over its stages and returns those with a cell worth showing, in
// the order in which the world lists them.
func Trails(r grader.Report) []Trail {
	all := stages(r)
	f := follower{stages: len(all), at: map[string]int{}}
	for i, stage := range all {
		for _, db := range stage.Snapshot.Databases {
			for _, table := range db.Tables {
				f.table(i, db.Path, table)
			}
		}
		for _, file := range stage.Snapshot.Files {
			f.file(i, file)
		}
	}
	differing := differing(r.Fields)
	var shown []Trail
	for _, t := range f.trails {
		var cells []Cell
		for _, c := range t.Cells {
			c.Changed = changes(c.Values)
			_, c.Differs = differing[t.Place+", "+tableOf(t.Title)+"."+c.Name]
			if c.Differs || slices.Contains(c.Changed, true) {
				cells = append(cells, c)
			}
		}
		if len(cells) > 0 {
			t.Cells = cells
			shown = append(shown, t)
		}
	}
	return shown
}

// follower gathers the values of each cell by stage.
type follower struct {
	stages int
	trails []Trail
	at     map[string]int
}

func (f *follower) table(stage int, place string, t grader.Table) {
	seen := map[string]int{}
	for _, row := range t.Rows {
		if len(row) == 0 {
			continue
		}
		// The first column identifies a row in every table of the runtime; where it repeats, its number of order tells rows apart.
		id := row[0].String()
		seen[id]++
		title := grader.Visible([]byte(t.Name + " " + rowName(row)))
		if n := seen[id]; n > 1 {
			id += "/" + strconv.Itoa(n)
			title += "/" + strconv.Itoa(n)
		}
		trail := f.trail(place, t.Name+" "+id, title)
		for i, v := range row {
			if i < len(t.Columns) {
				f.cell(trail, stage, grader.Visible([]byte(t.Columns[i])), v)
			}
		}
	}
}

func (f *follower) file(stage int, file grader.FileSnapshot) {
	trail := f.trail("", file.Path, grader.Visible([]byte(file.Path)))
	value := world.StringValue("sha256 " + short(file.SHA256))
	if file.Text != "" {
		value = world.StringValue(strings.TrimSpace(file.Text))
	}
	f.cell(trail, stage, "contents", value)
}

// rowName is what people call a row: its first column, or where that is a drawn identity, its first text.
func rowName(row []world.Value) string {
	first := row[0].String()
	if short(first) == first {
		return first
	}
	for _, v := range row[1:] {
		if text, ok := v.AsString(); ok && text != "" && short(text) == text {
			return text
		}
	}
	return short(first)
}

func (f *follower) trail(place, id, title string) *Trail {
	key := place + "\x00" + id
	i, ok := f.at[key]
	if !ok {
		i = len(f.trails)
		f.at[key] = i
		f.trails = append(f.trails, Trail{Place: grader.Visible([]byte(place)), Title: title})
	}
	return &f.trails[i]
}

func (f *follower) cell(t *Trail, stage int, name string, v world.Value) {
	i := slices.IndexFunc(t.Cells, func(c Cell) bool { return c.Name == name })
	if i < 0 {
		i = len(t.Cells)
		t.Cells = append(t.Cells, Cell{Name: name, Values: make([]world.Value, f.stages)})
	}
	t.Cells[i].Values[stage] = v
}

func changes(values []world.Value) []bool {
	changed := make([]bool, len(values))
	for i := 1; i < len(values); i++ {
		changed[i] = !values[i].Equal(values[i-1])
	}
	return changed
}

// differing are the cells, "database, table.column", from which fields that differ were read.
func differing(fields []grader.Field) map[string]bool {
	cells := map[string]bool{}
	for _, f := range fields {
		if !f.Agrees {
			cells[f.From] = true
		}
	}
	return cells
}

func tableOf(title string) string {
	table, _, _ := strings.Cut(title, " ")
	return table
}

// short keeps identities readable: 32 hexadecimal digits become their first four and an ellipsis.
func short(s string) string {
	if len(s) >= 32 && strings.Trim(s, "0123456789abcdef") == "" {
		return s[:4] + "…"
	}
	return s
}

// Short is a value as a cell shows it: "-" where nothing is, identities cut to their first digits.
func Short(v world.Value) string {
	switch v.Kind() {
	case world.Absent, world.Null:
		return "-"
	default:
		return short(v.String())
	}
}
