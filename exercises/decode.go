package exercises

import (
	"go.yaml.in/yaml/v4"

	"fieldbook/exercises/strict"
	"fieldbook/runtime/world"
)

// The types below hold values whose kinds matter: an author's true, 1, 1.0, "1" and null stay five different things. The
// YAML decoder would convert them, so these fields are read as nodes first.

// UnmarshalYAML reads an expectation with its typed value under the key expected.
func (x *Expectation) UnmarshalYAML(n *yaml.Node) error {
	type plain Expectation
	var doc struct {
		plain    `yaml:",inline"`
		Expected yaml.Node `yaml:"expected"`
	}
	if err := strict.Load(n, &doc); err != nil {
		return err
	}
	*x = Expectation(doc.plain)
	return value(&x.Expected, &doc.Expected)
}

// UnmarshalYAML reads a case with its typed arguments under args and its typed result under expected.
func (x *TableCase) UnmarshalYAML(n *yaml.Node) error {
	type plain TableCase
	var doc struct {
		plain    `yaml:",inline"`
		Args     []yaml.Node `yaml:"args"`
		Expected yaml.Node   `yaml:"expected"`
	}
	if err := strict.Load(n, &doc); err != nil {
		return err
	}
	*x = TableCase(doc.plain)
	x.Args = make([]world.Value, len(doc.Args))
	for i := range doc.Args {
		if err := value(&x.Args[i], &doc.Args[i]); err != nil {
			return err
		}
	}
	return value(&x.Expected, &doc.Expected)
}

// UnmarshalYAML reads a cell with its typed value under value.
func (x *Cell) UnmarshalYAML(n *yaml.Node) error {
	type plain Cell
	var doc struct {
		plain `yaml:",inline"`
		Value yaml.Node `yaml:"value"`
	}
	if err := strict.Load(n, &doc); err != nil {
		return err
	}
	*x = Cell(doc.plain)
	return value(&x.Value, &doc.Value)
}

// UnmarshalYAML reads a field with its typed value under value.
func (x *BrokenField) UnmarshalYAML(n *yaml.Node) error {
	type plain BrokenField
	var doc struct {
		plain `yaml:",inline"`
		Value yaml.Node `yaml:"value"`
	}
	if err := strict.Load(n, &doc); err != nil {
		return err
	}
	*x = BrokenField(doc.plain)
	return value(&x.Value, &doc.Value)
}

// UnmarshalYAML reads a field with its typed value under value.
func (x *Returned) UnmarshalYAML(n *yaml.Node) error {
	type plain Returned
	var doc struct {
		plain `yaml:",inline"`
		Value yaml.Node `yaml:"value"`
	}
	if err := strict.Load(n, &doc); err != nil {
		return err
	}
	*x = Returned(doc.plain)
	return value(&x.Value, &doc.Value)
}

func value(to *world.Value, from *yaml.Node) (err error) {
	*to, err = strict.Value(from)
	return err
}
