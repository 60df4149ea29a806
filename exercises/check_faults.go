package exercises

import (
	"io/fs"

	"fieldbook/runtime/world"
)

func (c *check) faults() {
	expected := map[string]world.Value{}
	for _, x := range c.e.Expectation {
		expected[x.Field] = x.Expected
	}
	names := map[string]bool{}
	for i, f := range c.e.Faults {
		c.unique(names, f.Name, "faults", i, "name")
		c.text(f.Summary, "faults", i, "summary")
		if len(f.Consequence) == 0 {
			c.complain(to{"faults", i, "consequence"}, "consequence is missing: say what the fault causes, one line a step")
		}
		for j, line := range f.Consequence {
			c.text(line, "faults", i, "consequence", j)
		}
		switch f.Kind {
		case Matched:
			c.matched(i, f)
		case Swap:
			c.text(f.Supplied, "faults", i, "supplied")
		case Seam:
		default:
			c.complain(to{"faults", i, "kind"}, "kind is %q; write %s, %s or %s", f.Kind, Matched, Seam, Swap)
		}
		if f.Supplied != "" && c.present("fault", f.Supplied, "faults", i, "supplied") {
			c.supplied(f.Supplied)
		}
		c.broken(i, f, expected)
	}
}

// matched checks what decides whether a mutant is the fault.
func (c *check) matched(i int, f Fault) {
	if c.present("fault", f.Probe, "faults", i, "probe") {
		c.probe(f.Probe)
	}
	if len(f.Differs) == 0 {
		c.complain(to{"faults", i, "differs"}, "differs is missing: name the cells in which the broken world differs")
	}
	for j, cell := range f.Differs {
		if cell.Database == "" || cell.Table == "" || cell.Column == "" || cell.Value.Kind() == world.Absent {
			c.complain(to{"faults", i, "differs", j}, "a cell needs database, table, column and value")
		}
		if cell.Database != "" && !fs.ValidPath(cell.Database) {
			c.complain(to{"faults", i, "differs", j, "database"}, "database is %q; write a path inside scratch", cell.Database)
		}
	}
}

// broken checks the observation under the fault: every expected field, and at least one that is no longer as expected.
func (c *check) broken(i int, f Fault, expected map[string]world.Value) {
	if len(f.Broken) == 0 {
		c.complain(to{"faults", i, "broken"}, "broken is missing: say what the visible probe observes under the fault")
		return
	}
	differs := false
	seen := map[string]bool{}
	for j, b := range f.Broken {
		c.unique(seen, b.Field, "faults", i, "broken", j, "field")
		want, known := expected[b.Field]
		if !known {
			c.complain(to{"faults", i, "broken", j, "field"}, "expectation has no field %q", b.Field)
		}
		differs = differs || known && !want.Equal(b.Value)
	}
	for field := range expected {
		if !seen[field] {
			c.complain(to{"faults", i, "broken"}, "broken does not say what %s is under the fault", field)
		}
	}
	if !differs {
		c.complain(to{"faults", i, "broken"}, "broken equals the expectation: such a fault would not be seen")
	}
}
