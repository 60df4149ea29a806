package scenario

import (
	"fmt"
	"strings"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/runtime/fieldnotes"
)

// Credential is what the model writes into every proposal although nobody has asked for it. It is made up, as everything is.
const Credential = "tk-field-742"

// Code names what a finding is about.
type Code string

// The findings.
const (
	Unreadable        Code = "unreadable"         // an artifact is not what its name says
	NeedsConversation Code = "needs_conversation" // a checkpoint holds more than a checkpoint needs
	Exposed           Code = "credential"         // a secret in a file
	OnlyDone          Code = "only_done"          // nothing but the program's word
	PolicyTooLate     Code = "policy_too_late"    // an effect before the decision
	ForbiddenEffect   Code = "forbidden_effect"   // an effect that was denied, or for somebody else
	TwoIntentions     Code = "two_intentions"     // one order, two keys
	RepeatedEffect    Code = "repeated_effect"    // one key, executed twice
	NotSavedBefore    Code = "not_saved_before"   // an effect that no checkpoint announces
	BudgetOverrun     Code = "budget_overrun"     // an executor without budget
	NoOutcome         Code = "no_outcome"         // an end that the trace does not tell
	NotStopped        Code = "not_stopped"        // an end that the checkpoint does not tell
	OtherKey          Code = "other_key"          // an effect under a key that the checkpoint does not know
	EmptyEffects      Code = "empty_effects"      // a file of effects that should not exist
	Changed           Code = "changed"            // an artifact is not what the run left
	MissingEvidence   Code = "missing_evidence"   // a scenario has none
	NotRecovered      Code = "not_recovered"      // a crash and no run that recovers from it
)

// Finding is something that no evidence may show.
type Finding struct {
	Code     Code   `json:"code"`
	Evidence string `json:"evidence"` // whose
	Artifact string `json:"artifact"` // that shows it
	Message  string `json:"message"`  // one sentence that names the artifact
}

// Findings are what the evidence shows that it must not, in the order of the files and runs. None is what should be.
func (e Evidence) Findings() []Finding {
	f := finder{e: e}
	f.problems()
	f.secrets()
	f.effects()
	for _, episode := range e.Episodes() {
		f.episode(episode)
	}
	f.end()
	f.changes()
	return f.found
}

type finder struct {
	e     Evidence
	found []Finding
	phase string // of the last checkpoint event so far
	told  bool   // that the last run's word is all that there is
}

// note adds a finding about a file. A reader in another language gets the sentence by its format.
func (f *finder) note(code Code, file, format string, args ...any) {
	f.found = append(f.found, Finding{Code: code, Evidence: f.e.Name, Artifact: f.e.At(file), Message: shown(fmt.Sprintf(format, args...))})
}

func (f *finder) problems() {
	for _, p := range f.e.Problems {
		switch {
		case p.Extra != nil:
			f.note(NeedsConversation, p.File, lang.Key("%s holds %s beside the fields of a checkpoint: a state that needs the conversation is no checkpoint."),
				f.e.At(p.File), strings.Join(p.Extra, ", "))
		case p.Line > 0:
			f.note(Unreadable, p.File, lang.Key("%s, line %d, is not an event of a trace: %s."),
				f.e.At(p.File), p.Line, p.Cause)
		default:
			f.note(Unreadable, p.File, lang.Key("%s is not what its name says: %s."),
				f.e.At(p.File), p.Cause)
		}
	}
}

// secrets looks for the credential that the model wrote, and for every field with the name of a secret, at any depth.
func (f *finder) secrets() {
	for _, file := range Names() {
		for i, line := range strings.Split(string(f.e.Files[file]), "\n") {
			if strings.Contains(line, Credential) {
				f.note(Exposed, file, lang.Key("%s, line %d, holds the credential that the model wrote: a credential in a file is in every copy of it."),
					f.e.At(file), i+1)
				break
			}
		}
	}
	for _, event := range f.e.Trace {
		if name := secretField(event.Fields); name != "" && !strings.Contains(event.Text, Credential) {
			f.note(Exposed, fieldnotes.TraceFile, lang.Key("%s, line %d: the field %s is not redacted."),
				f.e.At(fieldnotes.TraceFile), event.Line, name)
			break
		}
	}
}

