package scenario_test

import (
	"strings"
	"testing"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/runtime/fieldnotes"
)

// rightTable is the evidence table of the four scenarios.
const rightTable = "# Evidence\n\nA summary; the artifacts count.\n\n" +
	"| scenario | command | exit code | stop reason | policy decision | effects | violation_blocked | recovered |\n" +
	"|---|---|:-:|---|---|---|---|---|\n" +
	"| happy | `fieldbook scenario happy` | 0 | accepted | allowed | 1 | not applicable | false |\n" +
	"| deny-tenant | `fieldbook scenario deny-tenant` | 2 | policy_denied:tenant_not_allowed | tenant_not_allowed | absent | yes | false |\n" +
	"| deny-egress | fieldbook scenario deny-egress | 2 | policy_denied:egress_not_allowed | egress_not_allowed | 0 | yes | false |\n" +
	"| crash | fieldbook scenario crash && fieldbook scenario happy | 1, 0 | accepted | allowed | 1 | duplicate avoided | true |\n" +
	"\nThat is all.\n"

func mustTable(t *testing.T, text string) scenario.Table {
	t.Helper()
	table, err := scenario.ParseTable("t.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestParseTable(t *testing.T) {
	const header = "| scenario | command | exit code | stop reason | policy decision | effects | violation_blocked | recovered |\n"
	t.Run("around it", func(t *testing.T) {
		table := mustTable(t, "| a | b |\n|---|---|\n| 1 | 2 |\n\n"+strings.ReplaceAll(rightTable, "\n", "\r\n"))
		if len(table.Rows) != 4 || table.Rows[1].Line != 12 || table.Rows[1].Cells["effects"] != "absent" || table.Rows[0].Cells["command"] != "fieldbook scenario happy" {
			t.Errorf("the table is %+v", table)
		}
	})
	for _, test := range []struct{ name, text, says string }{
		{"nothing", "", "t.md has no table with the columns | scenario | command"},
		{"another table", "| a | b |\n|---|---|\n", "t.md has no table"},
		{"a column missing", "\n| scenario | command |\n", `line 2: the column "exit code" is missing`},
		{"an unknown column", "| scenario | grade |\n", `line 1: there is no column "grade"`},
		{"a column twice", "| scenario | scenario |\n", `line 1: the column "scenario" stands twice`},
		{"a short row", header + "|---|\n| happy | 0 |\n", "line 3: the row has 2 cells, and the table 8 columns"},
		{"a second table", header + "\n" + header, "line 3: a second table begins"},
		{"too many rows", header + strings.Repeat("| a | b | c | d | e | f | g | h |\n", 101), "line 102: the table has more than 100 rows"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := scenario.ParseTable("t.md", []byte(test.text)); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("the table is refused with %v, not %q", err, test.says)
			}
		})
	}
}

// TestCheck changes one cell of a right table after the other: each is refused, by its name and with the artifact that says
// otherwise.
func TestCheck(t *testing.T) {
	all := four(t)
	if checked := scenario.Check(mustTable(t, rightTable), all); !checked.Agrees() {
		t.Fatalf("the right table is refused: %+v", checked)
	}
	right := mustTable(t, rightTable)
	wrong := map[string]string{
		scenario.ColumnCommand: scenario.RecordFile, scenario.ColumnExitCode: scenario.RecordFile, scenario.ColumnStop: fieldnotes.TraceFile,
		scenario.ColumnDecision: fieldnotes.TraceFile, scenario.ColumnEffects: fieldnotes.EffectsFile,
		scenario.ColumnViolation: fieldnotes.EffectsFile, scenario.ColumnRecovered: fieldnotes.CheckpointFile,
	}
	for i := range right.Rows {
		for column, artifact := range wrong {
			table := mustTable(t, rightTable)
			table.Rows[i].Cells[column] = "something else"
			checked := scenario.Check(table, all)
			var differing []scenario.Compared
			for _, row := range checked.Rows {
				for _, c := range row.Cells {
					if !c.Agrees {
						differing = append(differing, c)
					}
				}
			}
			name := table.Rows[i].Cells[scenario.ColumnScenario]
			if checked.Agrees() || len(differing) != 1 || differing[0].Column != column || differing[0].Artifact != "evidence/"+name+"/"+artifact {
				t.Errorf("%s, %s: the check differs in %+v", name, column, differing)
			}
		}
	}
}

