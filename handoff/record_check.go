package handoff

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"fieldbook/handoff/canonical"
)

// Bounds of a record. A whole handoff is bounded by MaxSize.
const (
	maxText       = 200 // bytes of a name, version or path
	maxFiles      = 64
	maxComponents = 64
)

// check returns an error that names the first field no handoff can hold. That the result is canonical it leaves to the
// caller: in a statement that was read, it is part of a canonical payload.
func (r *Record) check() error {
	texts := []struct{ field, value string }{
		{"exercise", r.Exercise}, {"unit", r.Unit}, {"edition", r.Edition}, {"starting_evidence", r.StartingEvidence},
		{"engine.name", r.Engine.Name}, {"engine.version", r.Engine.Version}, {"sandbox.level", r.Sandbox.Level},
		{"verdict", r.Verdict}, {"environment.os", r.Environment.OS}, {"environment.arch", r.Environment.Arch},
	}
	for _, t := range texts {
		if err := checkText(t.field, t.value); err != nil {
			return err
		}
	}
	digests := []struct {
		field, value string
		optional     bool
	}{
		{"runtime", r.Runtime, false}, {"probes", r.Probes, false}, {"prediction", r.Prediction, true}, {"previous", r.Previous, true},
	}
	for _, d := range digests {
		if !isDigest(d.value) && (!d.optional || d.value != None) {
			return fmt.Errorf("the field %q is not a SHA-256 in lower-case hexadecimal", d.field)
		}
	}
	counts := []struct {
		field string
		value int64
	}{
		{"attempts", r.Attempts}, {"environment.cpus", r.Environment.CPUs}, {"environment.elapsed_ns", int64(r.Environment.Elapsed)},
		{"limits.wall_ns", int64(r.Limits.Wall)}, {"limits.cpu_ns", int64(r.Limits.CPU)},
		{"limits.memory_bytes", r.Limits.Memory}, {"limits.output_bytes", r.Limits.Output}, {"limits.disk_bytes", r.Limits.Disk},
	}
	for _, c := range counts {
		if c.value < 0 || c.value > canonical.MaxInteger {
			return fmt.Errorf("the field %q is not between 0 and 2^53-1", c.field)
		}
	}
	if err := checkList("tools", r.Tools, func(field string, c Component) error {
		if err := checkText(field+".name", c.Name); err != nil {
			return err
		}
		return checkText(field+".version", c.Version)
	}); err != nil {
		return err
	}
	if err := checkList("sandbox.layers", r.Sandbox.Layers, checkText); err != nil {
		return err
	}
	created := r.Environment.Created
	if created.Location() != time.UTC || created.Nanosecond() != 0 || created.Year() < 0 || created.Year() > 9999 {
		return fmt.Errorf("the field %q is not a time in UTC with whole seconds", "environment.created")
	}
	if len(r.Result) == 0 || r.Result[0] != '{' {
		return fmt.Errorf("the field %q is not an object", "result")
	}
	return checkFiles(r.Implementation)
}

// checkText wants printable ASCII: these texts are ids and versions, and they are shown on terminals.
func checkText(field, s string) error {
	switch {
	case s == "":
		return fmt.Errorf("the field %q is empty", field)
	case len(s) > maxText:
		return fmt.Errorf("the field %q is longer than %d bytes", field, maxText)
	case strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }):
		return fmt.Errorf("the field %q holds characters other than printable ASCII", field)
	}
	return nil
}

func checkList[T any](field string, list []T, check func(field string, element T) error) error {
	if list == nil || len(list) > maxComponents {
		return fmt.Errorf("the field %q is not a list of at most %d", field, maxComponents)
	}
	for i, element := range list {
		if err := check(fmt.Sprintf("%s[%d]", field, i), element); err != nil {
			return err
		}
	}
	return nil
}

func checkFiles(files []File) error {
	if len(files) == 0 || len(files) > maxFiles {
		return fmt.Errorf("the field %q does not have 1 to %d files", "implementation", maxFiles)
	}
	folded := make(map[string]bool, len(files))
	for i, f := range files {
		if !isPath(f.Path) {
			return fmt.Errorf("the field %q is not a path inside the runtime", fmt.Sprintf("implementation[%d].path", i))
		}
		if i > 0 && f.Path <= files[i-1].Path {
			return fmt.Errorf("the files of the field %q do not ascend by path", "implementation")
		}
		// Two names that differ in case alone are one file on some machines, and the second would overwrite the first.
		lower := strings.ToLower(f.Path)
		if folded[lower] {
			return fmt.Errorf("two files of the field %q have names that differ in case alone", "implementation")
		}
		folded[lower] = true
		if !utf8.ValidString(f.Text) {
			return fmt.Errorf("the field %q is not UTF-8", fmt.Sprintf("implementation[%d].text", i))
		}
	}
	return nil
}

// isPath keeps out everything that could leave the folder it is joined to, or mean two files, on any system.
func isPath(path string) bool {
	if len(path) > maxText {
		return false
	}
	for element := range strings.SplitSeq(path, "/") {
		if element == "" || element[0] == '.' || element[0] == '-' || element[len(element)-1] == '.' {
			return false
		}
		for _, c := range []byte(element) {
			if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '.' && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}
