package lint

import (
	"regexp"
	"slices"
	"strings"

	"fieldbook/exercises"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// places holds what the unit names elsewhere: files of the runtime, exercises, calls of the probe, links.
func (l *linter) places() {
	e, err := exercises.Named(l.unit.Exercise)
	if err != nil {
		l.complain("unit.yaml", 0, "the exercise %q is not there", l.unit.Exercise)
		return
	}
	for _, s := range l.unit.Steps {
		if s.Find != nil {
			probe, err := e.File(e.Probe)
			if n := strings.Count(string(probe), s.Find.Call); err != nil || n != 1 {
				l.complain("unit.yaml", 0, "step %q looks for %q, which stands %d times in the probe", s.ID, s.Find.Call, n)
			}
		}
		for _, other := range []string{s.Impostors, transferOf(s.Transfer)} {
			if other == "" {
				continue
			}
			if _, err := exercises.Named(other); err != nil {
				l.complain("unit.yaml", 0, "step %q names the exercise %q, which is not there", s.ID, other)
			}
		}
		if s.Rereads != "" && len(l.unit.Pages(&s)) == 0 {
			l.complain("unit.yaml", 0, "step %q opens pages of step %q, which has none", s.ID, s.Rereads)
		}
	}
	if l.unit.Fault != "" && !slices.ContainsFunc(e.Faults, func(f exercises.Fault) bool { return f.Name == l.unit.Fault }) {
		l.complain("unit.yaml", 0, "the exercise %s has no fault %q", e.Name, l.unit.Fault)
	}
	for _, name := range l.unit.Names() {
		if strings.HasSuffix(name, ".md") {
			l.links(name)
		}
	}
}

// links holds the files of the runtime and the links that a text names.
func (l *linter) links(name string) {
	text := l.text(name)
	known := append(teaching.CopiedFiles(), teaching.SuppliedFiles()...)
	for _, path := range regexp.MustCompile("runtime/[a-z/]+\\.go").FindAllString(text, -1) {
		if !slices.Contains(known, path) {
			l.complain(name, lineOf(text, path), "the file %s is not there", path)
		}
	}
	for _, link := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		if target := link[1]; !strings.HasPrefix(target, "https://") && !slices.Contains(l.unit.Names(), target) {
			l.complain(name, lineOf(text, link[0]), "the link %q leads nowhere", target)
		}
	}
}

func transferOf(t *units.Transfer) string {
	if t == nil {
		return ""
	}
	return t.Exercise
}
