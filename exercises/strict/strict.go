// Package strict reads the YAML that authors write: one document, no key that the reader does not know, no key twice,
// scalars that keep the kind in which they were written, and every complaint with its file and line. It runs in the
// parent only and imports the words of package grader and the runtime's values.
package strict

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/grader"
)

// Document is a decoded file. It remembers where each part stood, so that checks made after decoding can point there too.
type Document struct {
	name string
	root *yaml.Node
}

// Decode reads data, the contents of the file called name, into out. Every error is an *Error with positions in name.
func Decode(name string, data []byte, out any) (*Document, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		return nil, complaints(name, err)
	}
	doc := &Document{name: name, root: new(yaml.Node)}
	switch err := loader.Load(doc.root); {
	case errors.Is(err, io.EOF):
		return nil, doc.errorf(0, "the file is empty")
	case err != nil:
		return nil, complaints(name, err)
	}
	var second yaml.Node
	switch err := loader.Load(&second); {
	case err == nil:
		return nil, doc.errorf(second.Line, "a second document begins here; the file must hold one")
	case !errors.Is(err, io.EOF):
		return nil, complaints(name, err)
	}
	if err := Load(doc.root, out); err != nil {
		return nil, complaints(name, err)
	}
	return doc, nil
}

// Load decodes a node into out and refuses unknown keys. Types with an UnmarshalYAML of their own call it, since the
// decoder's settings do not reach into them.
func Load(node *yaml.Node, out any) error {
	return node.Load(out, yaml.WithKnownFields(), yaml.WithUniqueKeys())
}

// Line is the line of the part that path leads to: keys (string) and indexes (int), from the root. When the path ends
// early, because a key is missing, it is the line of the last part that is there.
func (d *Document) Line(path ...any) int {
	node := d.root
	if node.Kind == yaml.DocumentNode && len(node.Content) > 0 {
		node = node.Content[0]
	}
	line := node.Line
	for _, step := range path {
		key, next := child(node, step)
		if next == nil {
			return line
		}
		node, line = next, key.Line
	}
	return line
}

// child finds the part of a mapping or sequence, and the node that shows where it begins: a mapping's key, or the
// element itself.
func child(node *yaml.Node, step any) (where, part *yaml.Node) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	switch step := step.(type) {
	case string:
		if node.Kind != yaml.MappingNode {
			return nil, nil
		}
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == step {
				return node.Content[i], node.Content[i+1]
			}
		}
	case int:
		if node.Kind == yaml.SequenceNode && step >= 0 && step < len(node.Content) {
			return node.Content[step], node.Content[step]
		}
	}
	return nil, nil
}

func (d *Document) errorf(line int, format string, args ...any) error {
	return Join([]grader.Diagnostic{Complaint(d.name, line, format, args...)})
}

// Code is the code of every complaint about an author's file.
const Code = "authoring"

// Error is everything that is wrong with an author's files, sorted by file and line.
type Error struct {
	Diagnostics []grader.Diagnostic
}

// Error is one "file:line: message" a line.
func (e *Error) Error() string {
	lines := make([]string, len(e.Diagnostics))
	for i, d := range e.Diagnostics {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// Complaint is one thing that is wrong with an author's file; line 0 stands for the whole file.
func Complaint(file string, line int, format string, args ...any) grader.Diagnostic {
	return grader.Diagnostic{Code: Code, File: file, Line: line, Message: fmt.Sprintf(format, args...)}
}

// Join makes an *Error of what was found, sorted by file and line, or nil when nothing was.
func Join(found []grader.Diagnostic) error {
	if len(found) == 0 {
		return nil
	}
	sorted := slices.Clone(found)
	slices.SortStableFunc(sorted, func(a, b grader.Diagnostic) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	return &Error{Diagnostics: sorted}
}

// complaints turns the decoder's errors into ours: positions first, no name of a Go type.
func complaints(name string, err error) error {
	var many *yaml.LoadErrors
	var one *yaml.LoadError
	switch {
	case errors.As(err, &many):
		var found []grader.Diagnostic
		for _, e := range many.Errors {
			found = append(found, Complaint(name, e.Mark.Line, "%s", wording(e.Message)))
		}
		return Join(found)
	case errors.As(err, &one):
		return Join([]grader.Diagnostic{Complaint(name, one.Mark.Line, "%s", wording(one.Message))})
	default:
		return Join([]grader.Diagnostic{Complaint(name, 0, "%v", err)})
	}
}

// wording replaces the decoder's two messages that name Go types.
func wording(message string) string {
	if key, ok := strings.CutPrefix(message, "field "); ok {
		if key, _, ok := strings.Cut(key, " not found in type "); ok {
			return fmt.Sprintf("unknown key %q", key)
		}
	}
	if what, ok := strings.CutPrefix(message, "cannot construct "); ok {
		if what, _, ok := strings.Cut(what, " into "); ok {
			return "a value of another kind belongs here, not " + article(what)
		}
	}
	return message
}

// article names a YAML kind for an author; what may hold the value too: "!!int `1`".
func article(what string) string {
	tag, value, _ := strings.Cut(what, " ")
	kinds := map[string]string{
		"!!seq": "a list", "!!map": "a mapping", "!!str": "text", "!!int": "a whole number",
		"!!float": "a floating-point number", "!!bool": "a truth value", "!!null": "null", "!!timestamp": "a date",
	}
	kind, ok := kinds[tag]
	if !ok {
		kind = tag
	}
	if value != "" {
		return kind + ", " + value
	}
	return kind
}
