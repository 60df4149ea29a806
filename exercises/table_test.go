package exercises_test

import (
	"testing"

	"fieldbook/exercises"
	"fieldbook/runtime/world"
)

func TestCallable(t *testing.T) {
	i, f, s, b, null := world.IntValue(1), world.FloatValue(1), world.StringValue("a"), world.BoolValue(true), world.NullValue()
	list, empty := world.ListValue(s), world.ListValue()
	entries := world.MapValue(map[string]world.Value{"k": list})
	tests := []struct {
		name      string
		signature string
		args      []world.Value
		expected  world.Value
		ok        bool
	}{
		{"basic types", "func(a int, b float64, c string, d bool) bool", []world.Value{i, f, s, b}, b, true},
		{"grouped parameters", "func(a, b int) int64", []world.Value{i, i}, i, true},
		{"a float is no int", "func(int) bool", []world.Value{f}, b, false},
		{"an int is no float", "func(float64) bool", []world.Value{i}, b, false},
		{"a truth value is no int", "func(int) bool", []world.Value{b}, b, false},
		{"null is no int", "func(int) bool", []world.Value{null}, b, false},
		{"too many", "func(int) bool", []world.Value{i, i}, b, false},
		{"too few", "func(int, int) bool", []world.Value{i}, b, false},
		{"none", "func() bool", nil, b, true},
		{"a list", "func([]string) bool", []world.Value{list}, b, true},
		{"an empty list", "func([]int) bool", []world.Value{empty}, b, true},
		{"null for a slice", "func([]int) bool", []world.Value{null}, b, true},
		{"a list of something else", "func([]int) bool", []world.Value{list}, b, false},
		{"a map of lists", "func(map[string][]string) bool", []world.Value{entries}, b, true},
		{"a map of something else", "func(map[string]string) bool", []world.Value{entries}, b, false},
		{"null for a map", "func(map[string]string) bool", []world.Value{null}, b, true},
		{"a supplied type", "func(shop.Work) shop.Status", []world.Value{entries}, s, true},
		{"another result", "func() int", nil, s, false},
		{"a result beside an error", "func() (int, error)", nil, i, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := exercises.Callable(test.signature, exercises.TableCase{Args: test.args, Expected: test.expected})
			if (err == nil) != test.ok {
				t.Errorf("Callable = %v, want ok %v", err, test.ok)
			}
		})
	}
	if err := exercises.Callable("func() int", exercises.TableCase{Raises: "lease_lost"}); err != nil {
		t.Errorf("a case that raises needs no result: %v", err)
	}
}

func BenchmarkNamed(b *testing.B) {
	for b.Loop() {
		if _, err := exercises.Named("restore"); err != nil {
			b.Fatal(err)
		}
	}
}
