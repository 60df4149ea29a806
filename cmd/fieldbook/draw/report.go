package draw

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/grader"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// The signs that stand beside every colour.
const (
	PassSign   = "✓"
	DifferSign = "✗"
	HereSign   = "▸"
	OpenSign   = "•"
	ChangeSign = "*"
)

// Verdict is a verdict in its colour.
func (t Theme) Verdict(v grader.Verdict) string {
	switch v {
	case grader.Pass:
		return t.Pass.On(PassSign + " " + string(v))
	case grader.NeedsWork, grader.Invalid:
		return t.Differ.On(DifferSign + " " + string(v))
	default:
		return t.Changed.On("! " + string(v))
	}
}

// Outcome is an outcome in words.
func Outcome(r grader.Report) string {
	if r.Outcome == grader.Observed {
		if r.Verdict == grader.Pass {
			return "observed, as expected"
		}
		return "observed, differs"
	}
	return strings.ReplaceAll(string(r.Outcome), "_", " ")
}

// Duration is a time for people: 31 ms, 2.4 s.
func Duration(d time.Duration) string {
	switch {
	case d <= 0:
		return "-"
	case d < time.Millisecond:
		return "under 1 ms"
	case d < 10*time.Second:
		if d >= time.Second {
			return fmt.Sprintf("%.1f s", d.Seconds())
		}
		return fmt.Sprintf("%d ms", d.Milliseconds())
	default:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
}

// Environment is what a result was obtained with, on one line.
func Environment(e grader.Environment) string {
	var parts []string
	if e.Engine != "" {
		parts = append(parts, "engine "+e.Engine)
	}
	if e.Sandbox != "" {
		parts = append(parts, "sandbox "+e.Sandbox)
	}
	if e.Elapsed.Total() > 0 {
		parts = append(parts, Duration(e.Elapsed.Total()))
	}
	return strings.Join(parts, "   ")
}

// wideValue is the width from which a value no longer fits into a column of a table.
const wideValue = 24

// Fields is the comparison: each field with what is expected beside what was observed, and where it was read.
func (t Theme) Fields(fields []grader.Field, width int) []string {
	rows := [][]string{{t.Faint.On("  field"), t.Faint.On("expected"), t.Faint.On("observed"), t.Faint.On("read from")}}
	for _, f := range fields {
		if max(Width(f.Expected.String()), Width(f.Observed.String())) > wideValue {
			return t.tallFields(fields, width)
		}
	}
	for _, f := range fields {
		rows = append(rows, []string{t.fieldName(f), f.Expected.String(), t.observed(f), t.Faint.On(f.From)})
	}
	if widest(rows, 3) > width {
		return t.narrowFields(fields, rows, width)
	}
	return Columns(rows, 3, width)
}

// narrowFields is Fields where the sources do not fit beside: each stands in a line of its own below its field. Where
// some fields differ, only theirs do.
func (t Theme) narrowFields(fields []grader.Field, rows [][]string, width int) []string {
	for i := range rows {
		rows[i] = rows[i][:3]
	}
	if widest(rows, 3) > width {
		return t.tallFields(fields, width)
	}
	differ := slices.ContainsFunc(fields, func(f grader.Field) bool { return !f.Agrees })
	table := Columns(rows, 3, width)
	lines := table[:1:1]
	for i, f := range fields {
		lines = append(lines, table[i+1])
		if f.From != "" && f.Agrees != differ {
			lines = append(lines, Hang("    ", t.Faint.On("read from "+f.From), width)...)
		}
	}
	return lines
}

// widest is the width that Columns would need.
func widest(rows [][]string, gap int) int {
	total := 0
	for column := range rows[0] {
		width := 0
		for _, row := range rows {
			width = max(width, Width(row[column]))
		}
		total += width + gap
	}
	return total - gap
}

// tallFields is Fields for long values: several lines a field.
func (t Theme) tallFields(fields []grader.Field, width int) []string {
	var lines []string
	for _, f := range fields {
		lines = append(lines, Cut(t.fieldName(f), width))
		if f.Agrees {
			lines = append(lines, Hang("    observed   ", f.Observed.String()+", as expected", width)...)
		} else {
			lines = append(lines, Hang("    expected   ", f.Expected.String(), width)...)
			lines = append(lines, Hang("    observed   ", f.Observed.String(), width)...)
		}
		lines = append(lines, Hang(t.Faint.On("    read from  "), f.From, width)...)
	}
	return lines
}

func (t Theme) fieldName(f grader.Field) string {
	if f.Agrees {
		return t.Pass.On(PassSign) + " " + f.Name
	}
	return t.Differ.On(DifferSign) + " " + f.Name
}

func (t Theme) observed(f grader.Field) string {
	if f.Agrees {
		return f.Observed.String()
	}
	return t.Differ.On(f.Observed.String())
}

// Count sums a comparison up: "1 as expected, 2 differ".
func Count(fields []grader.Field) string {
	agree := 0
	for _, f := range fields {
		if f.Agrees {
			agree++
		}
	}
	return fmt.Sprintf("%d as expected, %d differ", agree, len(fields)-agree)
}

// Diagnostics is the messages about a source, each with its place, the line it is about, a caret below it, and what to do.
func (t Theme) Diagnostics(list []grader.Diagnostic, width int) []string {
	var lines []string
	for i, d := range list {
		if i > 0 {
			lines = append(lines, "")
		}
		place := t.Accent.On(strings.TrimSuffix(grader.Diagnostic{File: d.File, Line: d.Line, Column: d.Column}.String(), ": "))
		if Width(place) < width/2 {
			lines = append(lines, Wrap(place+" "+t.Differ.On(d.Message), width)...)
		} else {
			lines = append(append(lines, place), Wrap(t.Differ.On(d.Message), width)...) // a long path stays whole
		}
		if d.Excerpt != "" {
			lines = append(lines, t.excerpt(d, width)...)
		}
		if d.Hint != "" {
			lines = append(lines, Hang("  ", d.Hint, width)...)
		}
	}
	return lines
}

// excerpt is the line a diagnostic is about with a caret below. A line wider than the pane is moved left until the caret
// is inside.
func (t Theme) excerpt(d grader.Diagnostic, width int) []string {
	gutter := fmt.Sprintf("%5d  ", d.Line)
	source, under, marked := strings.Cut(d.Caret(), "\n")
	if !marked {
		source = d.Excerpt
	}
	// The caret line repeats the tabs of the source, so both are widened alike.
	source, under = visible(Tabs(source)), Tabs(under)
	room := width - Width(gutter)
	from := max(strings.Index(under, "^")-room+12, 0)
	lines := []string{t.Faint.On(gutter) + Cut(dropCells(source, from), room)}
	if marked {
		lines = append(lines, Spaces(Width(gutter))+t.Differ.On(Cut(dropCells(under, from), room)))
	}
	return lines
}

func dropCells(text string, n int) string {
	for i, r := range text {
		if n <= 0 {
			return text[i:]
		}
		n -= Width(string(r))
	}
	return ""
}

// visible replaces control characters, so that a learner's source cannot move the cursor or change colours.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '·'
		}
		return r
	}, text)
}

