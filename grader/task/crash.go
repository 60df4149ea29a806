package task

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"runtime"
	"slices"
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/crash"
	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

// Exploration says how crashes are explored.
type Exploration struct {
	Progress     func(done, total int) // told how far it is, from several goroutines; nil: nobody is
	CrashesAlone bool                  // leaves out the operations that a full or failing disk refuses
}

// Crash explores what crashes can do to what is installed. The matrix is nil when what is installed cannot be run: the report
// has the diagnostics then.
func (t *Task) Crash(ctx context.Context, o Exploration) (*crash.Matrix, grader.Report, error) {
	report := t.blank("CRASH")
	declared := t.exercise.Crash
	if declared == nil {
		return nil, report, &grader.Error{
			Code: "no_crash", Exit: grader.ExitUsage,
			Message: fmt.Sprintf("the exercise %s declares nothing about crashes", t.exercise.Name),
			Hint:    "Choose an exercise whose function writes to a disk.",
		}
	}
	reference, err := t.reference()
	if err != nil {
		return nil, report, err
	}
	subject := crash.Subject{Exercise: t.exercise, Stateful: stateful(t.installed.sources)}
	for _, p := range []struct {
		into    **engine.Prepared
		probe   string
		sources []Source
	}{
		{&subject.Record, declared.Probe, t.installed.sources},
		{&subject.Again, declared.Again, t.installed.sources},
		{&subject.Reference, declared.Probe, reference},
	} {
		driver, err := t.supplied(p.probe)
		if err != nil {
			return nil, report, err
		}
		if *p.into, err = t.ready(ctx, &report, p.sources, driver); err != nil || *p.into == nil {
			return nil, report, err
		}
	}
	subject.Run = t.run(nil)
	explorer := crash.Explorer{Runner: t.runner, Parallel: runtime.NumCPU(), Progress: o.Progress, CrashesAlone: o.CrashesAlone}
	matrix, err := explorer.Explore(ctx, subject)
	if err != nil {
		return nil, report, err
	}
	matrix.Environment.Engine, matrix.Environment.Note = report.Environment.Engine, report.Environment.Note
	return matrix, report, nil
}

// reference is the exercise's own files, which ship with the runtime.
func (t *Task) reference() ([]Source, error) {
	var sources []Source
	for _, r := range t.exercise.Replaces {
		text, err := teaching.Source(r.File)
		if err != nil {
			return nil, fmt.Errorf("read the reference of %s: %w", t.exercise.Name, err)
		}
		sources = append(sources, Source{Path: r.File, Name: r.File, Text: text})
	}
	return sources, nil
}

// stateful reports whether what files do can depend on what they did before in the same process: they declare a
// package-level variable, or change one of another package. Files that do not parse never get as far as a run.
func stateful(sources []Source) bool {
	for _, s := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), s.Name, s.Text, parser.SkipObjectResolution)
		if err != nil || keepsState(file) {
			return true
		}
	}
	return false
}

func keepsState(file *ast.File) (keeps bool) {
	packages := map[string]bool{}
	for _, spec := range file.Imports {
		name := path.Base(strings.Trim(spec.Path.Value, `"`))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		packages[name] = true
	}
	foreign := func(place ast.Expr) bool {
		for {
			switch x := place.(type) {
			case *ast.SelectorExpr:
				if name, ok := x.X.(*ast.Ident); ok && packages[name.Name] {
					return true
				}
				place = x.X
			case *ast.IndexExpr:
				place = x.X
			case *ast.ParenExpr:
				place = x.X
			case *ast.StarExpr:
				place = x.X
			default:
				return false
			}
		}
	}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			return true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			keeps = keeps || slices.ContainsFunc(n.Lhs, foreign)
		case *ast.IncDecStmt:
			keeps = keeps || foreign(n.X)
		case *ast.UnaryExpr:
			keeps = keeps || n.Op == token.AND && foreign(n.X)
		}
		return !keeps
	})
	return keeps
}
