package strict

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"fieldbook/runtime/world"
)

// Value converts a node to a value that keeps the kind in which it was written: true, 1, 1.0, text, null, a list, or a
// mapping with text keys. The zero node, a key that was never written, gives world.Absent, which is not null. Whole numbers must fit
// 64 bits; dates, binary data and keys that are not text have no kind among the runtime's values and are refused.
func Value(n *yaml.Node) (world.Value, error) {
	switch n.Kind {
	case 0:
		return world.Value{}, nil
	case yaml.AliasNode:
		return world.Value{}, Misplaced(n, "write the value out here; an alias can contain itself")
	case yaml.SequenceNode:
		return list(n)
	case yaml.MappingNode:
		return mapping(n)
	default:
		return scalar(n)
	}
}

func scalar(n *yaml.Node) (world.Value, error) {
	switch n.ShortTag() {
	case "!!null":
		return world.NullValue(), nil
	case "!!bool":
		var b bool
		err := n.Load(&b)
		return world.BoolValue(b), err
	case "!!int":
		var i int64
		err := n.Load(&i)
		return world.IntValue(i), err
	case "!!float":
		var f float64
		err := n.Load(&f)
		return world.FloatValue(f), err
	case "!!str":
		return world.StringValue(n.Value), nil
	default:
		return world.Value{}, Misplaced(n, "%s has no kind here; write it in quotation marks to make it text", n.Value)
	}
}

func list(n *yaml.Node) (world.Value, error) {
	elements := make([]world.Value, len(n.Content))
	for i, e := range n.Content {
		v, err := Value(e)
		if err != nil {
			return world.Value{}, err
		}
		elements[i] = v
	}
	return world.ListValue(elements...), nil
}

func mapping(n *yaml.Node) (world.Value, error) {
	m := make(map[string]world.Value, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.ShortTag() != "!!str" {
			return world.Value{}, Misplaced(key, "the key %s is not text; write it in quotation marks", key.Value)
		}
		if _, twice := m[key.Value]; twice {
			return world.Value{}, Misplaced(key, "the key %q stands twice", key.Value)
		}
		v, err := Value(n.Content[i+1])
		if err != nil {
			return world.Value{}, err
		}
		m[key.Value] = v
	}
	return world.MapValue(m), nil
}

// Misplaced is an error at a node's place, in the form in which the decoder reports its own. A type with an UnmarshalYAML of
// its own returns it for what it refuses.
func Misplaced(n *yaml.Node, format string, args ...any) error {
	return &yaml.LoadErrors{Errors: []*yaml.LoadError{{
		Stage:   "constructor",
		Message: fmt.Sprintf(format, args...),
		Mark:    yaml.Mark{Line: n.Line, Column: n.Column},
	}}}
}