// secretField is the name of a field that is to be redacted and is not, "" when there is none.
func secretField(value any) string {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			if (strings.EqualFold(name, "token") || strings.EqualFold(name, "secret")) && inner != fieldnotes.Redacted {
				return name
			}
			if found := secretField(inner); found != "" {
				return found
			}
		}
	case []any:
		for _, inner := range value {
			if found := secretField(inner); found != "" {
				return found
			}
		}
	}
	return ""
}

// effects looks at what is there, whoever has written it.
func (f *finder) effects() {
	keys := f.e.Keys()
	orders := map[string]string{}
	for _, key := range keys {
		effect := f.e.Effects[key]
		order := effect.Tenant + " " + effect.OrderID
		if other, known := orders[order]; known {
			f.note(TwoIntentions, fieldnotes.EffectsFile, lang.Key("%s has two keys for one order, %s and %s: the effect was intended twice."),
				f.e.At(fieldnotes.EffectsFile), other, key)
		} else {
			orders[order] = key
		}
		if effect.Tenant != fieldnotes.Tenant || effect.OrderID != fieldnotes.OrderID {
			f.note(ForbiddenEffect, fieldnotes.EffectsFile, lang.Key("%s has an effect for order %s of %s, and the task is order %s of %s."),
				f.e.At(fieldnotes.EffectsFile), effect.OrderID, effect.Tenant, fieldnotes.OrderID, fieldnotes.Tenant)
		}
	}
	if f.e.Checkpoint != nil && len(keys) == 1 && keys[0] != f.e.Checkpoint.IdempotencyKey {
		f.note(OtherKey, fieldnotes.EffectsFile, lang.Key("%s has its effect under %s, and %s knows the key %s."),
			f.e.At(fieldnotes.EffectsFile), keys[0], f.e.At(fieldnotes.CheckpointFile), f.e.Checkpoint.IdempotencyKey)
	}
	if f.e.Has(fieldnotes.EffectsFile) && f.e.Effects != nil && len(keys) == 0 {
		f.note(EmptyEffects, fieldnotes.EffectsFile, lang.Key("%s is there and holds nothing: without an effect it is absent, not empty."),
			f.e.At(fieldnotes.EffectsFile))
	}
	if c := f.e.Checkpoint; c != nil && c.BudgetLeft < 0 {
		f.note(BudgetOverrun, fieldnotes.CheckpointFile, lang.Key("%s has budget_left %d: an executor was prepared without budget."),
			f.e.At(fieldnotes.CheckpointFile), c.BudgetLeft)
	}
	committed := map[string]int{}
	for _, event := range f.e.Trace {
		key := event.Word("idempotency_key")
		if event.Name != Committed {
			continue
		}
		if first := committed[key]; first > 0 {
			f.note(RepeatedEffect, fieldnotes.TraceFile, lang.Key("%s has effect_committed for %s in line %d and again in line %d: one key was executed twice."),
				f.e.At(fieldnotes.TraceFile), key, first, event.Line)
		}
		committed[key] = event.Line
	}
}

