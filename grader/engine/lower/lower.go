package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// ObjectPath is the import path of the compiled package that lowered text calls. The engine offers its symbols to the
// interpreter together with the standard and supplied packages.
const ObjectPath = "fieldbook/grader/engine/lower/object"

// Package is one type-checked package of the copy.
type Package struct {
	Path  string // import path
	Fset  *token.FileSet
	Files []*ast.File // parsed with comments
	Names []string    // file path of each file, as messages show it
	Text  [][]byte    // source of each file
	Types *types.Package
	Info  *types.Info // Types, Defs, Uses, Implicits, Selections, Scopes, Instances and InitOrder are filled
}

// Refusal is a construct that cannot be run right. Positions are the learner's own: file name from Package.Names, line
// and column from 1, whatever a //line comment says. End is the column after the marked text when that is on the same
// line, else 0.
type Refusal struct {
	Pos     token.Position
	End     int
	Code    string // stable: "unsafe", "goto", "reflect", …
	Message string // what cannot be run, one sentence
	Instead string // what to write instead
}

// Options of a lowering.
type Options struct {
	// Supplied says which compiled packages are the course's own: their calls stand on lines of their own, and they get
	// the plain values that boxes hold. Nil: none.
	Supplied func(importPath string) bool
	// Late says which files' functions are lowered after all others, and after what those need: the text of the others is the
	// same then, names and all, whatever is written in the late files. Nil: none.
	Late func(file string) bool
	// Entry, when set, is where the program starts. Of the files that are not Late, what it and they need is lowered, and
	// nothing else. Nil: everything is.
	Entry *Entry
}

// Entry is a function of the program.
type Entry struct{ Package, Function string }

// Lowered is a whole program in the interpreter's core.
type Lowered struct {
	Text  []byte // one file of package "program"
	Start string // func() of package program that initialises all packages in dependency order; to be called first

	lines     []origin
	functions map[string]string
}

// origin is where a line of the text comes from; line 0 is nowhere.
type origin struct {
	file string
	line int
}

// Position is the learner's file and line for a line of Text, counted from 1; ok is false for lines that stand for
// nothing of the learner's.
func (l *Lowered) Position(line int) (file string, source int, ok bool) {
	if line < 1 || line > len(l.lines) || l.lines[line-1].line == 0 {
		return "", 0, false
	}
	o := l.lines[line-1]
	return o.file, o.line, true
}

// Function is the name, in package program, of a package-level function; "" when the program has none of that name.
func (l *Lowered) Function(importPath, name string) string {
	return l.functions[importPath+"."+name]
}
