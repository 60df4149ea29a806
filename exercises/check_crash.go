package exercises

import (
	"io/fs"
	"regexp"
	"strings"

	"fieldbook/runtime/world"
)

// crash checks what an exploration needs, as far as it can be known without running anything.
func (c *check) crash() {
	x := c.e.Crash
	if x == nil {
		return
	}
	// The world probe of a fault ends right after the function too, so a fault's file will do.
	role := "probe"
	if strings.HasPrefix(x.Probe, "fault") {
		role = "fault"
	}
	if c.present(role, x.Probe, "crash", "probe") {
		c.probe(x.Probe)
	}
	c.text(x.From, "crash", "from")
	c.text(x.To, "crash", "to")
	c.text(x.Returned.Field, "crash", "returned", "field")
	if x.Returned.Value.Kind() == world.Absent {
		c.complain(to{"crash", "returned"}, "value is missing; write null when nothing is observed of a success")
	}
	if c.present("probe", x.Again, "crash", "again") {
		c.probe(x.Again)
	}
	names := c.readings(x.Values)
	if len(x.Invariants) == 0 {
		c.complain(to{"crash", "invariants"}, "invariants is missing: say what must hold after a crash")
	}
	ids := map[string]bool{}
	for i, v := range x.Invariants {
		c.unique(ids, v.ID, "crash", "invariants", i, "id")
		c.text(v.Text, "crash", "invariants", i, "text")
		c.invariant(i, v, names)
	}
	for i, caption := range x.Captions {
		c.text(caption.Place, "crash", "captions", i, "place")
		if len(caption.Seen) == 0 {
			c.complain(to{"crash", "captions", i}, "seen is missing: say which operations the words are for")
		}
	}
}

// readings checks the values and returns their names.
func (c *check) readings(values []Reading) map[string]bool {
	names := map[string]bool{}
	word := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	for i, v := range values {
		way := to{"crash", "values", i}
		c.unique(names, v.Name, "crash", "values", i, "name")
		if v.Name != "" && (!word.MatchString(v.Name) || strings.HasPrefix(v.Name, BeforePrefix) || strings.HasPrefix(v.Name, AfterPrefix)) {
			c.complain(append(way, "name"), "name is %q; write a lower-case word that does not begin with %s or %s", v.Name, BeforePrefix, AfterPrefix)
		}
		switch {
		case (v.File == "") == (v.Artifact == "") || (v.Artifact == "") != (v.Query == ""):
			c.complain(way, "a value is read from a file, or from an artifact by a query")
		case v.File != "" && !fs.ValidPath(v.File), v.Artifact != "" && !fs.ValidPath(v.Artifact):
			c.complain(way, "file and artifact are paths inside scratch")
		case v.Query != "" && !strings.HasPrefix(strings.ToUpper(strings.TrimSpace(v.Query)), "SELECT "):
			c.complain(append(way, "query"), "query must be one SELECT")
		}
	}
	return names
}

func (c *check) invariant(i int, v Invariant, names map[string]bool) {
	way := to{"crash", "invariants", i}
	ways := 0
	for _, given := range []bool{v.Intact != "", v.Same != "", v.Unchanged != "", v.Holds != "", v.Reference} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		c.complain(way, "an invariant is judged by one of intact, same, unchanged, holds and reference; this one has %d of them", ways)
	}
	if v.Reference && !v.Again || v.Again && !v.Reference && v.Holds == "" {
		c.complain(way, "again belongs to holds or reference, and reference needs again")
	}
	if v.Unchanged == "" && (v.When != "" || len(v.Except) > 0) {
		c.complain(way, "when and except belong to unchanged")
	}
	for _, name := range []string{v.Intact, v.Same, v.Unchanged} {
		if name != "" && !fs.ValidPath(name) {
			c.complain(way, "%q is no path inside scratch", name)
		}
	}
	for j, column := range v.Except {
		if strings.Count(column, ".") != 1 {
			c.complain(append(way, "except", j), "except is %q; write table.column", column)
		}
	}
	for _, word := range Words(v.Holds + " " + v.When) {
		for _, prefix := range []string{BeforePrefix, AfterPrefix} {
			if name, ok := strings.CutPrefix(word, prefix); ok && !names[name] {
				c.complain(way, "%s names %q, which is no value of this list", word, name)
			}
		}
	}
}

// Words lists the words of an SQL expression, the names of values among them.
func Words(expression string) []string {
	return strings.FieldsFunc(expression, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
