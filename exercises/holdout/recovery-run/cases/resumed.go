//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-run case resumed 6a31f0d8

// Package probe runs a task in a notebook that an earlier run has left in some phase, with some effect, under a key of its own.
package probe

import (
	"context"
	"errors"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe prepares the notebook, runs once, and says how the run ended and which key it used.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	run, _ := w.Case("run").AsString()
	key, _ := w.Case("key").AsString()
	tenant, _ := w.Case("tenant").AsString()
	order, _ := w.Case("order").AsString()
	phase, _ := w.Case("phase").AsString()
	effect, _ := w.Case("effect").AsString()
	budget, _ := w.Case("budget").AsInt()
	says, _ := w.Case("says").AsString()
	crash, _ := w.Case("crash").AsBool()

	task := fieldnotes.Task{
		RunID: run, Tenant: tenant, OrderID: order, Budget: int(budget),
		Policy: fieldnotes.Policy{Tools: []string{"write_report"}, Tenant: tenant, Hosts: []string{"api.internal.example"}},
		Model:  fieldnotes.Model{Says: fieldnotes.Proposal{Tool: "write_report", Tenant: tenant, OrderID: order, URL: "https://api.internal.example/orders/" + order}},
	}
	switch says {
	case "another tool":
		task.Model.Says.Tool = "delete_report"
	case "another tenant":
		task.Model.Says.Tenant = run
	case "another host":
		task.Model.Says.URL = "https://" + run + ".example/"
	case "another order":
		task.Model.Says.OrderID = run
	}

	notes, err := fieldnotes.Open(w.Path("lab-output"), fieldnotes.Options{})
	if err != nil {
		return seen, err
	}
	if phase == "none" {
		key = run + ":write-report:v1"
	} else {
		task.Budget += 5 // of a new run: this one has a checkpoint
		found := fieldnotes.Checkpoint{Version: 1, RunID: run, Phase: fieldnotes.Phase(phase), Step: 1, BudgetLeft: int(budget), IdempotencyKey: key}
		if found.Phase == fieldnotes.Stopped {
			found.StopReason = fieldnotes.BudgetExhausted
		}
		if err := notes.Save(found); err != nil {
			return seen, err
		}
	}
	there := task.Wanted()
	effects := map[string]fieldnotes.Effect{}
	switch effect {
	case "wanted":
		effects[key] = there
	case "lost":
		there.Status = "lost"
		effects[key] = there
	case "twice":
		effects[key], effects[key+"-again"] = there, there
	case "of another order":
		there.OrderID = run
		effects[key+"-other"] = there
	}
	if len(effects) > 0 {
		if err := notes.WriteEffects(effects); err != nil {
			return seen, err
		}
	}
	w.Mark("before")

	notes, err = fieldnotes.Open(w.Path("lab-output"), fieldnotes.Options{CrashAfterEffect: crash})
	if err != nil {
		return seen, err
	}
	result, err := recovery.Run(ctx, notes, task)
	w.Mark("run")
	switch {
	case errors.Is(err, fieldnotes.ErrInjectedCrash):
		seen.String("stop", "crash")
	case err != nil:
		seen.String("stop", "error")
	default:
		seen.String("stop", result.StopReason)
	}
	seen.Bool("recovered", result.Recovered)
	seen.Bool("reused", result.EffectReused)

	notes, err = fieldnotes.Open(w.Path("lab-output"), fieldnotes.Options{})
	if err != nil {
		return seen, err
	}
	left, err := notes.Load(task)
	if err != nil {
		return seen, err
	}
	after, err := notes.Effects()
	if err != nil {
		return seen, err
	}
	seen.Bool("key_kept", left.IdempotencyKey == key)
	seen.Bool("effect_under_the_key", after[key] == task.Wanted())
	return seen, nil
}
