package probe

import (
	"fmt"
	"strings"

	"fieldbook/grader"
	"fieldbook/runtime/world"
)

// Difference is one place in which two worlds differ.
type Difference struct {
	Place string      `json:"place"` // "shop.sqlite, assistant_control, row 1, paused"; "file shop.authority"
	Cell  Cell        `json:"cell"`  // zero when it is not a cell
	Want  world.Value `json:"want"`
	Got   world.Value `json:"got"`
}

// Cell names a cell of a table.
type Cell struct {
	Database string `json:"database,omitempty"`
	Table    string `json:"table,omitempty"`
	Column   string `json:"column,omitempty"`
	Row      int    `json:"row,omitempty"` // from 1
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: expected %s, observed %s", d.Place, d.Want, d.Got)
}

// Comparison says how two worlds are compared.
type Comparison struct {
	// Known holds the ids (32 hexadecimal digits) that were there before the learner's call. They must stay themselves;
	// every other id is fresh, and fresh ids of the two worlds correspond one to one.
	Known map[string]bool
	// Events lists the kinds of rows in a table `events` that count; nil: all of them.
	Events []string
	// Contents compares every file's bytes too, where they are not ids. Otherwise only names are compared.
	Contents bool
}

// maxDifferences ends a comparison of two worlds that have nothing in common.
const maxDifferences = 50

// Compare returns where got differs from want: databases, tables, rows, cells, then files. Worlds are compared row by
// row, never by the hash of a database file.
func (c Comparison) Compare(want, got grader.Snapshot) []Difference {
	m := matcher{Comparison: c, forward: map[string]string{}, backward: map[string]string{}}
	byPath := map[string]grader.DatabaseSnapshot{}
	for _, db := range got.Databases {
		byPath[m.path(db.Path)] = db
	}
	for _, db := range want.Databases {
		other, ok := byPath[m.path(db.Path)]
		delete(byPath, m.path(db.Path))
		if !ok {
			m.add(Difference{Place: "database " + db.Path, Want: world.StringValue("there"), Got: world.StringValue("missing")})
			continue
		}
		m.database(db, other)
	}
	for _, db := range got.Databases {
		if _, extra := byPath[m.path(db.Path)]; extra {
			m.add(Difference{Place: "database " + db.Path, Want: world.StringValue("none"), Got: world.StringValue("there")})
		}
	}
	m.files(want.Files, got.Files)
	return m.found
}

type matcher struct {
	Comparison
	forward, backward map[string]string
	found             []Difference
}

// add keeps a difference as it may be shown: names are the learner's.
func (m *matcher) add(d Difference) {
	for _, text := range []*string{&d.Place, &d.Cell.Database, &d.Cell.Table, &d.Cell.Column} {
		*text = grader.Visible([]byte(*text))
	}
	if len(m.found) < maxDifferences {
		m.found = append(m.found, d)
	}
}

// path hides fresh ids inside a path, since they differ from run to run.
func (m *matcher) path(name string) string {
	var out strings.Builder
	for len(name) > 0 {
		if len(name) >= 32 && isID(name[:32]) && !m.Known[name[:32]] {
			out.WriteByte('*')
			name = name[32:]
			continue
		}
		out.WriteByte(name[0])
		name = name[1:]
	}
	return out.String()
}

func (m *matcher) database(want, got grader.DatabaseSnapshot) {
	tables := map[string]grader.Table{}
	for _, t := range got.Tables {
		tables[t.Name] = t
	}
	for _, t := range want.Tables {
		other, ok := tables[t.Name]
		delete(tables, t.Name)
		place := want.Path + ", " + t.Name
		switch {
		case !ok:
			m.add(Difference{Place: place, Want: world.StringValue("a table"), Got: world.StringValue("missing")})
		case strings.Join(t.Columns, "\x00") != strings.Join(other.Columns, "\x00"):
			m.add(Difference{Place: place + ", columns", Want: world.StringValue(strings.Join(t.Columns, " ")), Got: world.StringValue(strings.Join(other.Columns, " "))})
		default:
			m.rows(want.Path, t, other)
		}
	}
	for _, t := range got.Tables {
		if _, extra := tables[t.Name]; extra {
			m.add(Difference{Place: want.Path + ", " + t.Name, Want: world.StringValue("no such table"), Got: world.StringValue("a table")})
		}
	}
}

