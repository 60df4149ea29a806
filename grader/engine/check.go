package engine

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/engine/export"
	"fieldbook/grader/engine/offered"
)

// goVersion is the language that learners write.
const goVersion = "go1.26"

// checked is a package of the copy with its types.
type checked struct {
	unit  *unit
	types *types.Package
	info  *types.Info
}

// checker type-checks the packages of one installation. The caller holds the read lock of packages.
type checker struct {
	in       *installation
	packages *export.Packages
	cache    *cache
	done     map[string]*checked
	byToken  map[*token.File]*file

	found     []grader.Diagnostic // at learner files
	misplaced map[*file]bool      // files whose package clause or dot import makes every other message a consequence
	broken    []string            // messages about other files
}

func newChecker(in *installation, packages *export.Packages, kept *cache, found []grader.Diagnostic) *checker {
	c := &checker{in: in, packages: packages, cache: kept, found: found}
	c.done, c.byToken, c.misplaced = map[string]*checked{}, map[*token.File]*file{}, map[*file]bool{}
	for _, d := range found {
		for _, f := range in.sources {
			if f.name == d.File && (d.Code == codePackage || d.Code == codeDotImport) {
				c.misplaced[f] = true
			}
		}
	}
	return c
}

// Import serves the packages of the copy that are already checked, and the offered ones.
func (c *checker) Import(importPath string) (*types.Package, error) {
	if p := c.done[importPath]; p != nil {
		return p.types, nil
	}
	if p := c.packages.Lookup(importPath); p != nil && offered.Has(importPath) {
		return p, nil
	}
	return nil, errNotOffered
}

var errNotOffered = fmt.Errorf("package is not offered")

// check type-checks the packages in order and compares the types of declared functions. After a package with faults, only
// packages with learner files are still looked at: the others' faults would follow from the first ones.
func (c *checker) check(ctx context.Context) ([]*checked, error) {
	var all []*checked
	for _, u := range c.in.packages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(c.found) > 0 && !hasLearner(u) {
			continue
		}
		for _, f := range u.files {
			c.in.files.AddExistingFiles(f.token)
			c.byToken[f.token] = f
		}
		p := c.cache.get(c.packages, u)
		if p == nil {
			p = c.checkUnit(u)
			if !u.changed && len(c.broken) == 0 {
				c.cache.put(c.packages, p)
			}
		}
		c.done[u.path] = p
		all = append(all, p)
		if err := c.signatures(p); err != nil {
			return nil, err
		}
		c.restrict(p)
	}
	if len(c.found) == 0 && len(c.broken) > 0 {
		return nil, fmt.Errorf("a file that is not the learner's does not compile: %s", strings.Join(c.broken, "; "))
	}
	return all, nil
}

func hasLearner(u *unit) bool {
	for _, f := range u.files {
		if f.learner {
			return true
		}
	}
	return false
}

func (c *checker) checkUnit(u *unit) *checked {
	p := &checked{unit: u, info: newInfo()}
	reported := -1 // index into found of the message that continuations belong to
	config := types.Config{
		GoVersion: goVersion,
		Importer:  c,
		Sizes:     types.SizesFor("gc", "amd64"),
		Error: func(err error) {
			if e := (types.Error{}); errors.As(err, &e) {
				reported = c.report(p, e, reported)
			}
		},
	}
	var syntax []*ast.File
	for _, f := range u.files {
		syntax = append(syntax, f.syntax)
	}
	p.types, _ = config.Check(u.path, c.in.files, syntax, p.info) // faults went to Error
	return p
}

func newInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Instances:  map[*ast.Ident]types.Instance{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{},
	}
}

