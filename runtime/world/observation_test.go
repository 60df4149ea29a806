package world_test

import (
	"encoding/json"
	"testing"

	"fieldbook/runtime/world"
)

func TestObservation(t *testing.T) {
	var o world.Observation
	o.Bool("bool", true)
	o.Int("int", 1)
	o.Float("float", 1)
	o.String("string", "1")
	o.Null("null")
	o.List("list", world.IntValue(1))
	o.Map("map", map[string]world.Value{"a": world.IntValue(1)})
	o.Int("twice", 1)
	o.Int("twice", 2)

	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	back := world.Observation{}
	back.Int("left over", 1)
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if got, want := len(back.Fields()), len(o.Fields()); got != want {
		t.Errorf("%d fields came back, want %d", got, want)
	}
	for name, want := range map[string]world.Value{
		"bool": world.BoolValue(true), "int": world.IntValue(1), "float": world.FloatValue(1), "string": world.StringValue("1"),
		"null": world.NullValue(), "list": world.ListValue(world.IntValue(1)),
		"map": world.MapValue(map[string]world.Value{"a": world.IntValue(1)}), "twice": world.IntValue(2), "never set": {}, "left over": {},
	} {
		if got := back.Value(name); !got.Equal(want) {
			t.Errorf("%s = %s %s, want %s %s", name, got.Kind(), got, want.Kind(), want)
		}
	}

	fields := o.Fields()
	fields["int"] = world.IntValue(9)
	if !o.Value("int").Equal(world.IntValue(1)) {
		t.Error("changing the copy of the fields changed the observation")
	}
}

func TestObservationRefuses(t *testing.T) {
	for _, data := range []string{``, `[]`, `{"a":1}`, `{"a":null}`, `{"a":{"kind":"int","text":"1","x":2}}`} {
		var o world.Observation
		o.Int("kept", 1)
		if err := json.Unmarshal([]byte(data), &o); err == nil {
			t.Errorf("%s was read", data)
		}
		if !o.Value("kept").Equal(world.IntValue(1)) {
			t.Errorf("%s: the refused observation was stored", data)
		}
	}
}
