package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"go/parser"
	"hash"
	"io/fs"
	"path"
	"runtime/debug"
	"sort"
	"sync"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine/export"
	"fieldbook/grader/engine/lower"
	"fieldbook/grader/engine/offered"
)

// Engine prepares programs over one copied runtime. It is safe for concurrent use, and keeps what is the same for every
// program: parsed files, export data, types of packages that no learner's file touches.
type Engine struct {
	tree  *tree
	cache cache
	limit time.Duration

	mu       sync.Mutex
	packages *export.Packages
}

// New makes an engine over the sources of the copied runtime; paths in it begin at the module's root,
// "runtime/assistant/restore.go".
func New(copied fs.FS) *Engine {
	return &Engine{tree: newTree(copied), limit: maxCheck}
}

// Prepare installs, checks and lowers a program; one for the Go toolchain it installs and checks.
//
// Faults of the learner's source are diagnostics, sorted by place; OutcomeOf says what they mean. The error is only ever
// a fault of ours: of a file that is not the learner's, of the engine, or a context that ended. Checking and lowering
// that take longer than a few seconds are given up with a diagnostic.
func (e *Engine) Prepare(ctx context.Context, p Program) (*Prepared, []grader.Diagnostic, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, e.limit, errTooLong)
	defer cancel()

	type result struct {
		prepared *Prepared
		found    []grader.Diagnostic
		err      error
	}
	done := make(chan result, 1)
	packages, err := e.exportData()
	if err != nil {
		return nil, nil, err
	}
	go func() {
		var r result
		defer func() {
			if fault := recover(); fault != nil {
				r = result{err: &PanicError{Value: fault, Stack: debug.Stack()}}
			}
			done <- r
		}()
		r.prepared, r.found, r.err = e.prepare(ctx, packages, p)
	}()
	var r result
	select {
	case r = <-done:
	case <-ctx.Done():
		// The goroutine cannot be stopped and holds the read lock of packages: nobody may wait for that.
		e.abandon(packages)
		r = result{err: ctx.Err()}
	}
	if r.err != nil && errors.Is(context.Cause(ctx), errTooLong) {
		return nil, []grader.Diagnostic{TooComplex(p, fmt.Sprintf("takes longer than %v", maxCheck))}, nil
	}
	if r.err != nil {
		return nil, nil, fmt.Errorf("preparing a program: %w", r.err)
	}
	return r.prepared, limited(r.found), nil
}

var errTooLong = errors.New("checking took too long")

// PanicError is a panic inside the engine: our fault, to be reported with its stack and never shown to a student.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("the engine panicked: %v", e.Value) }

// TooComplex is the diagnostic for a program whose check was given up. exceeded says what checking it does: "takes longer
// than 5s".
func TooComplex(p Program, exceeded string) grader.Diagnostic {
	name := p.Entry.Package
	for _, s := range p.Sources {
		if s.Learner {
			name = newFile(Source{Path: s.Path, Name: s.Name}).name
			break
		}
	}
	return grader.Diagnostic{Code: codeTooComplex, File: name,
		Message: "checking this file " + exceeded,
		Hint:    "Look for types or constants that are built from themselves, and write them out."}
}

// exportData returns the export data in use.
func (e *Engine) exportData() (*export.Packages, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.packages == nil {
		packages, err := export.New()
		if err != nil {
			return nil, err
		}
		e.packages = packages
	}
	return e.packages, nil
}

// abandon takes export data out of use that a check which was given up still holds.
func (e *Engine) abandon(packages *export.Packages) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.packages == packages {
		e.packages = nil
	}
}

