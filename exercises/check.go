package exercises

import (
	"io/fs"
	"path"
	"regexp"
	"strings"

	"fieldbook/exercises/internal/gofile"
	"fieldbook/exercises/strict"
	"fieldbook/grader"
	"fieldbook/runtime/world"
)

// check looks for what an author forgot or mistyped and collects every complaint before it gives up.
type check struct {
	e      *Exercise
	folder string // its name, before every position
	file   string // folder/exercise.yaml
	doc    *strict.Document
	found  []grader.Diagnostic
	used   map[string]bool // files of the folder that exercise.yaml names
}

// to is the way to a part of exercise.yaml: keys and indexes.
type to = []any

func (c *check) all() error {
	c.used = map[string]bool{manifestName: true}
	c.head()
	c.replaced()
	switch c.e.Kind {
	case Source:
		c.source()
	case Direct:
		c.direct()
	default:
		c.complain(to{"kind"}, "kind is %q; write %s or %s", c.e.Kind, Source, Direct)
	}
	c.contract()
	c.hints()
	c.faults()
	c.crash()
	c.scenarios()
	c.strays()
	return strict.Join(c.found)
}

// complain notes a complaint about the part of exercise.yaml that the way leads to.
func (c *check) complain(way to, format string, args ...any) {
	c.complainAt(c.file, c.doc.Line(way...), format, args...)
}

func (c *check) complainAt(file string, line int, format string, args ...any) {
	c.found = append(c.found, strict.Complaint(file, line, format, args...))
}

// text complains about a text that is missing.
func (c *check) text(value string, way ...any) {
	if strings.TrimSpace(value) == "" {
		c.complain(way, "%s is missing", way[len(way)-1])
	}
}

// unique complains about a name that stands in a list for the second time, or is missing.
func (c *check) unique(seen map[string]bool, name string, way ...any) {
	c.text(name, way...)
	if seen[name] {
		c.complain(way, "%s %q stands twice", way[len(way)-1], name)
	}
	seen[name] = true
}