func (m *matcher) rows(database string, want, got grader.Table) {
	wantRows, gotRows := m.counted(want), m.counted(got)
	if len(wantRows) != len(gotRows) {
		m.add(Difference{
			Place: fmt.Sprintf("%s, %s, number of rows", database, want.Name),
			Want:  world.IntValue(int64(len(wantRows))), Got: world.IntValue(int64(len(gotRows))),
		})
		return
	}
	for r := range wantRows {
		for c, column := range want.Columns {
			if !m.same(wantRows[r][c], gotRows[r][c]) {
				m.add(Difference{
					Place: fmt.Sprintf("%s, %s, row %d, %s", database, want.Name, r+1, column),
					Cell:  Cell{Database: database, Table: want.Name, Column: column, Row: r + 1},
					Want:  wantRows[r][c], Got: gotRows[r][c],
				})
			}
		}
	}
}

// counted leaves out the rows of `events` whose kind does not count, and then their running numbers, which depend on the
// rows left out.
func (m *matcher) counted(t grader.Table) [][]world.Value {
	if t.Name != "events" || m.Events == nil {
		return t.Rows
	}
	kind, id := -1, -1
	for i, c := range t.Columns {
		switch c {
		case "kind":
			kind = i
		case "id":
			id = i
		}
	}
	if kind < 0 {
		return t.Rows
	}
	rows := [][]world.Value{}
	for _, row := range t.Rows {
		name, _ := row[kind].AsString()
		for _, counts := range m.Events {
			if name == counts {
				row = append([]world.Value{}, row...)
				if id >= 0 {
					row[id] = world.IntValue(int64(len(rows) + 1))
				}
				rows = append(rows, row)
				break
			}
		}
	}
	return rows
}

// same compares two values; fresh ids correspond one to one.
func (m *matcher) same(want, got world.Value) bool {
	a, aText := want.AsString()
	b, bText := got.AsString()
	if !aText || !bText || !isID(a) || !isID(b) {
		return want.Equal(got)
	}
	if m.Known[a] || m.Known[b] {
		return a == b
	}
	x, seenA := m.forward[a]
	y, seenB := m.backward[b]
	if seenA || seenB {
		return x == b && y == a
	}
	m.forward[a], m.backward[b] = b, a
	return true
}

func (m *matcher) files(want, got []grader.FileSnapshot) {
	others := map[string]grader.FileSnapshot{}
	for _, f := range got {
		others[m.path(f.Path)] = f
	}
	for _, f := range want {
		other, ok := others[m.path(f.Path)]
		delete(others, m.path(f.Path))
		if !ok {
			m.add(Difference{Place: "file " + f.Path, Want: world.StringValue("there"), Got: world.StringValue("missing")})
			continue
		}
		m.contents(f, other)
	}
	for _, f := range got {
		if _, extra := others[m.path(f.Path)]; extra {
			m.add(Difference{Place: "file " + f.Path, Want: world.StringValue("none"), Got: world.StringValue("there")})
		}
	}
}

func (m *matcher) contents(want, got grader.FileSnapshot) {
	a, b := strings.TrimSuffix(want.Text, "\n"), strings.TrimSuffix(got.Text, "\n")
	switch {
	case isID(a) || isID(b):
		if !m.same(world.StringValue(a), world.StringValue(b)) || want.Size != got.Size {
			m.add(Difference{Place: "file " + want.Path, Want: world.StringValue(a), Got: world.StringValue(b)})
		}
	case m.Contents && want.SHA256 != got.SHA256:
		m.add(Difference{Place: "file " + want.Path + ", sha256", Want: world.StringValue(want.SHA256), Got: world.StringValue(got.SHA256)})
	}
}

// isID reports whether s is an id of the runtime: 32 lower-case hexadecimal digits.
func isID(s string) bool {
	if len(s) != 32 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// IDs returns every id that a snapshot's cells and files hold: what is known before a call.
func IDs(snapshots ...grader.Snapshot) map[string]bool {
	known := map[string]bool{}
	for _, s := range snapshots {
		for _, db := range s.Databases {
			for _, t := range db.Tables {
				for _, row := range t.Rows {
					for _, v := range row {
						if text, ok := v.AsString(); ok && isID(text) {
							known[text] = true
						}
					}
				}
			}
		}
		for _, f := range s.Files {
			if text := strings.TrimSuffix(f.Text, "\n"); isID(text) {
				known[text] = true
			}
		}
	}
	return known
}
