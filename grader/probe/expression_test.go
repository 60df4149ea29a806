package probe

import (
	"testing"

	"fieldbook/runtime/world"
)

func TestTruth(t *testing.T) {
	values := map[string]world.Value{
		"marker": world.StringValue("ab'1"), "epoch": world.StringValue("ab'2"), "paused": world.IntValue(1),
		"rate": world.FloatValue(0.5), "missing": {}, "null": world.NullValue(), "order": world.IntValue(3),
		"checkpoint": world.StringValue(`{"phase":"stopped"}`),
	}
	tests := map[string]Truth{
		"paused = 1":                                  True,
		"paused = 0":                                  False,
		"marker = epoch":                              False,
		"marker IS epoch OR paused = 1":               True,
		"missing = 1":                                 Unknown,
		"missing IS NULL AND \"null\" IS NULL":        True,
		"missing = 1 OR paused = 1":                   True,
		"rate < 1":                                    True,
		"\"order\" = 3":                               True,
		"length(marker) = 4":                          True,
		"checkpoint ->> 'phase' = 'stopped'":          True,
		"(SELECT count(*) FROM sqlite_schema) = 0":    True,
		"paused = 1 AND NOT (marker GLOB '*[^0-9]*')": False,
	}
	e := NewEvaluator()
	defer e.Close()
	for expression, want := range tests {
		if got, err := e.Truth(t.Context(), expression, values); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", expression, got, err, want)
		}
	}
	for _, expression := range []string{"nobody = 1", "paused =", "marker"} {
		if got, err := e.Truth(t.Context(), expression, nil); err == nil {
			t.Errorf("%q is %v without an error", expression, got)
		}
	}
}
