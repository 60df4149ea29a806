package engine

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// linkPrefix begins the names of the variables through which the first text calls the learner's functions.
const linkPrefix = "link_"

// finish makes the texts that travel from a lowered file that was checked. Each declaration keeps its lines, with marks in
// front of statements that may panic, and stands in the text of its part.
func finish(files *token.FileSet, syntax *ast.File, text []byte, lines LineMap, p parts, start, entry string) Prepared {
	w := writer{marker: marker{lines: lines, file: files.File(syntax.FileStart), moved: map[int]int{}}, text: text, parts: p, start: start, entry: entry}
	firstHead, secondHead := w.head(syntax, p.first, p.links), w.head(syntax, p.second, nil)
	firstTail, secondTail := w.linkVariables(), []string(nil)
	if variable := "var " + lineVariable + " int"; len(p.first) > 0 {
		firstTail = append(firstTail, variable)
	} else {
		firstHead, secondTail = nil, []string{variable}
	}
	marks := w.place(nil, firstHead, p.first, firstTail)
	marks = w.place(marks, secondHead, p.second, secondTail)
	return Prepared{
		First: w.write(firstHead, p.first, firstTail), Text: w.write(secondHead, p.second, secondTail),
		Start: start, Entry: entry, Lines: LineMap{Files: lines.Files, Marks: marks},
	}
}

// writer writes the texts of a prepared program.
type writer struct {
	marker
	text         []byte // the lowered file
	parts        parts
	start, entry string
}

// head are the first lines of a text: its package, and the imports that its declarations name.
func (w *writer) head(syntax *ast.File, decls []ast.Decl, links []*ast.FuncDecl) []string {
	named := map[string]bool{}
	note := func(name *ast.Ident) { named[name.Name] = true }
	for _, decl := range decls {
		eachName(decl, note)
	}
	for _, f := range links {
		eachName(f.Type, note)
	}
	lines := []string{"package program"}
	for _, spec := range syntax.Imports {
		if named[spec.Name.Name] {
			lines = append(lines, "import "+w.source(spec))
		}
	}
	return lines
}

// place notes where the lines of declarations go, and adds to marks what the lines of a text stand for.
func (w *writer) place(marks Marks, head []string, decls []ast.Decl, tail []string) Marks {
	marks = append(marks, make(Marks, len(head))...)
	for _, decl := range decls {
		for line := w.file.Line(decl.Pos()); line <= w.file.Line(decl.End()); line++ {
			var mark [2]int
			if line <= len(w.lines.Marks) {
				mark = w.lines.Marks[line-1]
			}
			marks = append(marks, mark)
			w.moved[line] = len(marks)
		}
	}
	return append(marks, make(Marks, len(tail))...)
}

func (w *writer) write(head []string, decls []ast.Decl, tail []string) string {
	var out bytes.Buffer
	for _, line := range head {
		out.WriteString(line + "\n")
	}
	for _, decl := range decls {
		w.declaration(&out, decl)
	}
	for _, line := range tail {
		out.WriteString(line + "\n")
	}
	return out.String()
}

// declaration writes a declaration with its edits.
func (w *writer) declaration(out *bytes.Buffer, decl ast.Decl) {
	w.edits = nil
	if f, ok := decl.(*ast.FuncDecl); ok {
		if f.Name.Name != w.entry { // that is called from outside, and keeps its parameters
			w.passWhole(f)
		}
		if f.Name.Name == w.start {
			w.setLinks(f)
		}
	}
	w.mark(decl)
	if slices.Contains(w.parts.first, decl) {
		w.followLinks(decl)
	}
	slices.SortStableFunc(w.edits, func(a, b edit) int { return a.start - b.start })
	from := w.file.Offset(decl.Pos())
	for _, e := range w.edits {
		out.Write(w.text[from:e.start])
		out.WriteString(e.text)
		from = e.end
	}
	out.Write(w.text[from:w.file.Offset(decl.End())])
	out.WriteByte('\n')
}

// linkVariables declares a variable for each of the learner's functions that the first text calls.
func (w *writer) linkVariables() []string {
	var lines []string
	for _, f := range w.parts.links {
		lines = append(lines, "var "+linkPrefix+f.Name.Name+" "+w.signature(f))
	}
	return lines
}

// signature is the type of a function as it is written.
func (w *writer) signature(f *ast.FuncDecl) string {
	var params []string
	for _, field := range f.Type.Params.List {
		kind := w.source(field.Type)
		if passedWhole(field) {
			kind = "any"
		}
		for range max(len(field.Names), 1) {
			params = append(params, kind)
		}
	}
	results := ""
	if f.Type.Results != nil {
		results = " " + w.source(f.Type.Results)
	}
	return "func(" + strings.Join(params, ", ") + ")" + results
}

// setLinks has a function begin by setting the variables.
func (w *writer) setLinks(f *ast.FuncDecl) {
	for _, to := range w.parts.links {
		w.insert(f.Body.Lbrace+1, " "+linkPrefix+to.Name.Name+" = "+to.Name.Name+";")
	}
}

// followLinks has a declaration name the variables in place of the functions.
func (w *writer) followLinks(decl ast.Decl) {
	eachName(decl, func(name *ast.Ident) {
		if slices.ContainsFunc(w.parts.links, func(f *ast.FuncDecl) bool { return f.Name.Name == name.Name }) {
			w.insert(name.Pos(), linkPrefix)
		}
	})
}

// source is the text of a node in the lowered file.
func (w *writer) source(n ast.Node) string {
	return string(w.text[w.file.Offset(n.Pos()):w.file.Offset(n.End())])
}
