package engine

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"fieldbook/grader"
)

// declared is a package-level name of a file.
type declared struct {
	ident *ast.Ident
	file  *file
}

// names calls visit for every package-level name that the file declares, imports and methods left out.
func (f *file) names(visit func(*ast.Ident)) {
	for _, decl := range f.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				visit(decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					visit(spec.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						visit(name)
					}
				}
			}
		}
	}
}

// checkPackage holds the package clause to the package that the file belongs to.
func (f *file) checkPackage(want string) []grader.Diagnostic {
	if got := f.syntax.Name.Name; got != want {
		return []grader.Diagnostic{f.node(codePackage, f.syntax.Name, fmt.Sprintf("this is package %s; the file belongs to package %s", got, want),
			fmt.Sprintf("Write: package %s", want))}
	}
	return nil
}

// functionName is the name in the declaration of a function, nil when the file declares none of that name.
func (f *file) functionName(name string) *ast.Ident {
	for _, decl := range f.syntax.Decls {
		if function, ok := decl.(*ast.FuncDecl); ok && function.Recv == nil && function.Name.Name == name {
			return function.Name
		}
	}
	return nil
}

// checkFunctions asks that each declared function is there, once, as a function. Its type is compared later, when types
// are known.
func (f *file) checkFunctions() []grader.Diagnostic {
	var found []grader.Diagnostic
	for _, spec := range f.specs {
		var functions, methods []*ast.FuncDecl
		for _, decl := range f.syntax.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Name.Name == spec.Name {
				if function.Recv == nil {
					functions = append(functions, function)
				} else {
					methods = append(methods, function)
				}
			}
		}
		switch {
		case len(functions) > 1:
			first := f.lineOf(functions[0].Name.Pos())
			for _, again := range functions[1:] {
				found = append(found, f.node(codeTwice, again.Name, fmt.Sprintf("%s is declared twice; the first is on line %d", spec.Name, first),
					"Keep one of them."))
			}
		case len(functions) == 1:
		case len(methods) > 0:
			found = append(found, f.node(codeMethod, methods[0].Name, spec.Name+" is a method here; it must be a function",
				"Declare it without a receiver: "+declaration(spec)))
		default:
			found = append(found, f.missing(spec))
		}
	}
	return found
}

// missing is the diagnostic for a function that the file does not declare.
func (f *file) missing(spec FunctionSpec) grader.Diagnostic {
	hint := "Declare: " + declaration(spec)
	var functions []string
	byName := map[string]*ast.Ident{}
	f.names(func(ident *ast.Ident) {
		byName[ident.Name] = ident
		functions = append(functions, ident.Name)
	})
	near := nearest(spec.Name, functions)
	if near == "" {
		return f.whole(codeMissing, "the file does not declare "+spec.Name, hint)
	}
	return f.node(codeMissing, byName[near], fmt.Sprintf("the file declares %s, and not %s", near, spec.Name), hint)
}

// declaration is how a spec's function is declared.
func declaration(spec FunctionSpec) string {
	const keyword = "func"
	if len(spec.Signature) > len(keyword) {
		return "func " + spec.Name + spec.Signature[len(keyword):]
	}
	return "func " + spec.Name + "()"
}

// checkMain asks for the function at which a program that stands alone starts.
func (f *file) checkMain() []grader.Diagnostic {
	if f.functionName("main") != nil {
		return nil
	}
	return []grader.Diagnostic{f.whole(codeMissing, "function main is undeclared in the main package", "Declare: func main()")}
}

// checkBodies refuses functions without a body: the type-checker takes them to be written in another language.
func (f *file) checkBodies() []grader.Diagnostic {
	var found []grader.Diagnostic
	for _, decl := range f.syntax.Decls {
		if function, ok := decl.(*ast.FuncDecl); ok && function.Body == nil {
			found = append(found, f.node(codeBody, function.Name, "missing function body", "Write its body between { and }, the brace on the line of func."))
		}
	}
	return found
}

