package lint

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"fieldbook/grader/engine/export"
	"fieldbook/grader/engine/offered"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// prelude declares the names that code in a text may use without declaring them. Imports follow from what is used.
const prelude = `
type budget struct{ reserved, spent int }
type stock struct { day string; onHand map[string]int; sold []int }
var (
	ctx context.Context
	db, worker, image, backup *database.Database
	tx *database.Tx
	file *files.File
	claim *shop.Claim
	request shop.Request
	seen world.Observation
	source, text, path, kept, marker, unfinished, epoch string
	supplier []string
	missing map[string]string
	value any
	deep, monday stock
	onHand, left, reserved, spent int
	pause func(context.Context, *database.Tx) error
	readBoth func(context.Context, *database.Tx, *int, *int) error
	check func(error)
	err error
	w *world.World
)
var (
	notes *fieldnotes.Notebook
	task fieldnotes.Task
	policy fieldnotes.Policy
	proposal fieldnotes.Proposal
	decision fieldnotes.Decision
	effect fieldnotes.Effect
	checkpoint fieldnotes.Checkpoint
	effects map[string]fieldnotes.Effect
	address *url.URL
	key, host string
	reused, recorded bool
)
`

// snippets type-checks each piece of Go in the texts and on the card.
func (l *linter) snippets() error {
	c, err := newCompiler()
	if err != nil {
		return err
	}
	for _, name := range l.unit.Names() {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		_, code := split(l.text(name))
		for _, b := range code {
			if b.language != "go" {
				continue
			}
			if err := c.compiles(b.text); err != nil {
				l.complain(name, b.line, "this code does not compile: %v", err)
			}
		}
	}
	if l.unit.CardFile == "" {
		return nil
	}
	l.calls(c)
	for _, call := range l.unit.Card().Calls {
		if err := c.compiles(call.Example); err != nil {
			l.complain(l.unit.CardFile, lineOf(l.text(l.unit.CardFile), "call: "+call.Call), "the example does not compile: %v", err)
		}
	}
	return nil
}

// calls holds the card to the runtime: every function of the packages that it covers, and every method of their handles, is
// on it.
func (l *linter) calls(c *compiler) {
	for _, cover := range l.unit.Card().Covers {
		name := cover.Package
		p := c.offered.Lookup(offered.Module + "/runtime/" + name)
		if p == nil {
			l.complain(l.unit.CardFile, 0, "the card covers the package %s, which is not supplied", name)
			continue
		}
		for _, of := range p.Scope().Names() {
			var names []string
			switch object := p.Scope().Lookup(of).(type) {
			case *types.Func:
				names = append(names, of)
			case *types.TypeName:
				if of != cover.Handle {
					continue // other types have the same calls, or none
				}
				methods := types.NewMethodSet(types.NewPointer(object.Type()))
				for i := range methods.Len() {
					names = append(names, methods.At(i).Obj().Name())
				}
			}
			for _, of := range names {
				call := name + "." + of
				if token.IsExported(of) && !slices.ContainsFunc(l.unit.Card().Calls, func(c units.Call) bool { return c.Call == call }) {
					l.complain(l.unit.CardFile, 0, "the call %s is not on the card", call)
				}
			}
		}
	}
}

// compiler type-checks pieces of Go against the offered packages and the copied ones.
type compiler struct {
	offered *export.Packages
	copied  map[string]*types.Package
}

func newCompiler() (*compiler, error) {
	packages, err := export.New()
	if err != nil {
		return nil, err
	}
	if err := packages.Load(offered.Packages()); err != nil {
		return nil, err
	}
	return &compiler{offered: packages, copied: map[string]*types.Package{}}, nil
}

// compiles is nil when the piece, statements or declarations, compiles with the prelude. A variable that is not used, a
// function without its body and one declared twice are what a piece is allowed.
func (c *compiler) compiles(piece string) error {
	body := "\nfunc _() error {\n{\n" + piece + "\n}\nreturn nil\n}\n"
	if strings.HasPrefix(piece, "func ") {
		body = "\n" + piece
	}
	code := prelude + body
	var imports strings.Builder
	for _, p := range append(offered.Packages(), offered.Module+"/runtime/assistant", offered.Module+"/runtime/recovery") {
		if strings.Contains(code, path.Base(p)+".") {
			fmt.Fprintf(&imports, "import %q\n", p)
		}
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "snippet.go", "package snippet\n"+imports.String()+code, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	return c.check("snippet", fset, []*ast.File{file})
}

func (c *compiler) check(name string, fset *token.FileSet, files []*ast.File) error {
	var failed error
	config := types.Config{Importer: c, Error: func(err error) {
		var typed types.Error
		if errors.As(err, &typed) && !typed.Soft && !strings.Contains(typed.Msg, "missing function body") && failed == nil {
			failed = errors.New(typed.Msg)
		}
	}}
	p, _ := config.Check(name, fset, files, nil) // Error has what is wrong
	c.copied[name] = p
	return failed
}

// Import gives a package of the offered list, or one of the copied runtime, checked from its source.
func (c *compiler) Import(name string) (*types.Package, error) {
	if p := c.offered.Lookup(name); p != nil {
		return p, nil
	}
	if p := c.copied[name]; p != nil {
		return p, nil
	}
	folder := strings.TrimPrefix(name, offered.Module+"/")
	fset := token.NewFileSet()
	var files []*ast.File
	for _, source := range teaching.CopiedFiles() {
		if path.Dir(source) != folder {
			continue
		}
		text, err := teaching.Source(source)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(fset, source, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s is not offered", name)
	}
	if err := c.check(name, fset, files); err != nil {
		return nil, err
	}
	return c.copied[name], nil
}
