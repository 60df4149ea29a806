//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute case beside 51e8c3f7

// Package probe executes a few new keys in a notebook that holds others already, each of them once or several times.
package probe

import (
	"context"
	"errors"
	"fmt"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe counts what was written and what was reused, and reads the effects at the end.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	word, _ := w.Case("word").AsString()
	before, _ := w.Case("before").AsInt()
	fresh, _ := w.Case("fresh").AsInt()
	times, _ := w.Case("times").AsInt()
	notes, err := fieldnotes.Open(w.Path("lab-output"), fieldnotes.Options{})
	if err != nil {
		return seen, err
	}
	there := map[string]fieldnotes.Effect{}
	for n := range before {
		there[fmt.Sprintf("%s-old-%d", word, n)] = fieldnotes.Effect{Tenant: word, OrderID: fmt.Sprint(n), Status: fieldnotes.Written}
	}
	if err := notes.WriteEffects(there); err != nil {
		return seen, err
	}
	w.Mark("before")

	var written, reused, failed int64
	for range times {
		for n := range fresh {
			key := fmt.Sprintf("%s-new-%d", word, n)
			effect := fieldnotes.Effect{Tenant: word + "-b", OrderID: fmt.Sprint(n), Status: fieldnotes.Written}
			switch again, err := recovery.Execute(ctx, notes, key, effect); {
			case err != nil:
				failed++
			case again:
				reused++
			default:
				written++
			}
			there[key] = effect
		}
	}
	w.Mark("executed")

	effects, err := notes.Effects()
	if errors.Is(err, fieldnotes.ErrBroken) {
		effects = nil
	} else if err != nil {
		return seen, err
	}
	same := len(effects) == len(there)
	for key, effect := range there {
		same = same && effects[key] == effect
	}
	seen.Bool("each_key_written_once", written == fresh)
	seen.Bool("then_reused", reused == fresh*(times-1))
	seen.Int("failed", failed)
	seen.Bool("exactly_these_effects", same)
	return seen, nil
}