// checkInit refuses functions named init.
func (f *file) checkInit() []grader.Diagnostic {
	var found []grader.Diagnostic
	for _, decl := range f.syntax.Decls {
		if function, ok := decl.(*ast.FuncDecl); ok && function.Recv == nil && function.Name.Name == "init" {
			found = append(found, f.node(codeInit, function.Name, "a function init is not accepted in this file",
				"Move what it does into the function that needs it."))
		}
	}
	return found
}

// checkNames refuses package-level names that the rest of the package already has, or that would change what Go's own
// names or the imports of other files mean there.
func (f *file) checkNames(others []*file) []grader.Diagnostic {
	taken := map[string]declared{}
	imports := map[string]declared{}
	for _, other := range others {
		if other == f || (other.learner && other.path > f.path) {
			continue // of two learner files the second is told
		}
		other.names(func(ident *ast.Ident) {
			if !free(ident.Name) {
				taken[ident.Name] = declared{ident, other}
			}
		})
		for _, i := range other.imports() {
			name := ast.NewIdent(path.Base(i.path))
			if i.spec.Name != nil {
				name = i.spec.Name
			}
			imports[name.Name] = declared{name, other}
		}
	}
	var found []grader.Diagnostic
	f.names(func(ident *ast.Ident) {
		if free(ident.Name) {
			return
		}
		const hint = "Choose another name."
		if first, ok := taken[ident.Name]; ok {
			found = append(found, f.node(codeRedeclared, ident, ident.Name+" redeclared in this package",
				fmt.Sprintf("The other declaration is in %s, line %d. %s", first.file.name, first.file.lineOf(first.ident.Pos()), hint)))
		} else if by, ok := imports[ident.Name]; ok {
			found = append(found, f.node(codeRedeclared, ident, fmt.Sprintf("%s is the name of a package that %s imports", ident.Name, by.file.name), hint))
		} else if types.Universe.Lookup(ident.Name) != nil {
			found = append(found, f.node(codeRedeclared, ident, ident.Name+" is one of Go's own names; the rest of the package uses it", hint))
		}
	})
	return found
}

// free reports whether any number of declarations of a name may stand in one package.
func free(name string) bool { return name == "_" || name == "init" }

// lineOf is the line of a position of this file.
func (f *file) lineOf(p token.Pos) int { return f.at("", f.offset(p), 0, "", "").Line }

// signatureSource is a file that declares the types that specs ask for, as S0, S1, …, and the packages it imports for
// the names in them. byBase finds a package by the last element of its path.
func signatureSource(importPath string, specs []FunctionSpec, byBase map[string]string) (source string, imports []string, err error) {
	var body strings.Builder
	for i, spec := range specs {
		signature, err := parser.ParseExpr(spec.Signature)
		if err != nil {
			return "", nil, fmt.Errorf("the declared signature of %s: %w", spec.Name, err)
		}
		for _, base := range qualifiers(signature) {
			p, ok := byBase[base]
			if !ok {
				return "", nil, fmt.Errorf("the declared signature of %s names a package %s that is not offered", spec.Name, base)
			}
			if !slices.Contains(imports, p) {
				imports = append(imports, p)
			}
		}
		fmt.Fprintf(&body, "type S%d = %s\n", i, spec.Signature)
	}
	var head strings.Builder
	fmt.Fprintf(&head, "package signatures\nimport . %q\n", importPath) // for exported types of the package itself
	for _, p := range imports {
		fmt.Fprintf(&head, "import %q\n", p)
	}
	return head.String() + body.String(), imports, nil
}

// qualifiers lists the package names in a type, in order of appearance.
func qualifiers(t ast.Expr) []string {
	var names []string
	ast.Inspect(t, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if name, ok := selector.X.(*ast.Ident); ok {
				names = append(names, name.Name)
			}
		}
		return true
	})
	return names
}

// parseWhole parses text of ours.
func parseWhole(files *token.FileSet, text string) (*ast.File, error) {
	return parser.ParseFile(files, "", text, parser.SkipObjectResolution)
}
