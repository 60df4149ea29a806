package recovery_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
)

const key = "run-os-742:write-report:v1"

func mustOpen(t testing.TB, folder string, o fieldnotes.Options) *fieldnotes.Notebook {
	t.Helper()
	notes, err := fieldnotes.Open(folder, o)
	if err != nil {
		t.Fatal(err)
	}
	return notes
}

// run performs a scenario in a folder, as a process of its own would.
func run(t testing.TB, folder, name string, budget int) (fieldnotes.Result, error) {
	t.Helper()
	s, ok := fieldnotes.ScenarioNamed(name, budget)
	if !ok {
		t.Fatalf("there is no scenario %q", name)
	}
	return recovery.Run(context.Background(), mustOpen(t, folder, s.Options), s.Task)
}

// left is what a notebook holds.
type left struct {
	checkpoint fieldnotes.Checkpoint
	effects    map[string]fieldnotes.Effect
	noEffects  bool // there is no file of effects
	trace      []string
}

func read(t testing.TB, folder string) left {
	t.Helper()
	notes := mustOpen(t, folder, fieldnotes.Options{})
	s, _ := fieldnotes.ScenarioNamed("happy", fieldnotes.DefaultBudget)
	var l left
	var err error
	if l.checkpoint, err = notes.Load(s.Task); err != nil {
		t.Fatal(err)
	}
	if l.effects, err = notes.Effects(); err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(notes.Path(fieldnotes.EffectsFile))
	l.noEffects = errors.Is(err, os.ErrNotExist)
	events, err := notes.Trace()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		l.trace = append(l.trace, string(line))
	}
	return l
}

// names are the kinds of the trace's events, with the phases of checkpoints.
func (l left) names() string {
	var names []string
	for _, line := range l.trace {
		var e struct{ Event, Phase string }
		_ = json.Unmarshal([]byte(line), &e)
		names = append(names, strings.TrimSuffix(e.Event+" "+e.Phase, " "))
	}
	return strings.Join(names, ", ")
}

func outcome(verified, recovered, reused bool, reason string) string {
	return fmt.Sprintf(`{"event":"outcome","recovered":%v,"reused":%v,"stop_reason":%q,"verified":%v}`, recovered, reused, reason, verified)
}

