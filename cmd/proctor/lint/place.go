package lint

import (
	"regexp"
	"slices"
	"strconv"
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
	probe, err := e.File(e.Probe)
	if err != nil {
		l.complain("unit.yaml", 0, "the probe of the exercise %q cannot be read", l.unit.Exercise)
		return
	}
	for _, s := range l.unit.Steps {
		if s.Find != nil {
			if n := strings.Count(string(probe), s.Find.Call); n != 1 {
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
			l.quotes(name, strings.Split(string(probe), "\n"))
		}
	}
}

// numbered is a line of a block that quotes the probe: its number and its text.
const numbered = `(?m)^(\d+)[ ]*(.*)$`

// quotes holds what a text quotes of the exercise's probe to the probe: a block of the language probe is numbered lines of it.
func (l *linter) quotes(name string, probe []string) {
	_, code := split(l.text(name))
	for _, b := range code {
		if b.language != "probe" {
			continue
		}
		for _, quoted := range regexp.MustCompile(numbered).FindAllStringSubmatch(b.text, -1) {
			n, err := strconv.Atoi(quoted[1])
			if err != nil || n < 1 || n > len(probe) || strings.TrimSpace(probe[n-1]) != strings.TrimSpace(quoted[2]) {
				l.complain(name, b.line, "line %s of the probe is quoted as %q", quoted[1], quoted[2])
			}
		}
	}
}

// links holds the files of the runtime and the links that a text names.
func (l *linter) links(name string) {
	text := l.text(name)
	known := append(teaching.CopiedFiles(), teaching.SuppliedFiles()...)
	for _, path := range regexp.MustCompile(`runtime/[a-z/]+\.go`).FindAllString(text, -1) {
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
