package holdout

import (
	"go.yaml.in/yaml/v4"

	"fieldbook/exercises"
	"fieldbook/exercises/strict"
	"fieldbook/runtime/world"
)

// Case is one holdout: a probe that drives the runtime (exercises of kind source) or one call of the function (direct),
// with what must come of it. Its name and its text never reach a student.
type Case struct {
	Name       string      `yaml:"name"`
	Holds      string      `yaml:"holds"`  // what a passing function has shown, one sentence for the instructor's report
	Weight     int         `yaml:"weight"` // at least 1
	Parameters []Parameter `yaml:"-"`      // drawn anew for each seed, sorted by name

	ProbeFile   string                  `yaml:"probe"` // in the folder cases
	Expectation []exercises.Expectation `yaml:"expectation"`
	Compare     Compare                 `yaml:"compare"`
	// Log holds rules that the operation log must show, all of them and in their order, whatever the world looks like
	// afterwards: a missing sync leaves no other trace.
	Log []exercises.Rule `yaml:"log"`

	// Calls are the calls of a direct exercise. A text or a key "$name" stands for the parameter of that name; Drawn
	// replaces it.
	Calls []exercises.TableCase `yaml:"calls"`

	Probe []byte `yaml:"-"` // contents of ProbeFile
}

// Compare says what else is compared beside the expected fields.
type Compare string

const (
	// FieldsOnly compares the expected fields and nothing else.
	FieldsOnly Compare = ""
	// World also compares the whole world with what the reference leaves under the same seed: every table and row, the
	// marker, the set of files; fresh ids correspond one to one.
	World Compare = "world"
)

// UnmarshalYAML reads a case; its parameters stand in a mapping of their own.
func (c *Case) UnmarshalYAML(n *yaml.Node) error {
	type plain Case
	var doc struct {
		plain      `yaml:",inline"`
		Parameters map[string]Parameter `yaml:"parameters"`
	}
	if err := strict.Load(n, &doc); err != nil {
		return err
	}
	*c = Case(doc.plain)
	c.Parameters = sorted(doc.Parameters)
	return nil
}

// Drawn returns the case's calls for one seed: every "$name" is the value that Draw gives that parameter.
func (c Case) Drawn(seed uint64) []exercises.TableCase { return c.With(c.Draw(seed)) }

// With returns the case's calls with the given values of its parameters in the place of their names.
func (c Case) With(values map[string]world.Value) []exercises.TableCase {
	calls := make([]exercises.TableCase, len(c.Calls))
	for i, call := range c.Calls {
		calls[i] = call
		calls[i].Args = make([]world.Value, len(call.Args))
		for j, arg := range call.Args {
			calls[i].Args[j] = replaced(arg, values)
		}
		calls[i].Expected = replaced(call.Expected, values)
	}
	return calls
}

// replaced puts parameters in the place of their names, at every depth.
func replaced(v world.Value, values map[string]world.Value) world.Value {
	if text, ok := v.AsString(); ok {
		if name, ok := parameterName(text); ok {
			return values[name]
		}
		return v
	}
	if list, ok := v.AsList(); ok {
		for i := range list {
			list[i] = replaced(list[i], values)
		}
		return world.ListValue(list...)
	}
	if entries, ok := v.AsMap(); ok {
		out := make(map[string]world.Value, len(entries))
		for key, e := range entries {
			if name, ok := parameterName(key); ok {
				key = values[name].String()
			}
			out[key] = replaced(e, values)
		}
		return world.MapValue(out)
	}
	return v
}

// parameterName reports whether a text stands for a parameter, and for which.
func parameterName(text string) (string, bool) {
	if len(text) < 2 || text[0] != '$' {
		return "", false
	}
	return text[1:], true
}
