package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// found is a text of the interface in the program's source.
type found struct {
	key   string
	place token.Position
	prose bool // a literal that reads like prose and that nothing shows to be translated
}

// shown are the functions and methods that translate, or whose results are translated where they are shown, with the numbers
// of those arguments.
func shown() map[string][]int {
	return map[string][]int{
		"Say": {0}, "plural": {1, 2}, "pluralOf": {2, 3}, "Format": {0}, "Key": {0}, "Message": {0},
		"say": {0}, "para": {0}, "item": {1}, "section": {0}, "ask": {0}, "pick": {0}, "text": {0}, // printers and the line mode
		"usage": {1, 2}, "scenarioUsage": {1, 2},
		// errors of the packages below
		"invalid": {1, 2}, "unusable": {0}, "refused": {1, 2}, "damaged": {}, "foreign": {},
		// the usage of flags is their last argument
		"BoolVar": {-1}, "StringVar": {-1}, "StringArrayVar": {-1}, "StringSliceVar": {-1}, "IntVar": {-1},
	}
}

// shownFields are the fields of composite literals that hold texts, by the type's name.
func shownFields() map[string][]string {
	return map[string][]string{
		"Error": {"Message", "Hint"}, "Command": {"Short"}, "machineCheck": {"Found", "Hint"}, "Kept": {"Name", "Detail"}, "Pane": {"Title"},
	}
}

// positional are literals without names of fields, with the numbers of the elements that are texts.
func positional() map[string][]int {
	return map[string][]int{"choice": {1}, "tourStop": {0}, "binding": {1, 2}}
}

// silent are calls whose literals no student reads: errors that are ours and go to the log, reasons of backups, patterns.
func silent() []string {
	return []string{"Errorf", "New", "panic", "Backup", "Overwrite", "MustCompile", "Getenv", "getenv", "Sscanf", "writePrediction", "Complaint", "complain"}
}

var proseLike = regexp.MustCompile(`[A-Za-zé]{2,}[,:.;]? +[A-Za-z%]`)

// extract finds the texts in the packages below the folders.
func extract(t *testing.T, folders ...string) []found {
	t.Helper()
	var list []found
	files := token.NewFileSet()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if name := d.Name(); name == "testdata" || name == "lang" || name == "stubs" {
					return filepath.SkipDir
				}
				return nil
			}
			if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			e := extractor{files: files, covered: map[ast.Node]bool{}}
			ast.Inspect(file, e.visit)
			ast.Inspect(file, e.leftovers)
			list = append(list, e.list...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

type extractor struct {
	files   *token.FileSet
	covered map[ast.Node]bool // literals that are keys, or that no student reads
	list    []found
}

// visit takes the texts of calls and of composite literals.
func (e *extractor) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		name := nameOf(n.Fun)
		for _, i := range shown()[name] {
			if i < 0 {
				i += len(n.Args)
			}
			if i < len(n.Args) && i >= 0 {
				e.take(n.Args[i])
			}
		}
		if slices.Contains(silent(), name) {
			for _, arg := range n.Args {
				e.cover(arg)
			}
		}
	case *ast.CompositeLit:
		name := nameOf(n.Type)
		fields := shownFields()[name]
		for _, element := range n.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				if key, _ := pair.Key.(*ast.Ident); key != nil && slices.Contains(fields, key.Name) {
					e.take(pair.Value)
				}
				if key, _ := pair.Key.(*ast.Ident); key != nil && name == "Command" {
					if key.Name == "Long" {
						long, _, _ := strings.Cut(e.format(pair.Value), "\n\nJSON: ")
						e.list = append(e.list, found{key: long, place: e.files.Position(pair.Value.Pos())})
					}
					e.cover(pair.Value) // Use is the same in every language
				}
			}
		}
		e.takePositional(name, n)
		if list, ok := n.Type.(*ast.ArrayType); ok {
			for _, element := range n.Elts {
				if one, ok := element.(*ast.CompositeLit); ok && one.Type == nil {
					e.takePositional(nameOf(list.Elt), one)
					e.takeFields(nameOf(list.Elt), one)
				}
			}
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if selector, ok := left.(*ast.SelectorExpr); ok && i < len(n.Rhs) && slices.Contains([]string{"Found", "Hint", "Message", "notice", "busy"}, selector.Sel.Name) {
				e.take(n.Rhs[i])
			}
		}
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		if n.Tag != nil {
			e.covered[n.Tag] = true
		}
	}
	return true
}

func (e *extractor) takePositional(name string, n *ast.CompositeLit) {
	for _, i := range positional()[name] {
		if i < len(n.Elts) {
			if _, named := n.Elts[i].(*ast.KeyValueExpr); !named {
				e.take(n.Elts[i])
			}
		}
	}
}

func (e *extractor) takeFields(name string, n *ast.CompositeLit) {
	for _, element := range n.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if key, _ := pair.Key.(*ast.Ident); key != nil && slices.Contains(shownFields()[name], key.Name) {
				e.take(pair.Value)
			}
		}
	}
}

// take notes the text that an expression makes. What is not a literal in it becomes a verb.
func (e *extractor) take(x ast.Expr) {
	key := e.format(x)
	if strings.Contains(key, "15:04") {
		return // the form of a time: package time has a method Format too
	}
	if strings.Trim(verb().ReplaceAllString(key, ""), " .,:;()…\n") == "" {
		return
	}
	e.list = append(e.list, found{key: key, place: e.files.Position(x.Pos())})
}

func (e *extractor) format(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		e.covered[x] = true
		if text, err := strconv.Unquote(x.Value); err == nil {
			return text
		}
	case *ast.ParenExpr:
		return e.format(x.X)
	case *ast.BinaryExpr:
		return e.format(x.X) + e.format(x.Y)
	case *ast.CallExpr:
		if name := nameOf(x.Fun); len(x.Args) > 0 && (name == "Sprintf" || name == "Key") {
			return e.format(x.Args[0])
		}
	}
	return "%s"
}

// cover says of all literals in an expression that they need no translation.
func (e *extractor) cover(x ast.Node) {
	ast.Inspect(x, func(n ast.Node) bool {
		if _, call := n.(*ast.FuncLit); call {
			return false
		}
		if literal, ok := n.(*ast.BasicLit); ok {
			e.covered[literal] = true
		}
		return true
	})
}

// leftovers notes literals that read like prose and are not covered.
func (e *extractor) leftovers(n ast.Node) bool {
	if _, ok := n.(*ast.ImportSpec); ok {
		return false
	}
	literal, ok := n.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING || e.covered[literal] {
		return true
	}
	if text, err := strconv.Unquote(literal.Value); err == nil && proseLike.MatchString(text) {
		e.list = append(e.list, found{key: text, place: e.files.Position(literal.Pos()), prose: true})
	}
	return true
}

func nameOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.StarExpr:
		return nameOf(x.X)
	}
	return ""
}