// Cause is why a run has no observation, and what to do: the sentence, the panic with its line, the hint; then what there
// is to say about the engine.
func (t Theme) Cause(r grader.Report, width int) []string {
	var lines []string
	if r.Cause != "" {
		lines = append(lines, Wrap(r.Cause, width)...)
	}
	if c := r.Crash; c != nil {
		place := ""
		if c.Line > 0 {
			place = fmt.Sprintf("  at %s:%d", c.File, c.Line)
		}
		lines = append(lines, Hang("  ", t.Differ.On(visible(c.Message))+t.Accent.On(place), width)...)
	}
	if r.Hint != "" {
		lines = append(lines, Wrap(r.Hint, width)...)
	}
	if r.Environment.Note != "" {
		lines = append(lines, Wrap(r.Environment.Note, width)...)
	}
	return lines
}

// Output is what the learner's code printed.
func (t Theme) Output(o grader.Output, width int) []string {
	if o.Total == 0 {
		return nil
	}
	head := fmt.Sprintf("Printed, %d bytes", o.Total)
	if o.Omitted > 0 {
		head += fmt.Sprintf(", %d left out of the middle", o.Omitted)
	}
	lines := []string{t.Faint.On(head)}
	if o.File != "" {
		lines = append(lines, Hang("  ", "All of it: "+o.File, width)...)
	}
	for _, line := range strings.Split(strings.TrimRight(o.Text, "\n"), "\n") {
		lines = append(lines, "  "+Cut(visible(Tabs(line)), width-2))
	}
	return lines
}

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
	lines = append(lines, t.Faint.On(Fit("   # "+Fit("where", place)+"  what", width-right)+Right("line", right)))
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
			where = "probe"
		case evidence.OutsideStep:
			where = "sqlite"
		}
		what := What(s)
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
func What(s evidence.Step) string {
	var what string
	switch s.Kind {
	case evidence.MarkStep:
		return s.Name
	case evidence.ProbeStep:
		what = plural(s.Calls, "supplied call")
	case evidence.OutsideStep:
		what = "on its own"
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
			what += ", " + plural(int(s.Changed), "row")
		}
	}
	if n := len(s.Durable); n > 0 {
		what += " · " + Durable(s)
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
func Durable(s evidence.Step) string {
	var parts []string
	for _, kind := range []struct {
		kind operation.Kind
		word string
	}{{operation.Create, "create"}, {operation.Write, "write"}, {operation.Truncate, "truncate"}, {operation.Sync, "sync"}, {operation.Rename, "rename"},
		{operation.Remove, "remove"}, {operation.Folder, "folder"}, {operation.SyncFolder, "folder sync"}} {
		switch n := s.Count(kind.kind); n {
		case 0:
		case 1:
			parts = append(parts, kind.word)
		default:
			parts = append(parts, plural(n, kind.word))
		}
	}
	if n := s.Bytes(); n > 0 {
		parts = append(parts, Bytes(n))
	}
	return strings.Join(parts, ", ")
}

// Bytes is a size for people: 32 bytes, 84 KiB.
func Bytes(n int) string {
	if n < 1<<10 {
		return plural(n, "byte")
	}
	return fmt.Sprintf("%d KiB", (n+1<<9)>>10)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if strings.HasSuffix(word, "y") {
		return fmt.Sprintf("%d %sies", n, word[:len(word)-1])
	}
	return fmt.Sprintf("%d %ss", n, word)
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

// Headline names the exercise, the label of the run and its verdict.
func (t Theme) Headline(r grader.Report) string {
	return fmt.Sprintf("%s   %s   %s", t.Title.On(r.Exercise), r.Label, t.Verdict(r.Verdict)+": "+Outcome(r))
}