// report keeps one message of the type-checker and returns the index of the diagnostic that a continuation would belong
// to, -1 for none. A continuation, which begins with a tab, becomes part of the hint of the message before it.
func (c *checker) report(p *checked, e types.Error, before int) int {
	f := c.byToken[c.in.files.File(e.Pos)]
	if more, ok := strings.CutPrefix(e.Msg, "\t"); ok {
		if before >= 0 && f != nil {
			d := &c.found[before]
			d.Hint = strings.TrimSpace(fmt.Sprintf("%s %s:%d: %s", d.Hint, f.name, f.lineOf(e.Pos), more))
		}
		return before
	}
	if f == nil || !f.learner {
		c.broken = append(c.broken, e.Error())
		return -1
	}
	if strings.HasPrefix(e.Msg, "could not import ") || c.misplaced[f] {
		return -1 // the rules said it better
	}
	start, end := f.offset(e.Pos), f.offset(spanEnd(e))
	if end <= start {
		end = f.wordEnd(start)
	}
	d := f.at(codeOf(e.Msg), start, end, c.worded(f, e.Msg), c.hint(p, f, e))
	c.found = append(c.found, d)
	return len(c.found) - 1
}

// spanEnd is the end of the piece of source that a message is about. go/types keeps it in a field that is not part of its
// API, and gopls reads it in this same way; without it there is no more than the position.
func spanEnd(e types.Error) token.Pos {
	field := reflect.ValueOf(e).FieldByName("go116end")
	if !field.IsValid() || !field.CanInt() {
		return e.Pos
	}
	return token.Pos(field.Int())
}

// signatures compares the type of each declared function of a package with the one that is asked for.
func (c *checker) signatures(p *checked) error {
	for _, f := range p.unit.files {
		if len(f.specs) == 0 {
			continue
		}
		want, err := c.specTypes(p.unit.path, f.specs)
		if err != nil {
			return err
		}
		for i, spec := range f.specs {
			function, ok := p.types.Scope().Lookup(spec.Name).(*types.Func)
			if !ok {
				continue // checkFunctions said so
			}
			if types.Identical(function.Type(), want[i]) || invalid(function.Signature()) {
				continue
			}
			ident := f.functionName(spec.Name)
			if ident == nil {
				continue
			}
			if !f.learner {
				return fmt.Errorf("%s: %s has the type %s, not %s", f.path, spec.Name, c.typeString(function.Type()), c.typeString(want[i]))
			}
			c.found = append(c.found, f.node(codeSignature, ident,
				fmt.Sprintf("%s has another signature\n\thave %s\n\twant %s", spec.Name, c.typeString(function.Type()), c.typeString(want[i])),
				"Declare: "+declaration(spec)))
		}
	}
	return nil
}

// invalid reports whether a signature holds a type that could not be resolved; that has been reported.
func invalid(s *types.Signature) bool {
	return strings.Contains(s.String(), "invalid type")
}

// typeString writes a type with package names, as messages do.
func (c *checker) typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// specTypes type-checks the signatures that specs ask for.
func (c *checker) specTypes(importPath string, specs []FunctionSpec) ([]types.Type, error) {
	byBase := map[string]string{}
	for _, p := range offered.Packages() {
		byBase[path.Base(p)] = p
	}
	for p := range c.done {
		byBase[path.Base(p)] = p
	}
	files := token.NewFileSet()
	source, imports, err := signatureSource(importPath, specs, byBase)
	if err != nil {
		return nil, err
	}
	syntax, err := parseWhole(files, source)
	if err != nil {
		return nil, fmt.Errorf("a declared signature: %w", err)
	}
	for _, i := range imports {
		if c.done[i] == nil && c.packages.Lookup(i) == nil {
			return nil, fmt.Errorf("a declared signature names %s, which is not loaded", i)
		}
	}
	config := types.Config{GoVersion: goVersion, Importer: c, Error: func(error) {}}
	checkedSpecs, err := config.Check("signatures", files, []*ast.File{syntax}, nil)
	want := make([]types.Type, len(specs))
	for i := range specs {
		name, ok := checkedSpecs.Scope().Lookup(fmt.Sprintf("S%d", i)).(*types.TypeName)
		if !ok || !isSignature(name.Type()) {
			return nil, fmt.Errorf("the declared signature of %s is not a function type: %w", specs[i].Name, err)
		}
		want[i] = types.Unalias(name.Type())
	}
	return want, nil
}

func isSignature(t types.Type) bool {
	s, ok := types.Unalias(t).(*types.Signature)
	return ok && !invalid(s)
}
