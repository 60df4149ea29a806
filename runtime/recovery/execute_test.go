package recovery_test

import (
	"context"
	"errors"
	"maps"
	"testing"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
)

func TestExecute(t *testing.T) {
	mine := fieldnotes.Effect{Tenant: "shopping-a", OrderID: "742", Status: "written"}
	other := fieldnotes.Effect{Tenant: "shopping-a", OrderID: "741", Status: "written"}
	const k = "key-1"
	for _, test := range []struct {
		name    string
		before  map[string]fieldnotes.Effect
		options fieldnotes.Options
		reused  bool
		err     error
		after   map[string]fieldnotes.Effect
		trace   string
	}{
		{"no effect yet", nil, fieldnotes.Options{}, false, nil, map[string]fieldnotes.Effect{k: mine}, "effect_committed"},
		{"beside others", map[string]fieldnotes.Effect{"key-0": other}, fieldnotes.Options{}, false, nil, map[string]fieldnotes.Effect{"key-0": other, k: mine}, "effect_committed"},
		{"a known key", map[string]fieldnotes.Effect{k: mine}, fieldnotes.Options{}, true, nil, map[string]fieldnotes.Effect{k: mine}, "effect_reused"},
		{"a known key with another effect", map[string]fieldnotes.Effect{k: other}, fieldnotes.Options{}, true, nil, map[string]fieldnotes.Effect{k: other}, "effect_reused"},
		{"a crash comes after the effect", nil, fieldnotes.Options{CrashAfterEffect: true}, false, fieldnotes.ErrInjectedCrash, map[string]fieldnotes.Effect{k: mine}, "effect_committed"},
		{"no effect, no crash", map[string]fieldnotes.Effect{k: mine}, fieldnotes.Options{CrashAfterEffect: true}, true, nil, map[string]fieldnotes.Effect{k: mine}, "effect_reused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			if test.before != nil {
				if err := mustOpen(t, folder, fieldnotes.Options{}).WriteEffects(test.before); err != nil {
					t.Fatal(err)
				}
			}
			reused, err := recovery.Execute(context.Background(), mustOpen(t, folder, test.options), k, mine)
			if reused != test.reused || !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
				t.Errorf("Execute() = %v, %v, want %v, %v", reused, err, test.reused, test.err)
			}
			got := read(t, folder)
			if !maps.Equal(got.effects, test.after) || got.names() != test.trace {
				t.Errorf("left %v, %s, want %v, %s", got.effects, got.names(), test.after, test.trace)
			}
		})
	}
}
