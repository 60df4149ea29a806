package draw

import (
	"fmt"
	"strings"

	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// Timeline is the steps of an operation log, one line each; the learner's line stands at the right.
func (t Theme) Timeline(steps []evidence.Step, width int) []string {
	lines := make([]string, 0, len(steps)+1)
	const right = 6
	place := 6
	for _, s := range steps {
		if s.Kind == evidence.CallStep {
			place = max(place, min(Width(s.Place()), 16))
		}
	}
	lines = append(lines, t.Faint.On(Fit("   # "+Fit(t.Say("where"), place)+"  "+t.Say("what"), width-right)+Right(t.Say("line"), right)))
	for i, s := range steps {
		line := "-"
		if s.Yours {
			line = fmt.Sprint(s.Line)
		}
		where := s.Place()
		switch s.Kind {
		case evidence.MarkStep:
			lines = append(lines, Fit(fmt.Sprintf("%4d ", i+1)+t.Accent.On(HereSign+" "+s.Name), width))
			continue
		case evidence.ProbeStep:
			where = t.Say("probe")
		case evidence.OutsideStep:
			where = "sqlite"
		}
		what := t.What(s)
		if s.Err != "" {
			what = t.Differ.On(DifferSign) + " " + what + t.Differ.On(", "+s.Err)
		}
		row := fmt.Sprintf("%4d %s  %s", i+1, Fit(where, place), what)
		if s.Kind == evidence.ProbeStep {
			row = t.Faint.On(row)
		}
		lines = append(lines, Fit(row, width-right)+Right(line, right))
	}
	return lines
}

// What says what a step did, on one line.
func (t Theme) What(s evidence.Step) string {
	var what string
	switch s.Kind {
	case evidence.MarkStep:
		return s.Name
	case evidence.ProbeStep:
		what = t.plural(s.Calls, "1 supplied call", "%d supplied calls")
	case evidence.OutsideStep:
		what = t.Say("on its own")
	default:
		what = s.Name[strings.LastIndexByte(s.Name, '.')+1:]
		switch detail := evidence.Folded(s.Detail); {
		case detail == "":
		case what == "Exec" || what == "Query" || what == "QueryRow":
			what = shortSQL(detail)
		default:
			what += " " + detail
		}
		if s.Changed > 0 {
			what += ", " + t.plural(int(s.Changed), "1 row", "%d rows")
		}
	}
	if n := len(s.Durable); n > 0 {
		what += " · " + t.Durable(s)
	}
	return what
}

// shortSQL is a statement as it fits into a line: what an UPDATE sets comes before what a narrow line cuts off.
func shortSQL(statement string) string {
	words := strings.Fields(statement)
	if len(words) > 3 && strings.EqualFold(words[0], "UPDATE") && strings.EqualFold(words[2], "SET") {
		return words[1] + ": " + strings.Join(words[3:], " ")
	}
	return statement
}

// Durable sums a step's durable operations up: "3 writes, 8208 bytes, sync".
func (t Theme) Durable(s evidence.Step) string {
	var parts []string
	for _, kind := range []struct {
		kind      operation.Kind
		one, many string
	}{
		{operation.Create, lang.Key("create"), lang.Key("%d creates")}, {operation.Write, lang.Key("write"), lang.Key("%d writes")},
		{operation.Truncate, lang.Key("truncate"), lang.Key("%d truncates")}, {operation.Sync, lang.Key("sync"), lang.Key("%d syncs")},
		{operation.Rename, lang.Key("rename"), lang.Key("%d renames")}, {operation.Remove, lang.Key("remove"), lang.Key("%d removes")},
		{operation.Folder, lang.Key("folder"), lang.Key("%d folders")}, {operation.SyncFolder, lang.Key("folder sync"), lang.Key("%d folder syncs")},
	} {
		if n := s.Count(kind.kind); n > 0 {
			parts = append(parts, t.plural(n, kind.one, kind.many))
		}
	}
	if n := s.Bytes(); n > 0 {
		parts = append(parts, t.Bytes(n))
	}
	return strings.Join(parts, ", ")
}

// Bytes is a size for people: 32 bytes, 84 KiB.
func (t Theme) Bytes(n int) string {
	if n < 1<<10 {
		return t.plural(n, "1 byte", "%d bytes")
	}
	return fmt.Sprintf("%d KiB", (n+1<<9)>>10)
}

// plural is a number of things: one of them, or the format for several.
func (t Theme) plural(n int, one, many string) string {
	if n == 1 {
		return t.Format(one)
	}
	return t.Say(many, n)
}

// Rows is the cells of a world that changed, a column a stage. A star marks a change, a cross a cell that differs from
// what is expected.
func (t Theme) Rows(stages []string, trails []evidence.Trail, width int) []string {
	header := []string{""}
	for _, s := range stages {
		header = append(header, t.Faint.On(s))
	}
	rows := [][]string{header}
	for _, trail := range trails {
		title := trail.Title
		rows = append(rows, []string{t.Strong.On(title)})
		for _, c := range trail.Cells {
			row := []string{"  " + c.Name}
			for i, v := range c.Values {
				row = append(row, t.value(c, i, v))
			}
			rows = append(rows, row)
		}
	}
	return alignRows(rows, width)
}

func (t Theme) value(c evidence.Cell, stage int, v world.Value) string {
	text := Cut(evidence.Short(v), wideValue)
	switch {
	case c.Differs && stage > 0:
		return t.Differ.On(text + " " + DifferSign)
	case c.Changed[stage]:
		return t.Changed.On(text + " " + ChangeSign)
	}
	return text
}

// alignRows is Columns where a row of one cell is a heading that widens nothing.
func alignRows(rows [][]string, width int) []string {
	var table [][]string
	for _, row := range rows {
		if len(row) > 1 {
			table = append(table, row)
		}
	}
	aligned := Columns(table, 2, width)
	lines := make([]string, 0, len(rows))
	for _, row := range rows {
		if len(row) == 1 {
			lines = append(lines, Cut(row[0], width))
			continue
		}
		lines = append(lines, aligned[0])
		aligned = aligned[1:]
	}
	return lines
}