func (c *check) head() {
	e := c.e
	if e.Name != c.folder {
		c.complain(to{"name"}, "name is %q; it must be the folder's name, %q", e.Name, c.folder)
	}
	if !regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`).MatchString(c.folder) {
		c.complain(to{"name"}, "the folder's name must be lower-case words joined by hyphens")
	}
	c.text(e.Title, "title")
	c.text(e.Summary, "summary")
	if e.Profile != "pure" && e.Profile != "scratch" {
		c.complain(to{"profile"}, "profile is %q; write pure or scratch", e.Profile)
	}
	if l := e.Limits; l.Wall < 0 || l.CPU < 0 || l.Memory < 0 || l.Output < 0 || l.Disk < 0 {
		c.complain(to{"limits"}, "a limit is negative")
	}
	if e.Transfer == e.Name && e.Name != "" {
		c.complain(to{"transfer"}, "an exercise cannot be its own transfer")
	}
}

func (c *check) replaced() {
	if len(c.e.Replaces) == 0 {
		c.complain(to{"replaces"}, "replaces is missing: name the file of the runtime that the learner writes")
	}
	files := map[string]bool{}
	for i, r := range c.e.Replaces {
		way := to{"replaces", i}
		c.unique(files, r.File, "replaces", i, "file")
		if path.Clean(r.File) != r.File || !strings.HasPrefix(r.File, "runtime/") || path.Ext(r.File) != ".go" {
			c.complain(append(way, "file"), "file is %q; write the path of a Go file from the module's root, runtime/PACKAGE/FILE.go", r.File)
		}
		if len(r.Functions) == 0 {
			c.complain(append(way, "functions"), "functions is missing: the learner must know what to write")
		}
		names := map[string]bool{}
		for j, f := range r.Functions {
			c.unique(names, f.Name, "replaces", i, "functions", j, "name")
			if _, err := gofile.Shape(f.Signature); err != nil {
				c.complain(to{"replaces", i, "functions", j, "signature"}, "%v", err)
			}
		}
		if c.present("starter", r.Starter, "replaces", i, "starter") {
			c.starter(r)
		}
	}
}

// present reports whether the folder has the file, and complains when it is not named, not there, or not called by its
// role: the build embeds files of those names only.
func (c *check) present(role, name string, way ...any) bool {
	if name == "" {
		c.text(name, way...)
		return false
	}
	if !strings.HasPrefix(name, role) || path.Ext(name) != ".go" || strings.Contains(name, "/") {
		c.complain(way, "%q must be a file of this folder called %s….go", name, role)
		return false
	}
	c.used[name] = true
	info, err := fs.Stat(c.e.files, name)
	if err != nil || !info.Mode().IsRegular() {
		c.complain(way, "the folder has no file %q", name)
		return false
	}
	return true
}

// source checks what a probe's exercise must have.
func (c *check) source() {
	if c.present("probe", c.e.Probe, "probe") {
		c.probe(c.e.Probe)
	}
	if len(c.e.Table) > 0 {
		c.complain(to{"table"}, "table belongs to exercises of kind %s", Direct)
	}
	if len(c.e.Impostors) > 0 {
		c.complain(to{"impostors"}, "impostors belongs to exercises of kind %s", Direct)
	}
	if len(c.e.Expectation) == 0 {
		c.complain(to{"expectation"}, "expectation is missing: name the fields that the probe must observe")
	}
	fields := map[string]bool{}
	for i, x := range c.e.Expectation {
		c.unique(fields, x.Field, "expectation", i, "field")
		c.text(x.Meaning, "expectation", i, "meaning")
		c.text(x.From, "expectation", i, "from")
		if x.Expected.Kind() == world.Absent {
			c.complain(to{"expectation", i}, "expected is missing; write null when nothing is expected")
		}
		if (x.Artifact == "") != (x.Query == "") {
			c.complain(to{"expectation", i}, "artifact and query belong together")
		}
		if x.Artifact != "" && !fs.ValidPath(x.Artifact) {
			c.complain(to{"expectation", i, "artifact"}, "artifact is %q; write a path inside scratch", x.Artifact)
		}
		if x.Query != "" && !strings.HasPrefix(strings.ToUpper(strings.TrimSpace(x.Query)), "SELECT ") {
			c.complain(to{"expectation", i, "query"}, "query must be one SELECT")
		}
	}
}

// direct checks what a table's exercise must have.
func (c *check) direct() {
	e := c.e
	for key, given := range map[string]bool{"probe": e.Probe != "", "expectation": len(e.Expectation) > 0, "events": len(e.Events) > 0, "faults": len(e.Faults) > 0, "crash": e.Crash != nil} {
		if given {
			c.complain(to{key}, "%s belongs to exercises of kind %s", key, Source)
		}
	}
	if len(e.Replaces) > 1 || len(e.Replaces) == 1 && len(e.Replaces[0].Functions) > 1 {
		c.complain(to{"replaces"}, "an exercise of kind %s has one function in one file", Direct)
	}
	if len(e.Table) == 0 {
		c.complain(to{"table"}, "table is missing: name the cases that the function is called with")
	}
	names := map[string]bool{}
	for i, row := range e.Table {
		c.unique(names, row.Name, "table", i, "name")
		if (row.Expected.Kind() == world.Absent) == (row.Raises == "") {
			c.complain(to{"table", i}, "a case has either expected or raises")
		}
		if e.Function() == (Function{}) {
			continue
		}
		if err := Callable(e.Function().Signature, row); err != nil {
			c.complain(to{"table", i}, "%v", err)
		}
	}
	c.impostors()
}

func (c *check) impostors() {
	names := map[string]bool{}
	for i, m := range c.e.Impostors {
		c.unique(names, m.Name, "impostors", i, "name")
		c.text(m.Summary, "impostors", i, "summary")
		if c.present("impostor", m.File, "impostors", i, "file") {
			c.supplied(m.File)
		}
	}
}

func (c *check) contract() {
	ids := map[string]bool{}
	for i, rule := range c.e.Contract {
		c.unique(ids, rule.ID, "contract", i, "id")
		c.text(rule.Text, "contract", i, "text")
		if len(rule.Seen) == 0 {
			c.complain(to{"contract", i}, "seen is missing: say which entry of the operation log shows this rule")
		}
		for j, m := range rule.Seen {
			if m == (Match{}) {
				c.complain(to{"contract", i, "seen", j}, "an empty match would be seen in every log")
			}
		}
	}
	for i, rule := range c.e.Contract {
		if rule.Before != "" && (!ids[rule.Before] || rule.Before == rule.ID) {
			c.complain(to{"contract", i, "before"}, "before names %q, which is no other rule of this contract", rule.Before)
		}
	}
}

// hintKinds is the order in which hints open. A direct exercise may end at the second: its structure is the function.
var hintKinds = [...]string{"design", "boundary", "structure"}

func (c *check) hints() {
	least := len(hintKinds)
	if c.e.Kind == Direct {
		least = 2
	}
	if len(c.e.Hints) < least || len(c.e.Hints) > len(hintKinds) {
		c.complain(to{"hints"}, "there are %d hints; write %s", len(c.e.Hints), strings.Join(hintKinds[:least], ", "))
	}
	for i, h := range c.e.Hints {
		c.text(h.Text, "hints", i, "text")
		if i < len(hintKinds) && h.Kind != hintKinds[i] {
			c.complain(to{"hints", i, "kind"}, "hint %d is of kind %q; write %s", i+1, h.Kind, hintKinds[i])
		}
	}
}

// strays complains about files that exercise.yaml does not name: most are a name mistyped there.
func (c *check) strays() {
	_ = fs.WalkDir(c.e.files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !c.used[name] {
			c.complainAt(c.folder+"/"+name, 0, "%s does not name this file", manifestName)
		}
		return err
	})
}
