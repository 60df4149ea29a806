package crash

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
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

// masked prepares the files of a snapshot for a comparison of their contents: inside a longer text, fresh identities are
// replaced by their numbers of appearance, since they differ from run to run.
func masked(s grader.Snapshot, known map[string]bool) grader.Snapshot {
	s.Files = slices.Clone(s.Files)
	for i, f := range s.Files {
		if text := mask(f.Text, known); text != f.Text {
			sum := sha256.Sum256([]byte(text))
			s.Files[i].SHA256 = hex.EncodeToString(sum[:])
		}
	}
	return s
}

// mask replaces every run of exactly 32 hexadecimal digits that is not known.
func mask(text string, known map[string]bool) string {
	var out strings.Builder
	numbers := map[string]int{}
	for len(text) > 0 {
		run := len(text) - len(strings.TrimLeft(text, "0123456789abcdef"))
		word := text[:max(run, 1)]
		text = text[len(word):]
		if run == 32 && !known[word] {
			if numbers[word] == 0 {
				numbers[word] = len(numbers) + 1
			}
			word = fmt.Sprintf("#%d", numbers[word])
		}
		out.WriteString(word)
	}
	return out.String()
}
