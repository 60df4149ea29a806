// Package lint checks what authors write for students beyond what decoding holds: the mechanical rules of the course's
// voice, code that compiles, places that exist, examples whose recorded output is their real one, and supplied probes that
// tell a right function from a wrong one. It runs in the instructor's command; what it executes, it executes in the sandbox.
package lint

import (
	"strings"

	"fieldbook/exercises/strict"
	"fieldbook/grader"
	"fieldbook/units"
)

// Unit is everything that can be checked without running anything: texts, code in texts, and places.
func Unit(u *units.Unit) ([]grader.Diagnostic, error) {
	l := linter{unit: u, voice: voiceOf(u.Language())}
	l.translation()
	l.texts()
	l.prose()
	l.places()
	if err := l.snippets(); err != nil {
		return nil, err
	}
	return l.found, nil
}

// linter gathers complaints about one unit.
type linter struct {
	unit  *units.Unit
	voice voice
	found []grader.Diagnostic
}

// translation holds a unit in another language to the parts of the original.
func (l *linter) translation() {
	if l.unit.Language() == units.Base {
		return
	}
	original, err := units.Named(units.All(), l.unit.ID)
	if err != nil {
		l.complain("unit.yaml", 0, "there is no original of this unit")
		return
	}
	for _, part := range units.Missing(original, l.unit) {
		l.complain("unit.yaml", 0, "this translation %s", part)
	}
}

// complain is about a file of the unit's folder; line 0 is the whole file.
func (l *linter) complain(name string, line int, format string, args ...any) {
	l.found = append(l.found, strict.Complaint(l.unit.Place(name), line, format, args...))
}

// text is a file of the unit, "" when it is not there: decoding has complained then.
func (l *linter) text(name string) string {
	text, err := l.unit.File(name)
	if err != nil {
		return ""
	}
	return string(text)
}

// lineOf is the line of a text at which part stands, 0 when it does not.
func lineOf(text, part string) int {
	i := strings.Index(text, part)
	if i < 0 {
		return 0
	}
	return 1 + strings.Count(text[:i], "\n")
}
