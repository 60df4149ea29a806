package scenario_test

import (
	"slices"
	"strings"
	"testing"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/runtime/fieldnotes"
)

// row is the cells of evidence, joined by bars.
func row(e scenario.Evidence) string {
	var values []string
	for _, c := range e.Cells() {
		values = append(values, c.Value)
	}
	return strings.Join(values, " | ")
}

// TestRows is the table of the four scenarios and of budget 0, in clean folders, and of runs in a folder that was used before.
func TestRows(t *testing.T) {
	const call = "fieldbook scenario "
	for _, test := range []struct {
		name string
		runs []string
		want string
	}{
		{"happy", []string{"happy"}, call + "happy | 0 | accepted | allowed | 1 | not applicable | false"},
		{"deny-tenant", []string{"deny-tenant"}, call + "deny-tenant | 2 | policy_denied:tenant_not_allowed | tenant_not_allowed | absent | yes | false"},
		{"deny-egress", []string{"deny-egress"}, call + "deny-egress | 2 | policy_denied:egress_not_allowed | egress_not_allowed | absent | yes | false"},
		{"crash alone", []string{"crash"}, call + "crash | 1 | none | allowed | 1 | not applicable | false"},
		{"crash", []string{"crash", "happy"}, call + "crash; " + call + "happy | 1; 0 | accepted | allowed | 1 | duplicate avoided | true"},
		{"budget 0", []string{"happy 0"}, call + "happy --budget 0 | 3 | budget_exhausted | allowed | absent | not applicable | false"},
		{"happy again", []string{"happy", "happy"}, call + "happy; " + call + "happy | 0; 0 | accepted | allowed | 1 | duplicate avoided | false"},
		{"a denial after an effect", []string{"happy", "deny-tenant"}, call + "happy; " + call + "deny-tenant | 0; 2 | policy_denied:tenant_not_allowed | tenant_not_allowed | 1 | yes | false"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := evidence("x", made(t, test.runs...))
			if got := row(e); got != test.want {
				t.Errorf("the row is\n%s\nwant\n%s", got, test.want)
			}
			if found := e.Findings(); len(found) > 0 {
				t.Errorf("findings against the reference: %v", found)
			}
		})
	}
	t.Run("nothing", func(t *testing.T) {
		if got, want := row(evidence("x", nil)), "none | none | none | none | absent | not applicable | none"; got != want {
			t.Errorf("the row of an empty folder is %s", got)
		}
	})
}

// edit replaces text in a file that must hold it.
func edit(t *testing.T, files scenario.Files, file, old, new string) {
	t.Helper()
	text := string(files[file])
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not hold %q:\n%s", file, old, text)
	}
	files[file] = []byte(strings.ReplaceAll(text, old, new))
}

