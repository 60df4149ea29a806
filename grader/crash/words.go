package crash

import (
	"fmt"
	"path"
	"reflect"
	"strings"

	"fieldbook/exercises"
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
			list = append(list, Row{First: i, Last: i, File: op.File, Line: op.Line, Cells: p.Cells})
		}
		last = op
	}
	for i := range list {
		if i > 0 {
			list[i].Place, list[i].What = words(crash, operations[list[i].First-1:list[i].Last])
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

// words tells what operations of one row ask of the disk, and where.
func words(crash *exercises.Crash, operations []Operation) (place, what string) {
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
		return place, one(first)
	case what == "":
		what = first.Call[strings.LastIndexByte(first.Call, '.')+1:]
	}
	if detail := summary(operations); detail != "" {
		what += ", " + detail
	}
	return place, what
}

// one tells what a single operation asks.
func one(op Operation) string {
	switch op.Kind {
	case operation.Create:
		return "create " + shortName(op.Path)
	case operation.Write:
		return "write " + count(op.Bytes, "byte")
	case operation.Truncate:
		return "cut " + shortName(op.Path)
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

// summary counts what several operations ask.
func summary(operations []Operation) string {
	writes, synced, removed := 0, false, false
	for _, op := range operations {
		switch op.Kind {
		case operation.Write:
			writes++
		case operation.Sync, operation.SyncFolder:
			synced = true
		case operation.Remove:
			removed = true
		}
	}
	switch {
	case writes > 0 && synced:
		return count(writes, "write") + ", synced"
	case writes > 0:
		return count(writes, "write") + ", not synced"
	case synced:
		return "synced"
	case removed && len(operations) > 1:
		return count(len(operations), "removal")
	}
	return ""
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// shortName is a path in which identities are cut to their first digits.
func shortName(name string) string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'z') })
	for _, part := range parts {
		if len(part) == 32 && strings.Trim(part, "0123456789abcdef") == "" {
			name = strings.Replace(name, part, part[:4]+"…", 1)
		}
	}
	return name
}