// episode looks at the order of what one run did.
func (f *finder) episode(episode Episode) {
	run := episode.Run
	f.told = run != nil && len(episode.Events) == 0 && run.ExitCode <= fieldnotes.ExitInvalid
	if f.told {
		f.note(OnlyDone, RecordFile, lang.Key("Run %d printed %q and left no line in %s: a program's word is no evidence."),
			episode.Number, run.Printed, f.e.At(fieldnotes.TraceFile))
		if run.Found[fieldnotes.EffectsFile] != run.Left[fieldnotes.EffectsFile] && deniedBy(run.Scenario) {
			f.note(ForbiddenEffect, fieldnotes.EffectsFile, lang.Key("%s was written by run %d, %s: what must be denied has an effect."),
				f.e.At(fieldnotes.EffectsFile), episode.Number, run.Scenario)
		}
		return
	}
	var decision *Event
	for i := range episode.Events {
		event := &episode.Events[i]
		switch {
		case event.Name == Decision:
			decision = event
		case event.Name == CheckpointEvent:
			f.phase = event.Word("phase")
		case event.IsEffect() && decision == nil:
			f.tooLate(episode, *event)
		case event.IsEffect() && decision.Word("allowed") != "true":
			f.note(ForbiddenEffect, fieldnotes.TraceFile, lang.Key("What was denied reached the executor: %s has policy_decision %s in line %d, and %s in line %d."),
				f.e.At(fieldnotes.TraceFile), decision.Word("reason"), decision.Line, event.Name, event.Line)
		}
		if event.Name == Committed && f.phase != string(fieldnotes.Prepared) {
			f.note(NotSavedBefore, fieldnotes.TraceFile, lang.Key("%s has effect_committed in line %d, and no checkpoint prepared before it: after a crash nothing says that an effect may be there."),
				f.e.At(fieldnotes.TraceFile), event.Line)
		}
	}
	if run == nil || run.ExitCode == fieldnotes.ExitCrashed || run.ExitCode > fieldnotes.ExitInvalid {
		return
	}
	if end := episode.Events[len(episode.Events)-1]; end.Name != Outcome || end.Word("stop_reason") == "" {
		f.note(NoOutcome, fieldnotes.TraceFile, lang.Key("Run %d, %s, ended with %q, and %s ends its part with %s: an end has an outcome event with a stop reason."),
			episode.Number, run.Scenario, run.Printed, f.e.At(fieldnotes.TraceFile), end.Name)
	} else if code, known := fieldnotes.ExitCode(fieldnotes.Result{StopReason: end.Word("stop_reason")}, nil); !known || code != run.ExitCode {
		f.note(NoOutcome, fieldnotes.TraceFile, lang.Key("Run %d, %s, ended with exit code %d, and %s says %s in line %d."),
			episode.Number, run.Scenario, run.ExitCode, f.e.At(fieldnotes.TraceFile), end.Word("stop_reason"), end.Line)
	}
}

// tooLate notes an effect before which nobody was asked.
func (f *finder) tooLate(episode Episode, effect Event) {
	at := f.e.At(fieldnotes.TraceFile)
	if d := last(episode.Events, Decision); d != nil {
		f.note(PolicyTooLate, fieldnotes.TraceFile, lang.Key("The policy ran too late: %s has %s in line %d, and policy_decision in line %d."), at, effect.Name, effect.Line, d.Line)
		return
	}
	f.note(PolicyTooLate, fieldnotes.TraceFile, lang.Key("The policy ran too late: %s has %s in line %d, and no policy_decision follows."), at, effect.Name, effect.Line)
}

// deniedBy reports whether a scenario is one whose proposal no policy may allow.
func deniedBy(name string) bool {
	s, _ := fieldnotes.ScenarioNamed(name, fieldnotes.DefaultBudget)
	return s.Task.Model.Says.Tenant != fieldnotes.Tenant || s.Task.Model.Says.URL != fieldnotes.ReportURL
}

// end compares the state with how the last run ended.
func (f *finder) end() {
	runs := f.e.Record.Runs
	if len(runs) == 0 || f.told {
		return
	}
	run := runs[len(runs)-1]
	if run.ExitCode == fieldnotes.ExitCrashed || run.ExitCode > fieldnotes.ExitInvalid {
		return
	}
	switch c := f.e.Checkpoint; {
	case c == nil && !f.e.Has(fieldnotes.CheckpointFile):
		f.note(NotStopped, fieldnotes.CheckpointFile, lang.Key("%s is not there, and the last run ended with %q: the next one will know nothing of it."),
			f.e.At(fieldnotes.CheckpointFile), run.Printed)
	case c != nil && c.Phase != fieldnotes.Stopped:
		f.note(NotStopped, fieldnotes.CheckpointFile, lang.Key("%s has the phase %s, and the last run ended with %q."),
			f.e.At(fieldnotes.CheckpointFile), c.Phase, run.Printed)
	}
}

// changes compares the artifacts with what the tool has recorded of them.
func (f *finder) changes() {
	runs := f.e.Record.Runs
	for i := 1; i < len(runs); i++ {
		for _, file := range Names() {
			if runs[i-1].Left[file] != runs[i].Found[file] {
				f.note(Changed, file, lang.Key("%s was changed between run %d and run %d, and by neither."),
					f.e.At(file), i, i+1)
			}
		}
	}
	if len(runs) == 0 {
		return
	}
	digests := Digests(f.e.Files)
	for _, file := range Names() {
		if runs[len(runs)-1].Left[file] != digests[file] {
			f.note(Changed, file, lang.Key("%s is not what the last run left."),
				f.e.At(file))
		}
	}
}