func TestCheckOfEvidence(t *testing.T) {
	said := func(c scenario.Checked) string {
		var all []string
		for _, f := range c.Findings {
			all = append(all, string(f.Code)+": "+f.Message)
		}
		return strings.Join(all, "\n")
	}
	t.Run("a scenario has none", func(t *testing.T) {
		checked := scenario.Check(mustTable(t, rightTable), four(t)[:3])
		if checked.Agrees() || checked.Rows[3].Known || !strings.Contains(said(checked), "missing_evidence: There is no evidence/crash") {
			t.Errorf("the findings are %s", said(checked))
		}
	})
	t.Run("a row is missing, another stands twice", func(t *testing.T) {
		lines := strings.SplitAfter(rightTable, "\n")
		lines[6] = lines[7]
		checked := scenario.Check(mustTable(t, strings.Join(lines, "")), four(t))
		if got := said(checked); !strings.Contains(got, "no row for happy") || !strings.Contains(got, "2 rows for deny-tenant") {
			t.Errorf("the findings are %s", got)
		}
	})
	t.Run("nobody recovered", func(t *testing.T) {
		all := four(t)
		all[3] = evidence("crash", made(t, "crash"))
		if got := said(scenario.Check(mustTable(t, rightTable), all)); !strings.Contains(got, "not_recovered: evidence/crash/checkpoint.json") {
			t.Errorf("the findings are %s", got)
		}
	})
	t.Run("an effect that was denied", func(t *testing.T) {
		all := four(t)
		all[1] = rewritten(t, "deny-tenant", made(t, "deny-tenant"), func(f scenario.Files) {
			f[fieldnotes.TraceFile] = append([]byte(`{"event":"effect_committed","idempotency_key":"k"}`+"\n"), f[fieldnotes.TraceFile]...)
		})
		if got := said(scenario.Check(mustTable(t, rightTable), all)); !strings.Contains(got, "policy_too_late: The policy ran too late: evidence/deny-tenant/trace.jsonl") {
			t.Errorf("the findings are %s", got)
		}
	})
	t.Run("wrong on purpose", func(t *testing.T) {
		files := made(t, "happy")
		delete(files, fieldnotes.CheckpointFile)
		naive := rewritten(t, "naive", files, func(f scenario.Files) { delete(f, fieldnotes.TraceFile) })
		naive.Record.Runs[0].Variant = scenario.Naive
		checked := scenario.Check(mustTable(t, rightTable), append(four(t), naive))
		if !checked.Agrees() || len(checked.Shown) == 0 {
			t.Errorf("evidence that is wrong on purpose counts: %s", said(checked))
		}
	})
	// A summary says one effect, and the file has two keys: the file is right.
	t.Run("one effect that are two", func(t *testing.T) {
		two := rewritten(t, "naive", made(t, "happy"), func(f scenario.Files) {
			f[fieldnotes.EffectsFile] = []byte(`{"report-1":{"tenant":"shopping-a","order_id":"742","status":"written"},"report-2":{"tenant":"shopping-a","order_id":"742","status":"written"}}`)
		})
		table := strings.Replace(rightTable, "\n\nThat is all", "\n| naive | fieldbook scenario happy | 0 | accepted | allowed | 1 | no | false |\n\nThat is all", 1)
		checked := scenario.Check(mustTable(t, table), append(four(t), two))
		last := checked.Rows[4]
		for _, c := range last.Cells {
			if want := c.Column != scenario.ColumnEffects; c.Agrees != want {
				t.Errorf("%s agrees: %t (%q, %q)", c.Column, c.Agrees, c.Table, c.Value)
			}
		}
	})
}

func TestReplay(t *testing.T) {
	kept := evidence("crash", made(t, "crash", "happy"))
	if r := scenario.Replay(kept, evidence("crash", made(t, "crash", "happy"))); !r.Agrees() || len(r.Cells) != 7 {
		t.Errorf("the same runs differ: %+v", r)
	}
	r := scenario.Replay(kept, evidence("crash", made(t, "crash")))
	differing := map[string]bool{}
	for _, c := range r.Cells {
		differing[c.Column] = !c.Agrees
	}
	if r.Agrees() || !differing[scenario.ColumnRecovered] || !differing[scenario.ColumnStop] || differing[scenario.ColumnEffects] {
		t.Errorf("a run that does not recover differs in %v", differing)
	}
}
