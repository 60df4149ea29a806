package world_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/runtime/world"
)

// values draws values of every kind, up to three levels deep; text is any bytes, UTF-8 or not.
func values(depth int) *rapid.Generator[world.Value] {
	text := rapid.Custom(func(t *rapid.T) string {
		if rapid.Bool().Draw(t, "utf8") {
			return rapid.String().Draw(t, "text")
		}
		return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
	})
	kinds := []*rapid.Generator[world.Value]{
		rapid.Just(world.Value{}),
		rapid.Just(world.NullValue()),
		rapid.Map(rapid.Bool(), world.BoolValue),
		rapid.Map(rapid.Int64(), world.IntValue),
		rapid.Map(rapid.Uint64(), func(bits uint64) world.Value { return world.FloatValue(math.Float64frombits(bits)) }),
		rapid.Map(text, world.StringValue),
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.Map(rapid.SliceOfN(values(depth-1), 0, 4), func(v []world.Value) world.Value { return world.ListValue(v...) }),
			rapid.Map(rapid.MapOfN(text, values(depth-1), 0, 4), world.MapValue))
	}
	return rapid.OneOf(kinds...)
}

func TestValueTravels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := values(3).Draw(t, "value")
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got world.Value
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if !got.Equal(want) || !want.Equal(got) {
			t.Fatalf("%s came back as %s", want, got)
		}
		again, err := json.Marshal(got)
		if err != nil || string(again) != string(data) {
			t.Fatalf("written again: %s (%v), want %s", again, err, data)
		}
	})
}

func TestEqualIsTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, w := values(2).Draw(t, "v"), values(2).Draw(t, "w")
		a, errA := json.Marshal(v)
		b, errB := json.Marshal(w)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if got, want := v.Equal(w), string(a) == string(b); got != want {
			t.Fatalf("Equal(%s, %s) = %v, their bytes are equal: %v", v, w, got, want)
		}
	})
}

func TestEqualIsStrict(t *testing.T) {
	different := []world.Value{
		{}, world.NullValue(),
		world.BoolValue(false), world.BoolValue(true),
		world.IntValue(0), world.IntValue(1), world.IntValue(-1), world.IntValue(math.MaxInt64),
		world.FloatValue(0), world.FloatValue(math.Copysign(0, -1)), world.FloatValue(1), world.FloatValue(math.NaN()), world.FloatValue(math.Inf(1)),
		world.StringValue(""), world.StringValue("0"), world.StringValue("1"), world.StringValue("true"), world.StringValue("none"),
		world.ListValue(), world.ListValue(world.NullValue()), world.ListValue(world.IntValue(1), world.IntValue(2)), world.ListValue(world.IntValue(2), world.IntValue(1)),
		world.MapValue(nil), world.MapValue(map[string]world.Value{"": world.NullValue()}), world.MapValue(map[string]world.Value{"a": world.IntValue(1)}),
		world.MapValue(map[string]world.Value{"b": world.IntValue(1)}), world.MapValue(map[string]world.Value{"a": world.FloatValue(1)}),
	}
	for i, v := range different {
		for j, w := range different {
			if got := v.Equal(w); got != (i == j) {
				t.Errorf("%s %s equal to %s %s: %v", v.Kind(), v, w.Kind(), w, got)
			}
		}
	}
}

func TestAccessorsNeverConvert(t *testing.T) {
	all := map[world.Kind]world.Value{
		world.Absent: {}, world.Null: world.NullValue(), world.Bool: world.BoolValue(true), world.Int: world.IntValue(1),
		world.Float: world.FloatValue(1), world.String: world.StringValue("1"), world.List: world.ListValue(world.IntValue(1)),
		world.Map: world.MapValue(map[string]world.Value{"a": world.IntValue(1)}),
	}
	for kind, v := range all {
		b, isBool := v.AsBool()
		n, isInt := v.AsInt()
		f, isFloat := v.AsFloat()
		s, isString := v.AsString()
		l, isList := v.AsList()
		m, isMap := v.AsMap()
		is := map[world.Kind]bool{world.Bool: isBool, world.Int: isInt, world.Float: isFloat, world.String: isString, world.List: isList, world.Map: isMap}
		for other, ok := range is {
			if ok != (other == kind) {
				t.Errorf("a value of kind %q taken as %q: %v", kind, other, ok)
			}
		}
		if (b && !isBool) || (n != 0 && !isInt) || (f != 0 && !isFloat) || (s != "" && !isString) || (l != nil && !isList) || (m != nil && !isMap) {
			t.Errorf("a value of kind %q was converted", kind)
		}
	}
}

func TestValuesAreCopies(t *testing.T) {
	list := []world.Value{world.IntValue(1)}
	fields := map[string]world.Value{"a": world.IntValue(1)}
	l, m := world.ListValue(list...), world.MapValue(fields)
	list[0], fields["a"] = world.IntValue(2), world.IntValue(2)
	gotList, _ := l.AsList()
	gotMap, _ := m.AsMap()
	gotList[0], gotMap["a"] = world.IntValue(3), world.IntValue(3)
	if l.String() != "[1]" || m.String() != "{a: 1}" {
		t.Errorf("values changed with what they were made from: %s %s", l, m)
	}
}