func (e *Engine) prepare(ctx context.Context, packages *export.Packages, p Program) (*Prepared, []grader.Diagnostic, error) {
	in, found, err := e.tree.install(p)
	if err != nil || in == nil {
		return nil, sorted(in, found), err
	}
	needed, err := in.needed()
	if err != nil {
		return nil, nil, err
	}
	if err := packages.Load(needed); err != nil {
		return nil, nil, err
	}
	if p.Build {
		sources, found, err := e.copied(ctx, in, packages, found)
		if err != nil || len(found) > 0 {
			return nil, sorted(in, found), err
		}
		return &Prepared{Copy: sources, Digest: in.digest()}, nil, nil
	}
	lowered, found, err := e.lowered(ctx, in, packages, found)
	if err != nil || len(found) > 0 {
		return nil, sorted(in, found), err
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	entry := lowered.Function(p.Entry.Package, p.Entry.Function)
	if entry == "" {
		return nil, nil, fmt.Errorf("the program has no function %s.%s", p.Entry.Package, p.Entry.Function)
	}
	lines := lineMap(lowered)
	prepared, err := in.recheck(packages, lowered.Text, lines, lowered.Start, entry)
	if err != nil {
		return nil, nil, err
	}
	prepared.Digest = in.digest()
	return &prepared, nil, nil
}

// lowered checks an installation and lowers it; diagnostics when there are any.
func (e *Engine) lowered(ctx context.Context, in *installation, packages *export.Packages, found []grader.Diagnostic) (*lower.Lowered, []grader.Diagnostic, error) {
	packages.RLock()
	defer packages.RUnlock()
	c := newChecker(in, packages, &e.cache, found)
	all, err := c.check(ctx)
	if err != nil || len(c.found) > 0 {
		return nil, c.found, err
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return in.lower(all)
}

// needed lists the packages whose export data the program's check can ask for.
func (in *installation) needed() ([]string, error) {
	set := map[string]bool{}
	for _, u := range in.packages {
		for _, f := range u.files {
			for _, i := range f.imports() {
				set[i.path] = true
			}
			for _, spec := range f.specs {
				signature, err := parser.ParseExpr(spec.Signature)
				if err != nil {
					return nil, fmt.Errorf("the declared signature of %s: %w", spec.Name, err)
				}
				for _, base := range qualifiers(signature) {
					for _, p := range offered.Packages() {
						if path.Base(p) == base {
							set[p] = true
						}
					}
				}
			}
		}
	}
	list := make([]string, 0, len(set))
	for p := range set {
		list = append(list, p)
	}
	sort.Strings(list)
	return list, nil
}

// digest identifies the installation; see Prepared.Digest.
func (in *installation) digest() string {
	var files []*file
	for _, u := range in.packages {
		files = append(files, u.files...)
	}
	sort.Slice(files, func(i, j int) bool { return files[i].path < files[j].path })
	sum := sha256.New()
	for _, f := range files {
		writeFile(sum, f)
	}
	fmt.Fprintf(sum, "%s.%s", in.program.Entry.Package, in.program.Entry.Function)
	return hex.EncodeToString(sum.Sum(nil))
}

func writeFile(sum hash.Hash, f *file) {
	sum.Write(append([]byte(f.path), 0))
	sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(f.shown))))
	sum.Write(f.shown)
}

// sorted orders diagnostics by file, in the order of the sources, and by place.
func sorted(in *installation, found []grader.Diagnostic) []grader.Diagnostic {
	order := map[string]int{}
	if in != nil {
		for i, f := range in.sources {
			order[f.name] = i
		}
	}
	sort.SliceStable(found, func(i, j int) bool {
		a, b := found[i], found[j]
		if a.File != b.File {
			return order[a.File] < order[b.File]
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	return found
}

// limited cuts a long list and counts the rest. Of two messages at one place the first is kept.
func limited(found []grader.Diagnostic) []grader.Diagnostic {
	var kept []grader.Diagnostic
	for i, d := range found {
		if i > 0 && d.Line > 0 && d.File == found[i-1].File && d.Line == found[i-1].Line && d.Column == found[i-1].Column {
			continue
		}
		kept = append(kept, d)
	}
	if rest := len(kept) - maxDiagnostics; rest > 0 {
		kept = append(kept[:maxDiagnostics:maxDiagnostics], grader.Diagnostic{
			Code: codeMore, File: kept[0].File,
			Message: fmt.Sprintf("%d more, not shown", rest),
			Hint:    "Mend the first ones; many of the others may go with them.",
		})
	}
	return kept
}
