package holdout

import (
	"errors"
	"io/fs"
	"strings"

	"fieldbook/exercises/strict"
	"fieldbook/grader"
)

// equivalentName is the file that justifies mutants; a set without it justifies none.
const equivalentName = "equivalent.yaml"

// Equivalent is a mutant of the reference that no probe can kill, because it does the same. The author says why.
type Equivalent struct {
	Mutant string `yaml:"mutant"` // its name, as the author's check prints it
	Reason string `yaml:"reason"`

	Line int `yaml:"-"` // where it stands in the file
}

// equivalents reads the justified mutants.
func (r *reader) equivalents() {
	where := r.name + "/" + equivalentName
	text, err := fs.ReadFile(r.folder, equivalentName)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		r.complain(where, 0, "the file cannot be read: %v", err)
		return
	}
	var list struct {
		Equivalent []Equivalent `yaml:"equivalent"`
	}
	doc, err := strict.Decode(where, text, &list)
	if err != nil {
		r.found = append(r.found, diagnosticsOf(err)...)
		return
	}
	seen := map[string]bool{}
	for i := range list.Equivalent {
		e := &list.Equivalent[i]
		e.Line = doc.Line("equivalent", i)
		switch {
		case e.Mutant == "" || strings.TrimSpace(e.Reason) == "":
			r.complain(where, e.Line, "a justified mutant needs its name, under mutant, and a reason")
		case seen[e.Mutant]:
			r.complain(where, e.Line, "the mutant %q stands twice", e.Mutant)
		}
		seen[e.Mutant] = true
	}
	r.set.Equivalent = list.Equivalent
}

func diagnosticsOf(err error) []grader.Diagnostic {
	var list *strict.Error
	if errors.As(err, &list) {
		return list.Diagnostics
	}
	return nil
}
