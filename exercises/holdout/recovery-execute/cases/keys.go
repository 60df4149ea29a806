//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute case keys e9f02ab4

// Package probe executes keys that are alike and effects that are alike: only a key says what was done.
package probe

import (
	"context"
	"errors"
	"strings"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe notes what Execute answers for one key, for keys that resemble it, and for the same key with another effect.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	word, _ := w.Case("word").AsString()
	other, _ := w.Case("other").AsString()
	notes, err := fieldnotes.Open(w.Path("lab-output"), fieldnotes.Options{})
	if err != nil {
		return seen, err
	}
	key := word + ":write-report:v1"
	effect := fieldnotes.Effect{Tenant: word, OrderID: other, Status: fieldnotes.Written}
	w.Mark("before")

	ask := func(name, key string, effect fieldnotes.Effect) {
		reused, err := recovery.Execute(ctx, notes, key, effect)
		switch {
		case errors.Is(err, fieldnotes.ErrInjectedCrash):
			seen.String(name, "crash")
		case err != nil:
			seen.String(name, "error")
		case reused:
			seen.String(name, "reused")
		default:
			seen.String(name, "written")
		}
	}
	ask("first", key, effect)
	ask("same_order_other_key", word+":write-report:v2", effect)
	ask("key_in_capitals", strings.ToUpper(key), effect)
	ask("key_with_space", key+" ", effect)
	ask("shorter_key", word, effect)
	ask("empty_key", "", effect)
	ask("same_key", key, effect)
	changed := effect
	changed.Tenant, changed.Status = other, "lost"
	ask("same_key_other_effect", key, changed)
	w.Mark("executed")

	effects, err := notes.Effects()
	if err != nil && !errors.Is(err, fieldnotes.ErrBroken) {
		return seen, err
	}
	seen.Int("keys", int64(len(effects)))
	seen.Bool("first_effect_stands", effects[key] == effect)
	return seen, nil
}