// TestScenarios is the table of the field notes: a row a run, one after the other in one folder.
func TestScenarios(t *testing.T) {
	written := fieldnotes.Effect{Tenant: "shopping-a", OrderID: "742", Status: "written"}
	type row struct {
		scenario string
		budget   int
		exit     int
		printed  string // as JSON; "" for a crash
		phase    fieldnotes.Phase
		left     int
		effects  int
		outcome  string // the trace's last line
	}
	const (
		fresh  = `{"effect_reused":false,"recovered":false,"stop_reason":"accepted"}`
		reused = `{"effect_reused":true,"recovered":false,"stop_reason":"accepted"}`
		after  = `{"effect_reused":true,"recovered":true,"stop_reason":"accepted"}`
	)
	crashed := row{"crash", 3, 1, "", fieldnotes.Prepared, 2, 1, `{"event":"effect_committed","idempotency_key":"` + key + `"}`}
	denied := func(scenario, reason string, left, effects int) row {
		reason = "policy_denied:" + reason
		return row{scenario, 3, 2, `{"effect_reused":false,"recovered":false,"stop_reason":"` + reason + `"}`, fieldnotes.Stopped, left, effects, outcome(false, false, false, reason)}
	}
	for _, test := range []struct {
		name string
		rows []row
	}{
		{"happy, again and again", []row{
			{"happy", 3, 0, fresh, fieldnotes.Stopped, 2, 1, outcome(true, false, false, "accepted")},
			{"happy", 3, 0, reused, fieldnotes.Stopped, 2, 1, outcome(true, false, true, "accepted")},
			{"happy", 3, 0, reused, fieldnotes.Stopped, 2, 1, outcome(true, false, true, "accepted")},
			{"happy", 3, 0, reused, fieldnotes.Stopped, 2, 1, outcome(true, false, true, "accepted")},
			{"happy", 3, 0, reused, fieldnotes.Stopped, 2, 1, outcome(true, false, true, "accepted")},
		}},
		{"crash, then happy", []row{
			crashed,
			{"happy", 3, 0, after, fieldnotes.Stopped, 2, 1, outcome(true, true, true, "accepted")},
			{"happy", 3, 0, reused, fieldnotes.Stopped, 2, 1, outcome(true, false, true, "accepted")},
		}},
		{"crash, then crash", []row{
			crashed,
			{"crash", 3, 0, after, fieldnotes.Stopped, 2, 1, outcome(true, true, true, "accepted")}, // no new effect, so no crash after one
		}},
		{"the last of the budget is enough to recover", []row{
			{"crash", 1, 1, "", fieldnotes.Prepared, 0, 1, crashed.outcome},
			{"happy", 1, 0, after, fieldnotes.Stopped, 0, 1, outcome(true, true, true, "accepted")},
		}},
		{"deny-tenant", []row{denied("deny-tenant", "tenant_not_allowed", 3, 0)}},
		{"deny-egress", []row{denied("deny-egress", "egress_not_allowed", 3, 0)}},
		{"a denial neither adds nor takes away", []row{
			{"happy", 3, 0, fresh, fieldnotes.Stopped, 2, 1, outcome(true, false, false, "accepted")},
			denied("deny-tenant", "tenant_not_allowed", 2, 1),
			denied("deny-egress", "egress_not_allowed", 2, 1),
			{"happy", 3, 0, reused, fieldnotes.Stopped, 2, 1, outcome(true, false, true, "accepted")},
		}},
		{"budget 0", []row{
			{"happy", 0, 3, `{"effect_reused":false,"recovered":false,"stop_reason":"budget_exhausted"}`, fieldnotes.Stopped, 0, 0, outcome(false, false, false, "budget_exhausted")},
			{"happy", 3, 3, `{"effect_reused":false,"recovered":false,"stop_reason":"budget_exhausted"}`, fieldnotes.Stopped, 0, 0, outcome(false, false, false, "budget_exhausted")},
		}},
		{"negative budget", []row{
			{"happy", -1, 3, `{"effect_reused":false,"recovered":false,"stop_reason":"budget_exhausted"}`, fieldnotes.Stopped, -1, 0, outcome(false, false, false, "budget_exhausted")},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			for i, row := range test.rows {
				result, err := run(t, folder, row.scenario, row.budget)
				if code, known := fieldnotes.ExitCode(result, err); !known || code != row.exit {
					t.Fatalf("run %d, %s: exit %d (%v), %+v, %v, want exit %d", i+1, row.scenario, code, known, result, err, row.exit)
				}
				if printed, _ := json.Marshal(result); row.printed != "" && string(printed) != row.printed {
					t.Errorf("run %d, %s: %s, want %s", i+1, row.scenario, printed, row.printed)
				}
				got := read(t, folder)
				if c := got.checkpoint; c.Phase != row.phase || c.BudgetLeft != row.left || c.IdempotencyKey != key {
					t.Errorf("run %d, %s: the checkpoint is %+v", i+1, row.scenario, c)
				}
				if got.noEffects != (row.effects == 0) || len(got.effects) != row.effects || row.effects == 1 && got.effects[key] != written {
					t.Errorf("run %d, %s: the effects are %v", i+1, row.scenario, got.effects)
				}
				if last := got.trace[len(got.trace)-1]; last != row.outcome {
					t.Errorf("run %d, %s: the trace ends with %s, want %s", i+1, row.scenario, last, row.outcome)
				}
			}
		})
	}
}