// TestFindings has each finding shown by an artifact that was changed to show it, and the message name the artifact.
func TestFindings(t *testing.T) {
	const key = "run-os-742:write-report:v1"
	for _, test := range []struct {
		name   string
		runs   []string
		change func(t *testing.T, f scenario.Files)
		code   scenario.Code
		says   string
	}{
		{"two keys for one order", []string{"crash", "happy"}, func(t *testing.T, f scenario.Files) {
			f[fieldnotes.EffectsFile] = []byte(`{"a":{"tenant":"shopping-a","order_id":"742","status":"written"},"b":{"tenant":"shopping-a","order_id":"742","status":"written"}}`)
		}, scenario.TwoIntentions, "evidence/x/effects.json has two keys for one order, a and b"},
		{"an effect for somebody else", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.EffectsFile, "shopping-a", "shopping-b")
		}, scenario.ForbiddenEffect, "evidence/x/effects.json has an effect for order 742 of shopping-b"},
		{"an effect under another key", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.EffectsFile, key, "another")
		}, scenario.OtherKey, "evidence/x/checkpoint.json knows the key " + key},
		{"an empty file of effects", []string{"deny-tenant"}, func(t *testing.T, f scenario.Files) {
			f[fieldnotes.EffectsFile] = []byte("{}\n")
		}, scenario.EmptyEffects, "it is absent, not empty"},
		{"no save before the effect", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.TraceFile, `{"event":"checkpoint","phase":"prepared","step":1,"stop_reason":""}`+"\n", "")
		}, scenario.NotSavedBefore, "evidence/x/trace.jsonl has effect_committed in line 2"},
		{"the policy after the effect", []string{"deny-tenant"}, func(t *testing.T, f scenario.Files) {
			f[fieldnotes.TraceFile] = append([]byte(`{"event":"checkpoint","phase":"prepared"}`+"\n"+`{"event":"effect_committed","idempotency_key":"`+key+`"}`+"\n"), f[fieldnotes.TraceFile]...)
		}, scenario.PolicyTooLate, "The policy ran too late: evidence/x/trace.jsonl has effect_committed in line 2, and policy_decision in line 3."},
		{"no policy at all", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.TraceFile, `{"allowed":true,"event":"policy_decision","reason":"allowed","tool":"write_report"}`+"\n", "")
		}, scenario.PolicyTooLate, "no policy_decision follows"},
		{"an effect after a denial", []string{"deny-egress"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.TraceFile, `{"event":"checkpoint","phase":"stopped"`, `{"event":"checkpoint","phase":"prepared"}`+"\n"+`{"event":"effect_committed","idempotency_key":"k"}`+"\n"+`{"event":"checkpoint","phase":"stopped"`)
		}, scenario.ForbiddenEffect, "policy_decision egress_not_allowed in line 1, and effect_committed in line 3"},
		{"one key twice", []string{"crash", "happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.TraceFile, "effect_reused", "effect_committed")
		}, scenario.RepeatedEffect, "in line 3 and again in line 5"},
		{"a budget below nothing", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.CheckpointFile, `"budget_left": 2`, `"budget_left": -1`)
		}, scenario.BudgetOverrun, "evidence/x/checkpoint.json has budget_left -1"},
		{"a credential", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.TraceFile, `"tool":"write_report"`, `"tool":"write_report","note":"`+scenario.Credential+`"`)
		}, scenario.Exposed, "evidence/x/trace.jsonl, line 1, holds the credential"},
		{"a secret deep down", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.TraceFile, `"tool":"write_report"`, `"tool":"write_report","list":[[{"a":{"ToKeN":"x"}}]]`)
		}, scenario.Exposed, "the field ToKeN is not redacted"},
		{"a conversation in the checkpoint", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.CheckpointFile, `"version": 1`, `"version": 1, "messages": []`)
		}, scenario.NeedsConversation, "evidence/x/checkpoint.json holds messages"},
		{"an end without outcome", []string{"deny-tenant"}, func(t *testing.T, f scenario.Files) {
			lines := strings.SplitAfter(string(f[fieldnotes.TraceFile]), "\n")
			f[fieldnotes.TraceFile] = []byte(strings.Join(lines[:2], ""))
		}, scenario.NoOutcome, "ends its part with checkpoint"},
		{"an outcome that the exit code denies", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.TraceFile, `"reused":false,"stop_reason":"accepted"`, `"reused":false,"stop_reason":"final_invalid"`)
		}, scenario.NoOutcome, "ended with exit code 0"},
		{"a phase that is no end", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.CheckpointFile, `"stopped"`, `"prepared"`)
		}, scenario.NotStopped, "evidence/x/checkpoint.json has the phase prepared"},
		{"nothing but a word", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			delete(f, fieldnotes.TraceFile)
			delete(f, fieldnotes.CheckpointFile)
		}, scenario.OnlyDone, "a program's word is no evidence"},
		{"broken JSON", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			f[fieldnotes.CheckpointFile] = []byte(`{"torn`)
		}, scenario.Unreadable, "evidence/x/checkpoint.json is not what its name says"},
		{"one name twice", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			edit(t, f, fieldnotes.CheckpointFile, `"version": 1`, `"version": 1, "version": 1`)
		}, scenario.Unreadable, "evidence/x/checkpoint.json"},
		{"a line that is no event", []string{"happy"}, func(t *testing.T, f scenario.Files) {
			f[fieldnotes.TraceFile] = append([]byte("nonsense\n"), f[fieldnotes.TraceFile]...)
		}, scenario.Unreadable, "evidence/x/trace.jsonl, line 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := rewritten(t, "x", made(t, test.runs...), func(f scenario.Files) { test.change(t, f) })
			found := e.Findings()
			if !slices.ContainsFunc(found, func(f scenario.Finding) bool { return f.Code == test.code && strings.Contains(f.Message, test.says) }) {
				t.Errorf("the findings are %v, and %s with %q is not among them", found, test.code, test.says)
			}
			for _, f := range found {
				if f.Artifact == "" || f.Evidence != "x" || strings.Contains(f.Message, "FILE") {
					t.Errorf("the finding %+v names no artifact", f)
				}
			}
		})
	}
}

// TestChanged holds that an artifact which somebody edits after the run is told from what the run left.
func TestChanged(t *testing.T) {
	files := made(t, "happy")
	edit(t, files, fieldnotes.EffectsFile, "written", "lost")
	e := evidence("happy", files)
	if found := e.Findings(); len(found) != 1 || found[0].Code != scenario.Changed || !strings.Contains(found[0].Message, "effects.json is not what the last run left") {
		t.Errorf("the findings are %v", found)
	}
	if why := e.Damage(); !strings.Contains(why, "effects.json") {
		t.Errorf("the damage is %q", why)
	}
	record, err := scenario.ParseRecord(made(t, "crash", "happy")[scenario.RecordFile])
	if err != nil {
		t.Fatal(err)
	}
	record.Runs[1].Found[fieldnotes.EffectsFile] = "another"
	files = made(t, "crash", "happy")
	files[scenario.RecordFile] = encoded(t, record)
	if found := evidence("crash", files).Findings(); len(found) != 1 || !strings.Contains(found[0].Message, "changed between run 1 and run 2") {
		t.Errorf("the findings are %v", found)
	}
}

func TestUncollectable(t *testing.T) {
	for _, test := range []struct {
		name string
		runs []string
		why  string
	}{
		{"happy", []string{"happy"}, ""},
		{"crash", []string{"crash", "happy"}, ""},
		{"crash", []string{"crash", "happy", "happy"}, ""},
		{"deny-tenant", []string{"deny-tenant"}, ""},
		{"budget-0", []string{"happy 0"}, ""},
		{"anything", []string{"happy", "deny-tenant"}, ""},
		{"happy", nil, "records no run"},
		{"happy", []string{"deny-tenant"}, "the first run was deny-tenant, not happy"},
		{"happy", []string{"happy", "happy"}, "run 2 was happy"},
		{"deny-tenant", []string{"happy", "deny-tenant"}, "the first run was happy"},
		{"crash", []string{"crash", "deny-tenant"}, "run 2 was deny-tenant"},
	} {
		t.Run(test.name+" from "+strings.Join(test.runs, ", "), func(t *testing.T) {
			files := scenario.Files{}
			if test.runs != nil {
				files = made(t, test.runs...)
			}
			why, hint := evidence(test.name, files).Uncollectable()
			if (why == "") != (test.why == "") || !strings.Contains(why, test.why) || (why != "") != (hint != "") {
				t.Errorf("it is refused with %q, %q", why, hint)
			}
		})
	}
}
