package task

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/runtime/world"
)

// NearMisses meets what is installed, a right answer, with a case, and asks of every output that is nearly right whether
// the case notices: each expected field becomes each value that is close to it, one cell of every column that counts in the
// world changes, a row, a table and a file go. It returns what was not noticed, in words, and how much was tried.
func (x *Examination) NearMisses(ctx context.Context, c Case, reference *Reference) (missed []string, tried int, err error) {
	one, err := x.trial(ctx, c)
	if err != nil {
		return nil, 0, err
	}
	if one.report.Outcome != grader.Observed {
		return nil, 0, fmt.Errorf("%s gave no observation: %s", c.Name, one.report.Cause)
	}
	m := nearly{x: x, c: c}
	m.fields(one.report.Fields)
	if c.World && reference != nil {
		m.world(reference, one.snapshot)
	}
	return m.missed, m.tried, nil
}

type nearly struct {
	x      *Examination
	c      Case
	missed []string
	tried  int
}

// note counts one output that is nearly right.
func (m *nearly) note(noticed bool, format string, args ...any) {
	m.tried++
	if !noticed {
		m.missed = append(m.missed, fmt.Sprintf(format, args...))
	}
}

// fields asks for each field. What is compared is symmetric: instead of the output, the expectation is nearly right.
func (m *nearly) fields(fields []grader.Field) {
	for _, f := range fields {
		for _, near := range near(f.Expected) {
			m.note(!near.Equal(f.Observed), "%s: %s (%s) in the place of %s", f.Name, near, near.Kind(), f.Expected)
		}
	}
}

// near are values that a wrong function is likely to give instead of v: the neighbours, and the same thing as another kind.
func near(v world.Value) []world.Value {
	list := []world.Value{{}} // nothing at all
	if v.Kind() != world.Null {
		list = append(list, world.NullValue(), world.StringValue(v.String()+" "))
	}
	if _, text := v.AsString(); !text {
		list = append(list, world.StringValue(v.String()))
	}
	switch v.Kind() {
	case world.Null:
		list = append(list, world.BoolValue(false), world.IntValue(0), world.StringValue(""))
	case world.Bool:
		b, _ := v.AsBool()
		number := int64(0)
		if b {
			number = 1
		}
		list = append(list, world.BoolValue(!b), world.IntValue(number))
	case world.Int:
		n, _ := v.AsInt()
		list = append(list, world.IntValue(n+1), world.IntValue(n-1), world.FloatValue(float64(n)))
		if n != 0 {
			list = append(list, world.IntValue(-n))
		}
	case world.Float:
		f, _ := v.AsFloat()
		list = append(list, world.FloatValue(math.Nextafter(f, math.Inf(1))), world.FloatValue(-f), world.IntValue(int64(f)))
	case world.String:
		s, _ := v.AsString()
		list = append(list, world.StringValue(" "+s))
		for _, other := range []string{strings.ToUpper(s), strings.ToLower(s), s[:max(len(s)-1, 0)], ""} {
			if other != s {
				list = append(list, world.StringValue(other))
			}
		}
	case world.List:
		elements, _ := v.AsList()
		list = append(list, world.ListValue(append(elements, world.NullValue())...))
		if n := len(elements); n > 0 {
			list = append(list, world.ListValue(elements[:n-1]...))
		}
		turned := slices.Clone(elements)
		slices.Reverse(turned)
		if turned := world.ListValue(turned...); !turned.Equal(v) {
			list = append(list, turned)
		}
	case world.Map:
		entries, _ := v.AsMap()
		entries["one more"] = world.NullValue()
		list = append(list, world.MapValue(entries))
		delete(entries, "one more")
		if len(entries) > 0 {
			delete(entries, slices.Min(slices.Collect(maps.Keys(entries))))
			list = append(list, world.MapValue(entries))
		}
	}
	return list
}

// world asks for each column, table and file of the world that the answer left.
func (m *nearly) world(reference *Reference, left grader.Snapshot) {
	notices := func(changed grader.Snapshot) bool {
		comparison := probe.Comparison{Known: reference.known, Events: m.x.task.exercise.Events, Contents: true}
		return len(comparison.Compare(reference.snapshot, changed)) > 0
	}
	for d, db := range left.Databases {
		m.note(notices(without(left, d)), "the world without %s", db.Path)
		for t, table := range db.Tables {
			row := counted(m.x.task.exercise, table)
			if row < 0 {
				continue
			}
			place := db.Path + ", " + table.Name
			m.note(notices(withTable(left, d, t, slices.Delete(slices.Clone(table.Rows), row, row+1))), "%s without one row", place)
			for column, name := range table.Columns {
				if table.Name == "events" && m.x.task.exercise.Events != nil && (name == "id" || name == "kind") {
					continue // running numbers depend on rows that do not count, and another kind may be one of those
				}
				rows := slices.Clone(table.Rows)
				rows[row] = slices.Clone(rows[row])
				rows[row][column] = world.StringValue(rows[row][column].String() + " nearly")
				m.note(notices(withTable(left, d, t, rows)), "%s: another value of %s", place, name)
			}
		}
	}
	for f, file := range left.Files {
		fewer := left
		fewer.Files = slices.Delete(slices.Clone(left.Files), f, f+1)
		m.note(notices(fewer), "the world without the file %s", file.Path)
	}
	more := left
	more.Files = append(slices.Clone(left.Files), grader.FileSnapshot{Path: "zz-stray", Text: "stray"})
	m.note(notices(more), "the world with one file more")
}

// counted is the first row of a table that counts in a comparison, -1 for none.
func counted(e *exercises.Exercise, t grader.Table) int {
	kind := slices.Index(t.Columns, "kind")
	for i, row := range t.Rows {
		if t.Name != "events" || e.Events == nil || kind < 0 {
			return i
		}
		if text, ok := row[kind].AsString(); ok && slices.Contains(e.Events, text) {
			return i
		}
	}
	return -1
}

// without is a snapshot without one of its databases.
func without(s grader.Snapshot, database int) grader.Snapshot {
	s.Databases = slices.Delete(slices.Clone(s.Databases), database, database+1)
	return s
}

// withTable is a snapshot with other rows in one of its tables.
func withTable(s grader.Snapshot, database, table int, rows [][]world.Value) grader.Snapshot {
	s.Databases = slices.Clone(s.Databases)
	db := &s.Databases[database]
	db.Tables = slices.Clone(db.Tables)
	db.Tables[table].Rows = rows
	return s
}