func TestOrderOfARun(t *testing.T) {
	for _, test := range []struct {
		name      string
		scenarios []string
		want      string
	}{
		{"fresh", []string{"happy"}, "policy_decision, checkpoint prepared, effect_committed, checkpoint effect_observed, checkpoint stopped, outcome"},
		{"crashed", []string{"crash"}, "policy_decision, checkpoint prepared, effect_committed"},
		{"recovered", []string{"crash", "happy"}, "policy_decision, checkpoint prepared, effect_committed, policy_decision, effect_reused, checkpoint stopped, outcome"},
		{"denied", []string{"deny-tenant"}, "policy_decision, checkpoint stopped, outcome"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			for _, name := range test.scenarios {
				if _, err := run(t, folder, name, 3); err != nil && !errors.Is(err, fieldnotes.ErrInjectedCrash) {
					t.Fatal(err)
				}
			}
			if got := read(t, folder).names(); got != test.want {
				t.Errorf("the trace is\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestPolicyDecisionIsTraced(t *testing.T) {
	folder := t.TempDir()
	if _, err := run(t, folder, "deny-egress", 3); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"allowed":false,"event":"policy_decision","reason":"egress_not_allowed","tool":"write_report"}`,
		`{"event":"checkpoint","phase":"stopped","step":0,"stop_reason":"policy_denied:egress_not_allowed"}`,
	}
	if got := read(t, folder).trace; strings.Join(got[:2], "\n") != strings.Join(want, "\n") {
		t.Errorf("the trace is\n%s", strings.Join(got, "\n"))
	}
}

// TestRecoveredFromEveryPhase holds which phases mean that the last run was cut short.
func TestRecoveredFromEveryPhase(t *testing.T) {
	s, _ := fieldnotes.ScenarioNamed("happy", 3)
	for phase, recovered := range map[fieldnotes.Phase]bool{
		fieldnotes.New: false, fieldnotes.Prepared: true, fieldnotes.EffectObserved: true, fieldnotes.Stopped: false,
	} {
		for _, effect := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, effect %v", phase, effect), func(t *testing.T) {
				folder := t.TempDir()
				notes := mustOpen(t, folder, fieldnotes.Options{})
				found := fieldnotes.Checkpoint{Version: 1, RunID: "run-os-742", Phase: phase, BudgetLeft: 2, IdempotencyKey: "the key that was saved", StopReason: "accepted"}
				if err := notes.Save(found); err != nil {
					t.Fatal(err)
				}
				if effect {
					if err := notes.WriteEffects(map[string]fieldnotes.Effect{"the key that was saved": s.Task.Wanted()}); err != nil {
						t.Fatal(err)
					}
				}
				result, err := run(t, folder, "happy", 3)
				if want := (fieldnotes.Result{EffectReused: effect, Recovered: recovered, StopReason: "accepted"}); err != nil || result != want {
					t.Errorf("Run() = %+v, %v, want %+v", result, err, want)
				}
				got := read(t, folder)
				if len(got.effects) != 1 || got.effects["the key that was saved"] != s.Task.Wanted() {
					t.Errorf("the effects are %v, not one under the saved key", got.effects)
				}
				if c := got.checkpoint; c.Recovered != recovered || c.BudgetLeft != map[bool]int{true: 2, false: 1}[effect] {
					t.Errorf("the checkpoint is %+v", c)
				}
			})
		}
	}
}

func TestFinalInvalid(t *testing.T) {
	wanted := fieldnotes.Effect{Tenant: "shopping-a", OrderID: "742", Status: "written"}
	other := wanted
	other.Status = "lost"
	for name, found := range map[string]map[string]fieldnotes.Effect{
		"another status":           {key: other},
		"another order":            {key: {Tenant: "shopping-a", OrderID: "743", Status: "written"}},
		"the order under two keys": {key: wanted, "run-os-742:write-report:v2": wanted},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if err := mustOpen(t, folder, fieldnotes.Options{}).WriteEffects(found); err != nil {
				t.Fatal(err)
			}
			result, err := run(t, folder, "happy", 3)
			if want := (fieldnotes.Result{EffectReused: true, StopReason: "final_invalid"}); err != nil || result != want {
				t.Errorf("Run() = %+v, %v, want %+v", result, err, want)
			}
			got := read(t, folder)
			if got.trace[len(got.trace)-1] != outcome(false, false, true, "final_invalid") || fmt.Sprint(got.effects) != fmt.Sprint(found) {
				t.Errorf("left %+v", got)
			}
		})
	}
	t.Run("the model names another order", func(t *testing.T) {
		s, _ := fieldnotes.ScenarioNamed("happy", 3)
		s.Task.Model.Says.OrderID = "743"
		result, err := recovery.Run(context.Background(), mustOpen(t, t.TempDir(), s.Options), s.Task)
		if err != nil || result.StopReason != "final_invalid" {
			t.Errorf("Run() = %+v, %v", result, err)
		}
	})
}

func TestWhatCannotBeReadChangesNothing(t *testing.T) {
	for _, file := range []string{fieldnotes.CheckpointFile, fieldnotes.EffectsFile} {
		t.Run(file, func(t *testing.T) {
			folder := t.TempDir()
			path := mustOpen(t, folder, fieldnotes.Options{}).Path(file)
			if err := os.WriteFile(path, []byte(`{"torn`), 0o600); err != nil {
				t.Fatal(err)
			}
			if result, err := run(t, folder, "happy", 3); !errors.Is(err, fieldnotes.ErrBroken) {
				t.Errorf("Run() = %+v, %v", result, err)
			}
			if data, _ := os.ReadFile(path); string(data) != `{"torn` {
				t.Errorf("the file is now %s", data)
			}
			if _, err := os.Stat(mustOpen(t, folder, fieldnotes.Options{}).Path(fieldnotes.EffectsFile)); file == fieldnotes.CheckpointFile && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("there is an effect: %v", err)
			}
		})
	}
}

func TestAnEndedContextHasNoEffect(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	folder := t.TempDir()
	s, _ := fieldnotes.ScenarioNamed("happy", 3)
	if _, err := recovery.Run(ctx, mustOpen(t, folder, s.Options), s.Task); !errors.Is(err, context.Canceled) {
		t.Errorf("Run() = %v", err)
	}
	if got := read(t, folder); !got.noEffects {
		t.Errorf("the effects are %v", got.effects)
	}
}
