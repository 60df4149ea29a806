package engine

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"sort"
	"strings"

	"fieldbook/grader/engine/offered"
)

// worded gives a message of go/types the compiler's words, where they differ, and names files as the learner does.
func (c *checker) worded(f *file, message string) string {
	switch message {
	case "break not in for, switch, or select statement":
		return "break is not in a loop, switch, or select"
	case "continue not in for statement":
		return "continue is not in a loop"
	}
	if label, ok := strings.CutPrefix(message, "label "); ok {
		if name, ok := strings.CutSuffix(label, " declared and not used"); ok {
			return "label " + name + " defined and not used"
		}
		if name, ok := strings.CutSuffix(label, " not declared"); ok {
			return "label " + name + " not defined"
		}
	}
	for _, other := range c.byToken {
		message = strings.ReplaceAll(message, other.path+":", other.name+":")
	}
	return message
}

// codeOf sorts messages into the kinds that scripts tell apart.
func codeOf(message string) string {
	switch {
	case strings.HasPrefix(message, "declared and not used"):
		return codeUnused
	case strings.Contains(message, " imported and not used"), strings.Contains(message, " imported as ") && strings.HasSuffix(message, " and not used"):
		return codeUnusedImport
	case strings.HasPrefix(message, "undefined: "), strings.Contains(message, " undefined (type "):
		return codeUndefined
	case strings.Contains(message, " redeclared in this block"):
		return codeRedeclared
	}
	return codeType
}

// hint says what to do about a message, where that is known.
func (c *checker) hint(p *checked, f *file, e types.Error) string {
	message := e.Msg
	switch codeOf(message) {
	case codeUnused:
		return "Use it, or remove its declaration."
	case codeUnusedImport:
		return "Use the package, or remove the import."
	}
	if name, ok := strings.CutPrefix(message, "undefined: "); ok {
		return c.hintUndefined(p, f, e.Pos, name)
	}
	if strings.Contains(message, ", but does have ") {
		return "" // the message says it
	}
	missing := regexp.MustCompile(`undefined \(type (?:.*) has no (?:field or method|method|field) (\w+)`)
	if m := missing.FindStringSubmatch(message); m != nil {
		return didYouMean(m[1], membersAt(p, e.Pos))
	}
	unknown := regexp.MustCompile(`^unknown field (\w+) in struct literal`)
	if m := unknown.FindStringSubmatch(message); m != nil {
		return didYouMean(m[1], literalFields(p, e.Pos))
	}
	return ""
}

// hintUndefined finds what an undefined name was meant to be: a name of the package it is looked up in, an offered
// package that is not imported, or a name in scope.
func (c *checker) hintUndefined(p *checked, f *file, pos token.Pos, name string) string {
	if qualifier, member, ok := strings.Cut(name, "."); ok {
		if imported := packageNamed(p, f, qualifier); imported != nil {
			return didYouMean(member, exported(imported.Scope()))
		}
		return ""
	}
	for _, importable := range offered.Packages() {
		if path.Base(importable) == name {
			return fmt.Sprintf("Add: import %q", importable)
		}
	}
	return didYouMean(name, namesInScope(p, pos))
}

func didYouMean(name string, candidates []string) string {
	if near := nearest(name, candidates); near != "" {
		return fmt.Sprintf("Did you mean %s?", near)
	}
	return ""
}

// packageNamed is the package that a file imports under a name.
func packageNamed(p *checked, f *file, name string) *types.Package {
	scope := p.info.Scopes[f.syntax]
	if scope == nil {
		return nil
	}
	if imported, ok := scope.Lookup(name).(*types.PkgName); ok {
		return imported.Imported()
	}
	return nil
}

func exported(scope *types.Scope) []string {
	var names []string
	for _, name := range scope.Names() {
		if token.IsExported(name) {
			names = append(names, name)
		}
	}
	return names
}

// namesInScope lists the names that can be seen at pos, innermost scope first.
func namesInScope(p *checked, pos token.Pos) []string {
	var names []string
	for scope := innermost(p, pos); scope != nil; scope = scope.Parent() {
		names = append(names, scope.Names()...)
	}
	return names
}

// innermost is the smallest scope that holds pos. The package's own scope does not know its extent while it is checked,
// so the scopes recorded so far are searched.
func innermost(p *checked, pos token.Pos) *types.Scope {
	var best *types.Scope
	var size token.Pos
	for node, scope := range p.info.Scopes {
		from, to := node.Pos(), node.End()
		if function, ok := node.(*ast.FuncType); ok { // its scope reaches to the end of the body
			to = max(to, scope.End())
			from = min(from, function.Pos())
		}
		if from <= pos && pos <= to && (best == nil || to-from < size) {
			best, size = scope, to-from
		}
	}
	return best
}

// membersAt lists the fields and methods that the selector at pos could have meant.
func membersAt(p *checked, pos token.Pos) []string {
	selector, ok := nodeAt[*ast.SelectorExpr](p, func(s *ast.SelectorExpr) bool { return s.Sel.Pos() == pos })
	if !ok {
		return nil
	}
	return members(p.info.Types[selector.X].Type, p.types)
}

// literalFields lists the fields of the struct whose literal has a key at pos.
func literalFields(p *checked, pos token.Pos) []string {
	literal, ok := nodeAt[*ast.CompositeLit](p, func(l *ast.CompositeLit) bool {
		for _, element := range l.Elts {
			if element.Pos() == pos {
				return true
			}
		}
		return false
	})
	if !ok {
		return nil
	}
	t := p.info.Types[literal].Type
	if t == nil && literal.Type != nil {
		t = p.info.Types[literal.Type].Type
	}
	return members(t, p.types)
}

// nodeAt finds the node of one kind that fits, among all files of the package.
func nodeAt[N ast.Node](p *checked, fits func(N) bool) (node N, ok bool) {
	for _, f := range p.unit.files {
		if !f.learner {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if candidate, is := n.(N); is && !ok && fits(candidate) {
				node, ok = candidate, true
			}
			return !ok
		})
	}
	return node, ok
}

// members lists the fields and methods of a type that code of a package may use, sorted.
func members(t types.Type, from *types.Package) []string {
	if t == nil {
		return nil
	}
	seen := map[string]bool{}
	add := func(o types.Object) {
		if o.Exported() || o.Pkg() == from {
			seen[o.Name()] = true
		}
	}
	methods := types.NewMethodSet(t)
	if _, isPointer := t.Underlying().(*types.Pointer); !isPointer && !types.IsInterface(t) {
		methods = types.NewMethodSet(types.NewPointer(t))
	}
	for m := range methods.Methods() {
		add(m.Obj())
	}
	under := t.Underlying()
	if pointer, ok := under.(*types.Pointer); ok {
		under = pointer.Elem().Underlying()
	}
	if structure, ok := under.(*types.Struct); ok {
		for field := range structure.Fields() {
			add(field)
		}
	}
	var names []string
	for name := range seen {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
