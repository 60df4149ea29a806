package crash

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/runtime/world"
)

// disguise gives every identity of a snapshot that is not known another one. Two runs with the same numbers make the same
// fresh identities: a state that holds one of the learner's would else hold one that the reference's end calls fresh.
func disguise(s grader.Snapshot, known map[string]bool) grader.Snapshot {
	var pairs []string
	for id := range probe.IDs(s) {
		if !known[id] {
			sum := sha256.Sum256([]byte("another " + id))
			pairs = append(pairs, id, hex.EncodeToString(sum[:len(id)/2]))
		}
	}
	replace := strings.NewReplacer(pairs...).Replace
	var out grader.Snapshot
	for _, db := range s.Databases {
		var tables []grader.Table
		for _, t := range db.Tables {
			rows := make([][]world.Value, len(t.Rows))
			for i, row := range t.Rows {
				rows[i] = make([]world.Value, len(row))
				for c, value := range row {
					if text, ok := value.AsString(); ok {
						value = world.StringValue(replace(text))
					}
					rows[i][c] = value
				}
			}
			tables = append(tables, grader.Table{Name: t.Name, Columns: t.Columns, Rows: rows})
		}
		out.Databases = append(out.Databases, grader.DatabaseSnapshot{Path: replace(db.Path), Tables: tables})
	}
	for _, f := range s.Files {
		f.Path, f.Text = replace(f.Path), replace(f.Text)
		out.Files = append(out.Files, f)
	}
	return out
}
