package scenario

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/runtime/fieldnotes"
)

// Compared is a cell of a table beside the artifact's.
type Compared struct {
	Cell
	Table  string `json:"table"` // what the table says
	Agrees bool   `json:"agrees"`
}

// CheckedRow is a row of a table that was compared.
type CheckedRow struct {
	Scenario string     `json:"scenario"`
	Line     int        `json:"line"`
	Known    bool       `json:"known"` // there is evidence of that name
	Cells    []Compared `json:"cells"`
}

// Checked is what a comparison of a table with the evidence gave.
type Checked struct {
	Rows     []CheckedRow `json:"rows"`
	Findings []Finding    `json:"findings"`
	// Shown are the findings of evidence that was made on something wrong on purpose.
	Shown []Finding `json:"shown"`
}

// Agrees reports whether nothing is to be said against table and evidence.
func (c Checked) Agrees() bool {
	wrong := slices.ContainsFunc(c.Rows, func(r CheckedRow) bool {
		return !r.Known || slices.ContainsFunc(r.Cells, func(c Compared) bool { return !c.Agrees })
	})
	return !wrong && len(c.Findings) == 0
}

// Check compares a table with the evidence, cell by cell: where they disagree, the artifact is right. The evidence itself is
// looked at as well, and what it shows that it must not is a finding whatever the table says.
func Check(table Table, evidence []Evidence) Checked {
	checked := Checked{Rows: []CheckedRow{}, Findings: []Finding{}, Shown: []Finding{}}
	rows := map[string]int{}
	for _, row := range table.Rows {
		name := row.Cells[ColumnScenario]
		one := CheckedRow{Scenario: name, Line: row.Line, Cells: []Compared{}}
		if i := slices.IndexFunc(evidence, func(e Evidence) bool { return e.Name == name }); i >= 0 {
			one.Known = true
			one.Cells = compare(row, evidence[i])
		}
		checked.Rows = append(checked.Rows, one)
		rows[name]++
	}
	for _, name := range Scenarios() {
		e := slices.IndexFunc(evidence, func(e Evidence) bool { return e.Name == name })
		if e < 0 {
			checked.Findings = append(checked.Findings, Finding{MissingEvidence, name, "evidence/" + name,
				fmt.Sprintf(lang.Key("There is no evidence/%s: run the scenario in a clean folder and collect it."), name)})
			continue
		}
		switch rows[name] {
		case 1:
		case 0:
			checked.Findings = append(checked.Findings, Finding{MissingEvidence, name, evidence[e].Folder, fmt.Sprintf(lang.Key("The table has no row for %s."), name)})
		default:
			checked.Findings = append(checked.Findings, Finding{MissingEvidence, name, evidence[e].Folder, fmt.Sprintf(lang.Key("The table has %d rows for %s."), rows[name], name)})
		}
		checked.Findings = append(checked.Findings, evidence[e].unrecovered()...)
	}
	for _, e := range evidence {
		if e.Demonstrates() {
			checked.Shown = append(checked.Shown, e.Findings()...)
		} else {
			checked.Findings = append(checked.Findings, e.Findings()...)
		}
	}
	return checked
}

// compare compares a row with its evidence.
func compare(row Row, e Evidence) []Compared {
	var cells []Compared
	for _, cell := range e.Cells() {
		said := row.Cells[cell.Column]
		cells = append(cells, Compared{Cell: cell, Table: said, Agrees: same(cell, said)})
	}
	return cells
}

// same reports whether a table's cell says what the artifact does. Several runs may be joined by other signs than ours, and
// no effect may be counted: nobody is refused over that.
func same(cell Cell, said string) bool {
	if cell.Column == ColumnEffects && cell.Value == NoFile && said == "0" {
		return true
	}
	if cell.Column == ColumnCommand || cell.Column == ColumnExitCode {
		return strings.Join(parts(said), between) == strings.Join(parts(cell.Value), between)
	}
	return said == cell.Value
}

// parts are the values of several runs in one cell.
func parts(cell string) []string {
	for _, sign := range []string{"&&", ",", "→", "->", "<br>", " then "} {
		cell = strings.ReplaceAll(cell, sign, ";")
	}
	var list []string
	for _, part := range strings.Split(cell, ";") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// unrecovered is the finding that a crash was not followed by the run that recovers from it.
func (e Evidence) unrecovered() []Finding {
	s, _ := fieldnotes.ScenarioNamed(e.Name, fieldnotes.DefaultBudget)
	if !s.Options.CrashAfterEffect {
		return nil
	}
	if e.Checkpoint != nil && e.Checkpoint.Recovered && e.Checkpoint.Phase == fieldnotes.Stopped {
		return nil
	}
	at := e.At(fieldnotes.CheckpointFile)
	return []Finding{{NotRecovered, e.Name, at, fmt.Sprintf(lang.Key("%s does not say recovered: after the crash, run `fieldbook scenario happy` in the same folder, and collect again."), at)}}
}

// Replayed is evidence beside what the same runs leave when they are made again.
type Replayed struct {
	Scenario string     `json:"scenario"`
	Cells    []Compared `json:"cells"` // Table is the value of the new runs
}

// Agrees reports whether every cell is the same.
func (r Replayed) Agrees() bool {
	return !slices.ContainsFunc(r.Cells, func(c Compared) bool { return !c.Agrees })
}

// Replay compares kept evidence with what its runs left when they were made again.
func Replay(kept, again Evidence) Replayed {
	r := Replayed{Scenario: kept.Name}
	now := again.Cells()
	for i, cell := range kept.Cells() {
		r.Cells = append(r.Cells, Compared{Cell: cell, Table: now[i].Value, Agrees: cell.Value == now[i].Value})
	}
	return r
}
