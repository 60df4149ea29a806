//go:build exercise

// Package probe executes one effect twice, and another one with a crash between the effect and the answer.
package probe

import (
	"context"
	"errors"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe works in two notebooks: twice, where nothing crashes, and crashed.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	const key = "run-os-742:write-report:v1"
	effect := fieldnotes.Effect{Tenant: fieldnotes.Tenant, OrderID: fieldnotes.OrderID, Status: fieldnotes.Written}

	// Another report is there already, of another run.
	notes, err := fieldnotes.Open(w.Path("twice"), fieldnotes.Options{})
	if err != nil {
		return seen, err
	}
	earlier := fieldnotes.Effect{Tenant: fieldnotes.Tenant, OrderID: "741", Status: fieldnotes.Written}
	if err := notes.WriteEffects(map[string]fieldnotes.Effect{"run-os-741:write-report:v1": earlier}); err != nil {
		return seen, err
	}
	w.Mark("before")

	// These are the calls to your function: the same key, two times.
	reused, err := recovery.Execute(ctx, notes, key, effect)
	seen.String("first", said(reused, err))
	w.Mark("executed")
	reused, err = recovery.Execute(ctx, notes, key, effect)
	seen.String("second", said(reused, err))
	w.Mark("executed again")

	// The process ends when the effect is durable. Nobody has heard of it.
	notes, err = fieldnotes.Open(w.Path("crashed"), fieldnotes.Options{CrashAfterEffect: true})
	if err != nil {
		return seen, err
	}
	reused, err = recovery.Execute(ctx, notes, key, effect)
	seen.String("crashing", said(reused, err))
	w.Mark("crashed")

	// A new process asks for the same effect.
	notes, err = fieldnotes.Open(w.Path("crashed"), fieldnotes.Options{})
	if err != nil {
		return seen, err
	}
	reused, err = recovery.Execute(ctx, notes, key, effect)
	seen.String("after_the_crash", said(reused, err))
	return seen, nil
}

// said is what Execute returned, in one word.
func said(reused bool, err error) string {
	switch {
	case errors.Is(err, fieldnotes.ErrInjectedCrash):
		return "crash"
	case err != nil:
		return "error"
	case reused:
		return "reused"
	}
	return "written"
}
