//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute case durable 8d6f1e53

// Package probe executes one new key for the sake of the operation log: what is durable when.
package probe

import (
	"context"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe executes one key in an empty notebook.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	key, _ := w.Case("key").AsString()
	order, _ := w.Case("order").AsString()
	notes, err := fieldnotes.Open(w.Path("lab-output"), fieldnotes.Options{})
	if err != nil {
		return seen, err
	}
	w.Mark("before")
	reused, err := recovery.Execute(ctx, notes, key, fieldnotes.Effect{Tenant: fieldnotes.Tenant, OrderID: order, Status: fieldnotes.Written})
	seen.Bool("reused", reused)
	seen.Bool("failed", err != nil)
	return seen, nil
}
