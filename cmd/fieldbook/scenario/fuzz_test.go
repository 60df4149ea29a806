package scenario_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/runtime/fieldnotes"
)

// FuzzArtifacts reads artifacts of any bytes: what they show is always told, and always fits the width that it is drawn in.
func FuzzArtifacts(f *testing.F) {
	f.Add([]byte(`{"version":1}`), []byte(`{"k":{"tenant":"a","order_id":"1","status":"written"}}`), []byte(`{"event":"outcome","stop_reason":"accepted"}`+"\n"), []byte(`{"format":1,"runs":[]}`))
	f.Add([]byte(`{"phase":"\u001b[31m"}`), []byte(`{}`), []byte("{\"event\":\"checkpoint\",\"phase\":\"prepared\"}\n{\"event\":\"effect_committed\"}\nhalf"), []byte(`{`))
	f.Add([]byte(`{"run_id":"\u001b[2J","phase":"\u0007","idempotency_key":"\u009b1m"}`), []byte(`{"\u001b]0;x\u0007":{"tenant":"\u001b[1m"}}`),
		[]byte("{\"event\":\"\\u001b[31m\"}\n{\"event\":\"outcome\",\"stop_reason\":\"\\u001b[31m\"}\n"), []byte("\x1b[31m"))
	f.Add([]byte(`null`), []byte(`[]`), []byte("\n\n{\"event\":1e9}\n"), []byte{0xff})
	f.Fuzz(func(t *testing.T, checkpoint, effects, trace, record []byte) {
		e := scenario.NewEvidence("x", "evidence/x", scenario.Files{
			fieldnotes.CheckpointFile: checkpoint, fieldnotes.EffectsFile: effects, fieldnotes.TraceFile: trace, scenario.RecordFile: record,
		})
		if len(e.Cells()) != len(scenario.Columns())-1 {
			t.Error("a row lacks a cell")
		}
		for _, finding := range e.Findings() {
			if finding.Message == "" || finding.Artifact == "" {
				t.Errorf("the finding %+v says nothing", finding)
			}
		}
		var told []string
		for _, cell := range e.Cells() {
			told = append(told, cell.Value)
		}
		for _, finding := range e.Findings() {
			told = append(told, finding.Message)
		}
		told = append(told, scenario.Tell(draw.Theme{}, e, 80)...)
		for _, line := range append(told, scenario.Show(draw.Theme{}, e, 120)...) {
			if strings.ContainsFunc(line, unicode.IsControl) {
				t.Errorf("a control character is shown: %q", line)
			}
		}
		for _, width := range []int{20, 40, 120} {
			for _, line := range scenario.Show(draw.Theme{}, e, width) {
				if line == "What the artifacts show" {
					break // below it a path stays whole, so that it can be copied
				}
				if draw.Width(line) > width {
					t.Errorf("a line of %d cells where %d are: %q", draw.Width(line), width, line)
				}
			}
		}
	})
}

// FuzzTable reads tables of any bytes: each is read or refused, and what is read can be compared.
func FuzzTable(f *testing.F) {
	f.Add([]byte(rightTable))
	f.Add([]byte("| scenario |"))
	f.Add([]byte("|||\n|-|-|\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := scenario.ParseTable("t.md", text)
		if err != nil && err.Error() == "" {
			t.Error("a table is refused without a word")
		}
		if !utf8.Valid(text) || err != nil {
			return
		}
		if checked := scenario.Check(table, nil); checked.Agrees() {
			t.Error("a table without evidence is accepted")
		}
	})
}

// FuzzRecord reads records of any bytes: what is accepted is written and read again as the same.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"format":1,"runs":[{"scenario":"happy","budget":3,"command":"fieldbook scenario happy","trace_lines":2}]}`))
	f.Add([]byte(`{"format":1,"runs":[{"variant":"../x"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		record, err := scenario.ParseRecord(data)
		if err != nil {
			return
		}
		again, err := record.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := scenario.ParseRecord(again); err != nil {
			t.Errorf("what was written is refused: %v", err)
		}
	})
}
