package worker

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/grader"
	"fieldbook/runtime/world"
)

// The size that is counted is never more than what encoding takes: no reply that fits is refused.
func TestSizeIsALowerBound(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) world.Value {
		text := world.StringValue(rapid.String().Draw(t, "text"))
		return rapid.SampledFrom([]world.Value{
			text, world.IntValue(1), world.NullValue(), world.ListValue(text, text, world.ListValue()),
			world.MapValue(map[string]world.Value{rapid.String().Draw(t, "key"): text}),
		}).Draw(t, "value")
	})
	rapid.Check(t, func(t *rapid.T) {
		var observation world.Observation
		observation.Set(rapid.String().Draw(t, "name"), value.Draw(t, "field"))
		r := Reply{
			Observation: &observation,
			Error:       rapid.String().Draw(t, "error"),
			Crash:       &grader.Crash{Message: rapid.String().Draw(t, "crash")},
			Rows:        []Row{{Value: value.Draw(t, "row")}, {Raises: rapid.String().Draw(t, "raises")}},
		}
		r.Series = []Reply{r}
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if size := r.size(); size > len(data) {
			t.Fatalf("%d bytes are counted, %d are made: %s", size, len(data), data)
		}
	})
	if size := (Reply{Rows: []Row{{Value: world.StringValue(strings.Repeat("\x1b", 1000))}}}).size(); size < 1000 {
		t.Errorf("%d bytes are counted of 1000", size)
	}
}
