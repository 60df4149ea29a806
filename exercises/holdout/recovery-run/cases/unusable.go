//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-run case unusable 94d2be07

// Package probe runs in a notebook whose files cannot be used, from the beginning or from some instant on.
package probe

import (
	"context"
	"strings"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/files"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe says whether the run reports an error, and what it has left.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	what, _ := w.Case("what").AsString()
	text, _ := w.Case("text").AsString()
	order, _ := w.Case("order").AsString()
	scenario, _ := fieldnotes.ScenarioNamed("happy", fieldnotes.DefaultBudget)
	scenario.Task.OrderID, scenario.Task.Model.Says.OrderID, scenario.Task.RunID = order, order, "run-"+order
	notes, err := fieldnotes.Open(w.Path("lab-output"), scenario.Options)
	if err != nil {
		return seen, err
	}
	spoilt := ""
	switch what {
	case "checkpoint":
		spoilt = fieldnotes.CheckpointFile
	case "effects":
		spoilt = fieldnotes.EffectsFile
	case "no effect can be written":
		if err := files.MakeFolder(notes.Path(fieldnotes.EffectsFile + ".tmp-1")); err != nil {
			return seen, err
		}
	case "no end can be saved":
		scenario.Task.Model.Says.Tenant = text
		if err := files.MakeFolder(notes.Path(fieldnotes.CheckpointFile + ".tmp-1")); err != nil {
			return seen, err
		}
	case "no state can be saved":
		if err := files.MakeFolder(notes.Path(fieldnotes.CheckpointFile + ".tmp-1")); err != nil {
			return seen, err
		}
	case "no event can be noted":
		if err := files.MakeFolder(notes.Path(fieldnotes.TraceFile)); err != nil {
			return seen, err
		}
	case "the state after the effect cannot be saved":
		once(w, fieldnotes.EffectsFile, notes, func() error {
			return files.MakeFolder(notes.Path(fieldnotes.CheckpointFile + ".tmp-1"))
		})
	case "the effects cannot be read again":
		once(w, fieldnotes.EffectsFile, notes, func() error {
			return files.Replace(notes.Path(fieldnotes.EffectsFile), []byte(text))
		})
	case "the end cannot be noted":
		once(w, "stopped", notes, func() error {
			if err := files.Remove(notes.Path(fieldnotes.TraceFile)); err != nil {
				return err
			}
			return files.MakeFolder(notes.Path(fieldnotes.TraceFile))
		})
	case "the model does not answer":
		ended, cancel := context.WithCancel(ctx)
		cancel()
		ctx = ended
	}
	if spoilt != "" {
		if err := files.Replace(notes.Path(spoilt), []byte(text)); err != nil {
			return seen, err
		}
	}
	w.Mark("before")
	result, err := recovery.Run(ctx, notes, scenario.Task)
	seen.Bool("failed", err != nil)
	seen.Bool("garbled", err != nil && strings.Contains(err.Error(), "%!"))
	seen.String("stop", result.StopReason)
	as := true
	if spoilt != "" {
		data, err := files.Read(notes.Path(spoilt))
		if err != nil {
			return seen, err
		}
		as = string(data) == text
	}
	seen.Bool("spoilt_file_as_it_was", as)
	return seen, nil
}

// calls is more than a run makes, those within the notebook counted.
const calls = 200

// once does act before the run's first call after it has come so far: a file is there, or the checkpoint says stopped.
func once(w *world.World, far string, notes *fieldnotes.Notebook, act func() error) {
	done := false
	for n := 1; n <= calls; n++ {
		w.Before(n, func(context.Context) error {
			if done || !reached(far, notes) {
				return nil
			}
			done = true
			return act()
		})
	}
}

func reached(far string, notes *fieldnotes.Notebook) bool {
	if far != "stopped" {
		_, err := files.Identity(notes.Path(far))
		return err == nil
	}
	data, err := files.Read(notes.Path(fieldnotes.CheckpointFile))
	return err == nil && strings.Contains(string(data), `"stopped"`)
}
