package crash

import (
	"fmt"
	"path"
	"reflect"
	"strings"
	"unicode"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/runtime/operation"
)

// rows joins neighbouring points that have the same call, the same words and the same cells.
func rows(crash *exercises.Crash, operations []Operation, points []Point) []Row {
	var list []Row
	var last Operation
	for i, p := range points {
		if i == 0 {
			list = append(list, Row{What: "nothing yet", Cells: p.Cells})
			continue
		}
		op := operations[i-1]
		row := &list[len(list)-1]
		if i > 1 && op.entry.Call == last.entry.Call && op.entry.Call != 0 && caption(crash, op) == caption(crash, last) && reflect.DeepEqual(p.Cells, row.Cells) {
			row.Last = i
		} else {
			list = append(list, Row{First: i, Last: i, File: op.File, Line: op.Line, Yours: op.Yours, Cells: p.Cells})
		}
		last = op
	}
	for i := range list {
		if i > 0 {
			list[i].Place, list[i].What, list[i].Summary = words(crash, operations[list[i].First-1:list[i].Last])
		}
	}
	return list
}

// caption is the index of the first caption that fits an operation, -1 for none.
func caption(crash *exercises.Crash, op Operation) int {
	for i, c := range crash.Captions {
		if c.Matches(op.entry) || c.Matches(op.call) {
			return i
		}
	}
	return -1
}

// words tells what operations of one row ask of the disk, and where; summary counts them, where there are several to count.
func words(crash *exercises.Crash, operations []Operation) (place, what string, summary []string) {
	first := operations[0]
	place = path.Base(shortName(first.Path))
	if first.Path == "." {
		place = "folder"
	}
	if i := caption(crash, first); i >= 0 {
		place, what = crash.Captions[i].Place, crash.Captions[i].Text
	}
	switch {
	case what == "" && len(operations) == 1:
		return place, one(first), nil
	case what == "":
		what = spoken(first.Call[strings.LastIndexByte(first.Call, '.')+1:])
	}
	return place, what, summarise(operations)
}

// spoken is the name of a call as words: "CopyInto" is "copy into".
func spoken(name string) string {
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte(' ')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// Words tells what the operation asks, by itself.
func (o Operation) Words() string {
	switch o.Kind {
	case operation.Write:
		return "write " + count(o.Bytes, "byte") + " to " + shortName(o.Path)
	case operation.Rename:
		return "rename " + shortName(o.Path) + " to " + shortName(o.To)
	case operation.Sync:
		return "sync " + shortName(o.Path)
	case operation.SyncFolder:
		if o.Path == "." {
			return "sync the folder"
		}
		return "sync the folder " + shortName(o.Path)
	default:
		return one(o)
	}
}

// one tells what a single operation asks, beside the place that names the file.
func one(op Operation) string {
	switch op.Kind {
	case operation.Create:
		return "create " + shortName(op.Path)
	case operation.Write:
		return "write " + count(op.Bytes, "byte")
	case operation.Truncate:
		return "truncate " + shortName(op.Path)
	case operation.Rename:
		return "rename to " + shortName(op.To)
	case operation.Remove:
		return "remove " + shortName(op.Path)
	case operation.Folder:
		return "make the folder " + shortName(op.Path)
	default:
		return "sync"
	}
}

// summarise counts what several operations ask: "42 writes", "not synced".
func summarise(operations []Operation) []string {
	writes, synced := 0, false
	for _, op := range operations {
		if op.Kind == operation.Write {
			writes++
		}
		synced = synced || op.Kind == operation.Sync || op.Kind == operation.SyncFolder
	}
	var parts []string
	if writes > 0 {
		parts = append(parts, count(writes, "write"))
	}
	switch {
	case synced:
		parts = append(parts, "synced")
	case writes > 0:
		parts = append(parts, "not synced")
	case len(operations) > 1:
		parts = append(parts, count(len(operations), "operation"))
	}
	return parts
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// shortName is a path as it may be shown, in which identities are cut to their first digits.
func shortName(name string) string {
	name = grader.Visible([]byte(name))
	parts := strings.FieldsFunc(name, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'z') })
	for _, part := range parts {
		if len(part) == 32 && strings.Trim(part, "0123456789abcdef") == "" {
			name = strings.Replace(name, part, part[:4]+"…", 1)
		}
	}
	return name
}
