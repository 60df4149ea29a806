//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute case crashed 2b74d10c

// Package probe lets the process end after the effect, as often as is drawn, each time in a new process.
package probe

import (
	"context"
	"errors"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe executes one key in several processes. The first one dies after the effect; the later ones would die after one, too.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	key, _ := w.Case("key").AsString()
	order, _ := w.Case("order").AsString()
	processes, _ := w.Case("processes").AsInt()
	w.Mark("before")
	effect := fieldnotes.Effect{Tenant: fieldnotes.Tenant, OrderID: order, Status: fieldnotes.Written}
	var crashes, reuses, others int64
	first := "no crash"
	for n := range processes {
		notes, err := fieldnotes.Open(w.Path("lab-output"), fieldnotes.Options{CrashAfterEffect: true})
		if err != nil {
			return seen, err
		}
		reused, err := recovery.Execute(ctx, notes, key, effect)
		switch {
		case errors.Is(err, fieldnotes.ErrInjectedCrash):
			crashes++
			if n == 0 {
				first = "crash"
			}
		case err == nil && reused:
			reuses++
		default:
			others++
		}
	}
	seen.String("first", first)
	seen.Int("crashes", crashes)
	seen.Bool("then_reused", reuses == processes-1)
	seen.Int("others", others)
	return seen, nil
}