func TestString(t *testing.T) {
	for want, v := range map[string]world.Value{
		"(absent)": {}, "none": world.NullValue(), "true": world.BoolValue(true), "-3": world.IntValue(-3),
		"1.0": world.FloatValue(1), "1.5": world.FloatValue(1.5), "1e+100": world.FloatValue(1e100), "NaN": world.FloatValue(math.NaN()), "+Inf": world.FloatValue(math.Inf(1)),
		`a "b"`:        world.StringValue(`a "b"`),
		"größe\n\t世界":  world.StringValue("größe\n\t世界"),
		`"\x1b[2J"`:    world.StringValue("\x1b[2J"),
		`"a\rb"`:       world.StringValue("a\rb"),
		`"\u202ebad"`:  world.StringValue("\u202ebad"),
		`"\xff"`:       world.StringValue("\xff"),
		`{"\x1bk": 1}`: world.MapValue(map[string]world.Value{"\x1bk": world.IntValue(1)}),
		`[1, "a"]`:     world.ListValue(world.IntValue(1), world.StringValue("a")),
		`{a: none, b: [1.0]}`: world.MapValue(map[string]world.Value{
			"b": world.ListValue(world.FloatValue(1)), "a": world.NullValue(),
		}),
	} {
		if got := v.String(); got != want {
			t.Errorf("String() = %s, want %s", got, want)
		}
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for name, data := range map[string]string{
		"empty":              ``,
		"plain":              `true`,
		"null":               `null`,
		"number":             `{"kind":"int","text":1}`,
		"plus":               `{"kind":"int","text":"+1"}`,
		"leading zero":       `{"kind":"int","text":"01"}`,
		"too large":          `{"kind":"int","text":"9223372036854775808"}`,
		"decimal float":      `{"kind":"float","text":"1.5"}`,
		"upper-case float":   `{"kind":"float","text":"3FF"}`,
		"T":                  `{"kind":"bool","text":"T"}`,
		"no text":            `{"kind":"string"}`,
		"null with text":     `{"kind":"null","text":""}`,
		"unknown kind":       `{"kind":"date"}`,
		"unknown field":      `{"kind":"null","note":"x"}`,
		"list with keys":     `{"kind":"list","keys":["a"],"list":[{"kind":"null"}]}`,
		"string with list":   `{"kind":"string","text":"a","list":[{"kind":"null"}]}`,
		"map without keys":   `{"kind":"map","list":[{"kind":"null"}]}`,
		"repeated key":       `{"kind":"map","keys":["a","a"],"list":[{"kind":"null"},{"kind":"null"}]}`,
		"unsorted keys":      `{"kind":"map","keys":["b","a"],"list":[{"kind":"null"},{"kind":"null"}]}`,
		"needless hex":       `{"kind":"string","hex":true,"text":"61"}`,
		"upper-case hex":     `{"kind":"string","hex":true,"text":"FF"}`,
		"odd hex":            `{"kind":"string","hex":true,"text":"f"}`,
		"hex without text":   `{"kind":"null","hex":true}`,
		"bad element":        `{"kind":"list","list":[{"kind":"int","text":"x"}]}`,
		"null element":       `{"kind":"list","list":[null]}`,
		"too deep":           strings.Repeat(`{"kind":"list","list":[`, world.MaxDepth+1) + `{"kind":"null"}` + strings.Repeat(`]}`, world.MaxDepth+1),
		"two values":         `{"kind":"null"}{"kind":"null"}`,
		"data after a value": `{"kind":"null"} x`,
	} {
		t.Run(name, func(t *testing.T) {
			v := world.IntValue(7)
			if err := v.UnmarshalJSON([]byte(data)); err == nil {
				t.Errorf("%s was read as %s", data, v)
			}
			if !v.Equal(world.IntValue(7)) {
				t.Errorf("the refused value was stored: %s", v)
			}
		})
	}
}

func TestMarshalRefusesDepth(t *testing.T) {
	v := world.NullValue()
	for range world.MaxDepth {
		v = world.ListValue(v)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("exactly deep enough: %v", err)
	}
	var back world.Value
	if err := json.Unmarshal(data, &back); err != nil || !back.Equal(v) {
		t.Errorf("exactly deep enough came back as another value (%v)", err)
	}
	if _, err := json.Marshal(world.ListValue(v)); err == nil {
		t.Error("one level too much was written")
	}
}

func FuzzUnmarshalJSON(f *testing.F) {
	for _, v := range []world.Value{
		{}, world.NullValue(), world.BoolValue(true), world.IntValue(-1), world.FloatValue(1.5), world.StringValue("a\xff"),
		world.ListValue(world.NullValue(), world.ListValue()), world.MapValue(map[string]world.Value{"a\xfe": world.StringValue("<&>")}),
	} {
		data, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v world.Value
		if v.UnmarshalJSON(data) != nil {
			return
		}
		written, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("a value that was read cannot be written: %v", err)
		}
		var again world.Value
		if err := json.Unmarshal(written, &again); err != nil || !again.Equal(v) {
			t.Fatalf("%s: came back as %s (%v)", written, again, err)
		}
	})
}
