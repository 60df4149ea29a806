package strict_test

import (
	"errors"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"fieldbook/exercises/strict"
	"fieldbook/runtime/world"
)

type menu struct {
	Name   string    `yaml:"name"`
	Prices []price   `yaml:"prices"`
	Shown  yaml.Node `yaml:"shown"`
}

type price struct {
	Flavour string `yaml:"flavour"`
	Cents   int    `yaml:"cents"`
}

func TestDecodeRefuses(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // the whole error
	}{
		{"an empty file", "", "menu.yaml: the file is empty"},
		{"only a comment", "# nothing\n", "menu.yaml: the file is empty"},
		{"an unknown key", "name: a\nprize: 1\n", `menu.yaml:2: unknown key "prize"`},
		{"an unknown key, deep", "name: a\nprices:\n  - flavour: vanilla\n    cent: 3\n", `menu.yaml:4: unknown key "cent"`},
		{"a key in another case", "Name: a\n", `menu.yaml:1: unknown key "Name"`},
		{"a key twice", "name: a\nname: b\n", `menu.yaml:2: mapping key "name" already defined at line 1`},
		{"a second document", "name: a\n---\nname: b\n", "menu.yaml:2: a second document begins here; the file must hold one"},
		{"an empty second document", "name: a\n---\n", "menu.yaml:2: a second document begins here; the file must hold one"},
		{"a list for text", "name: [a]\n", "menu.yaml:1: a value of another kind belongs here, not a list"},
		{"text for a number", "name: a\nprices:\n  - cents: many\n", "menu.yaml:3: a value of another kind belongs here, not text, `many`"},
		{"a list at the top", "- name\n", "menu.yaml:1: a value of another kind belongs here, not a list"},
		{"two complaints", "nam: a\nprices:\n  - cent: 3\n", "menu.yaml:1: unknown key \"nam\"\nmenu.yaml:3: unknown key \"cent\""},
		{"a tab", "name: a\n\tprices: []\n", "menu.yaml:2: found a tab character that violates indentation"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := strict.Decode("menu.yaml", []byte(test.text), new(menu))
			var list *strict.Error
			if !errors.As(err, &list) {
				t.Fatalf("error = %v (%T), want a *strict.Error", err, err)
			}
			if err.Error() != test.want {
				t.Errorf("error = %q\nwant    %q", err, test.want)
			}
			for _, d := range list.Diagnostics {
				if d.Code != strict.Code || d.File != "menu.yaml" {
					t.Errorf("diagnostic %+v: want code %q and file menu.yaml", d, strict.Code)
				}
			}
		})
	}
}

func TestLine(t *testing.T) {
	const text = `# Lucy's prices
name: a
prices:
  - flavour: vanilla
    cents: 3
  - cents: 4
    flavour:
      chocolate
`
	var m menu
	doc, err := strict.Decode("menu.yaml", []byte(text), &m)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		way  []any
		want int
	}{
		{"the root", nil, 2},
		{"a key", []any{"prices"}, 3},
		{"an element", []any{"prices", 1}, 6},
		{"a key of an element", []any{"prices", 1, "flavour"}, 7},
		{"a missing key is where it would stand", []any{"prices", 1, "colour"}, 6},
		{"a missing element", []any{"prices", 2, "flavour"}, 3},
		{"an index into a mapping", []any{0}, 2},
		{"a key of text", []any{"name", "first"}, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := doc.Line(test.way...); got != test.want {
				t.Errorf("Line(%v) = %d, want %d", test.way, got, test.want)
			}
		})
	}
}

func TestValueKeepsKinds(t *testing.T) {
	text, list := world.StringValue, world.ListValue
	tests := []struct {
		yaml string
		want world.Value
	}{
		{"true", world.BoolValue(true)},
		{"1", world.IntValue(1)},
		{"-0x10", world.IntValue(-16)},
		{"9223372036854775807", world.IntValue(1<<63 - 1)},
		{"1.0", world.FloatValue(1)},
		{"1.20", world.FloatValue(1.2)},
		{"1e3", world.FloatValue(1000)},
		{"null", world.NullValue()},
		{"~", world.NullValue()},
		{`"1"`, text("1")},
		{`"true"`, text("true")},
		{`""`, text("")},
		{"yes", text("yes")},
		{"[]", list()},
		{"[1, 1.0, x, null]", list(world.IntValue(1), world.FloatValue(1), text("x"), world.NullValue())},
		{"{}", world.MapValue(nil)},
		{`{a: 1, "2": [true]}`, world.MapValue(map[string]world.Value{"a": world.IntValue(1), "2": list(world.BoolValue(true))})},
	}
	for _, test := range tests {
		t.Run(test.yaml, func(t *testing.T) {
			got, err := strict.Value(node(t, test.yaml))
			if err != nil {
				t.Fatal(err)
			}
			if !got.Equal(test.want) {
				t.Errorf("value = %v (%s), want %v (%s)", got, got.Kind(), test.want, test.want.Kind())
			}
		})
	}
	if got, err := strict.Value(&yaml.Node{}); err != nil || got.Kind() != world.Absent {
		t.Errorf("the value of a key that was never written = %v (%s), %v; want Absent", got, got.Kind(), err)
	}
}

func TestValueRefuses(t *testing.T) {
	for _, test := range []struct{ name, yaml, want string }{
		{"a date", "2026-03-02", "2026-03-02 has no kind here"},
		{"a number beyond 64 bits", "9223372036854775808", "cannot construct"},
		{"a number as key", "{1: a}", "the key 1 is not text"},
		{"a key twice", "{a: 1, a: 2}", `the key "a" stands twice`},
		{"an alias that contains itself", "&x [*x]", "write the value out here"},
		{"an alias", "[&x 1, *x]", "write the value out here"},
		{"a date, deep", "[[{a: 2026-03-02}]]", "2026-03-02 has no kind here"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := strict.Value(node(t, test.yaml))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("value %v, error %v; want an error with %q", got, err, test.want)
			}
		})
	}
}

// node parses YAML and returns the node of its one value, without resolving anything.
func node(t *testing.T, text string) *yaml.Node {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Load([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Content[0]
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"name: a\n", "name: a\n---\n", "shown: {a: [1, 1.0, null]}\n", "shown: &x [*x]\n", "\t", "- - -\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var m menu
		doc, err := strict.Decode("menu.yaml", text, &m)
		var list *strict.Error
		if err != nil && (!errors.As(err, &list) || len(list.Diagnostics) == 0) {
			t.Fatalf("error %v (%T) says nothing of the file", err, err)
		}
		if err == nil && doc.Line("name") < 1 {
			t.Fatal("a decoded document has no lines")
		}
		if err == nil {
			_, _ = strict.Value(&m.Shown) // must return
		}
	})
}
