// Package stubs writes what a workspace holds of the supplied packages: their API alone, with comments and without
// bodies, so that any editor with gopls opens a student's file without errors and offline. The text is made from the
// export data that the type-checker uses, so it cannot say anything else than the checker does; the comments come from the
// supplied sources. It runs in the parent.
package stubs

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"fieldbook/grader/engine/export"
	"fieldbook/grader/engine/offered"
	teaching "fieldbook/runtime"
)

// inside begins the import paths of the runtime's packages.
const inside = offered.Module + "/"

// File is one stub: its slash path in the workspace and its text.
type File struct {
	Path string
	Text []byte
}

// Generate makes the stubs of the supplied packages that a student may import, and of every runtime package that their
// API mentions.
func Generate() ([]File, error) {
	packages, err := export.New()
	if err != nil {
		return nil, err
	}
	paths := offered.Supplied()
	if err := packages.Load(paths); err != nil {
		return nil, err
	}
	packages.RLock()
	defer packages.RUnlock()
	var queue []*types.Package
	for _, p := range paths {
		pkg := packages.Lookup(p)
		if pkg == nil {
			return nil, fmt.Errorf("no export data for %s", p)
		}
		queue = append(queue, pkg)
	}
	var files []File
	done := map[string]bool{}
	for len(queue) > 0 {
		pkg := queue[0]
		queue = queue[1:]
		if done[pkg.Path()] {
			continue
		}
		done[pkg.Path()] = true
		s := stub{pkg: pkg, docs: comments(strings.TrimPrefix(pkg.Path(), inside)), imports: map[string]*types.Package{}}
		file, err := s.file()
		if err != nil {
			return nil, err
		}
		files = append(files, file)
		for _, other := range s.imports {
			if strings.HasPrefix(other.Path(), inside) {
				queue = append(queue, other)
			}
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// stub is one package on its way to text.
type stub struct {
	pkg     *types.Package
	docs    map[string]string
	imports map[string]*types.Package
	body    bytes.Buffer
}

// Name is the name of every stub's file.
const Name = "supplied.go"

func (s *stub) file() (File, error) {
	folder := strings.TrimPrefix(s.pkg.Path(), inside)
	written := map[string]bool{}
	for {
		more := s.wanted(written)
		if len(more) == 0 {
			break
		}
		for _, name := range more {
			written[name] = true
			s.object(s.pkg.Scope().Lookup(name))
		}
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "// SUPPLIED: the API of this package. `fieldbook source` lists its real files and prints them.\n//\n")
	fmt.Fprintf(&text, "%spackage %s\n\n", s.docs[""], s.pkg.Name())
	for _, p := range slices.Sorted(maps.Keys(s.imports)) {
		fmt.Fprintf(&text, "import %q\n", p)
	}
	text.WriteString("\n")
	text.Write(s.body.Bytes())
	formatted, err := format.Source(text.Bytes())
	if err != nil {
		return File{}, fmt.Errorf("the stub of %s is no Go: %w", s.pkg.Path(), err)
	}
	return File{Path: path.Join(folder, Name), Text: formatted}, nil
}

// wanted are the names that are still to be written: the exported ones, and unexported types that the text mentions.
func (s *stub) wanted(written map[string]bool) []string {
	var names []string
	for _, name := range s.pkg.Scope().Names() {
		_, isType := s.pkg.Scope().Lookup(name).(*types.TypeName)
		mentioned := isType && regexp.MustCompile(`\b`+name+`\b`).Match(s.body.Bytes())
		if !written[name] && (token.IsExported(name) || mentioned) {
			names = append(names, name)
		}
	}
	return names
}

// qualify names a package in a type and notes that it is imported.
func (s *stub) qualify(p *types.Package) string {
	if p == s.pkg {
		return ""
	}
	s.imports[p.Path()] = p
	return p.Name()
}

func (s *stub) typ(t types.Type) string { return types.TypeString(t, s.qualify) }

// signature is a function's type without the word func.
func (s *stub) signature(sig *types.Signature) string {
	return strings.TrimPrefix(types.TypeString(sig, s.qualify), "func")
}

func (s *stub) object(o types.Object) {
	s.body.WriteString(s.docs[o.Name()])
	switch o := o.(type) {
	case *types.Const:
		if basic, ok := o.Type().(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 {
			fmt.Fprintf(&s.body, "const %s = %s\n\n", o.Name(), o.Val().ExactString())
		} else {
			fmt.Fprintf(&s.body, "const %s %s = %s\n\n", o.Name(), s.typ(o.Type()), o.Val().ExactString())
		}
	case *types.Var:
		fmt.Fprintf(&s.body, "var %s %s\n\n", o.Name(), s.typ(o.Type()))
	case *types.Func:
		fmt.Fprintf(&s.body, "func %s%s { panic(\"SUPPLIED\") }\n\n", o.Name(), s.signature(o.Signature()))
	case *types.TypeName:
		s.typeName(o)
	}
}

func (s *stub) typeName(o *types.TypeName) {
	named, ok := o.Type().(*types.Named)
	if o.IsAlias() || !ok {
		fmt.Fprintf(&s.body, "type %s = %s\n\n", o.Name(), s.typ(types.Unalias(o.Type())))
		return
	}
	fmt.Fprintf(&s.body, "type %s %s\n\n", o.Name(), s.underlying(named.Underlying()))
	for m := range named.Methods() {
		if !m.Exported() {
			continue
		}
		s.body.WriteString(s.docs[o.Name()+"."+m.Name()])
		receiver := o.Name()
		if _, pointer := m.Signature().Recv().Type().(*types.Pointer); pointer {
			receiver = "*" + receiver
		}
		fmt.Fprintf(&s.body, "func (%s) %s%s { panic(\"SUPPLIED\") }\n\n", receiver, m.Name(), s.signature(m.Signature()))
	}
}

// underlying is a type's text; of a struct, the exported fields.
func (s *stub) underlying(t types.Type) string {
	structure, ok := t.(*types.Struct)
	if !ok {
		return s.typ(t)
	}
	var b strings.Builder
	b.WriteString("struct {\n")
	hidden := false
	for f := range structure.Fields() {
		switch {
		case !f.Exported():
			hidden = true
		case f.Embedded():
			fmt.Fprintf(&b, "\t%s\n", s.typ(f.Type()))
		default:
			fmt.Fprintf(&b, "\t%s %s\n", f.Name(), s.typ(f.Type()))
		}
	}
	if hidden {
		b.WriteString("\t_ struct{} // it has unexported fields\n")
	}
	b.WriteString("}")
	return b.String()
}

// comments are the doc comments of a supplied folder's declarations, by name ("Tx.Exec" for methods, "" for the package),
// each ready to stand before one.
func comments(folder string) map[string]string {
	docs := map[string]string{}
	for _, file := range teaching.SuppliedFiles() {
		if path.Dir(file) != folder {
			continue
		}
		text, err := teaching.Source(file)
		if err != nil {
			continue
		}
		// A comment that cannot be read is a comment that is missing: the API does not depend on it.
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		keep := func(name string, groups ...*ast.CommentGroup) {
			for _, g := range groups {
				if g != nil && docs[name] == "" {
					docs[name] = comment(g.Text())
				}
			}
		}
		keep("", parsed.Doc)
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				keep(functionName(d), d.Doc)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						keep(spec.Name.Name, spec.Doc, d.Doc)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							keep(name.Name, spec.Doc, spec.Comment, d.Doc)
						}
					}
				}
			}
		}
	}
	return docs
}

// functionName is a function's name, with its receiver's for a method.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

func comment(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		b.WriteString(strings.TrimRight("// "+strings.TrimRight(line, "\n"), " ") + "\n")
	}
	return b.String()
}
