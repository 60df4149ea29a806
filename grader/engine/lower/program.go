package lower

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"
)

// Check returns what would be run wrong after lowering, sorted by position.
func Check(program []*Package, o Options) []Refusal {
	_, refusals, _ := Program(program, o)
	return refusals
}

// Program lowers a whole program, its packages given in dependency order. Refusals are for the student, and then there is
// no Lowered; an error is our own.
func Program(program []*Package, o Options) (lowered *Lowered, refusals []Refusal, err error) {
	c := newCompiler(program, o)
	defer func() {
		if r := recover(); r != nil {
			if stop, ok := r.(stopped); ok {
				err = stop.err
				return
			}
			err = fmt.Errorf("lower %s: %v", c.where(), r)
		}
	}()
	c.compile()
	if len(c.refusals) > 0 {
		return nil, c.sortedRefusals(), nil
	}
	return c.assemble(), nil, nil
}

// stopped is a panic of the compiler's own that carries an error.
type stopped struct{ err error }

// compiler lowers one program.
type compiler struct {
	options Options
	program []*Package
	own     map[*types.Package]*Package // packages that are lowered, the supplied library's included
	std     *library                    // the supplied parts of the standard library that the program uses; nil: none yet
	context *types.Context

	// Declarations of the packages.
	functions map[*types.Func]*declaration

	// Names and caches.
	counter        int
	keys           map[types.Type]string
	coreText       map[types.Type]string
	structNames    map[string]string
	localKeys      map[types.Type]string
	localInstances map[string]types.Type
	imports        map[string]string
	globals        map[*types.Var]string
	instances      map[string]string // key of a function instance: its core name
	values         map[string]string // key of a function value: the name of its maker
	descriptors    map[string]*descriptor
	descriptorList []*descriptor
	targets        map[string]string // key of an assertion's target: its name
	targetList     []string          // statements that make them
	dispatchers    map[string]*dispatcher
	dispatchList   []*dispatcher

	// Work and output.
	work      []func()
	late      []func() // work on functions of late files, while the others are lowered
	lateNow   bool     // the others are lowered
	structs   []string
	variables []string // package-level variables
	output    [][]line // functions, each a list of lines
	refusals  []Refusal
	precise   bool // the program looks at recovered values: run-time errors must have Go's text

	// The function being compiled.
	pkg    *Package
	env    environment
	facts  *facts
	fn     *function
	origin origin
	node   ast.Node
}

// declaration is a function of the program with its package.
type declaration struct {
	pkg  *Package
	decl *ast.FuncDecl
	late bool // its file is one of Options.Late
}

// line is a line of core text and where it comes from.
type line struct {
	text string
	from origin
}

func newCompiler(program []*Package, o Options) *compiler {
	c := &compiler{
		options: o, program: program,
		own: map[*types.Package]*Package{}, context: types.NewContext(),
		functions: map[*types.Func]*declaration{},
		keys:      map[types.Type]string{}, coreText: map[types.Type]string{}, structNames: map[string]string{},
		localKeys: map[types.Type]string{}, localInstances: map[string]types.Type{},
		imports: map[string]string{}, globals: map[*types.Var]string{}, instances: map[string]string{},
		values: map[string]string{}, descriptors: map[string]*descriptor{}, targets: map[string]string{},
		dispatchers: map[string]*dispatcher{},
	}
	for _, p := range program {
		c.adopt(p)
	}
	return c
}

// adopt registers the functions of a package that is to be lowered.
func (c *compiler) adopt(p *Package) {
	c.own[p.Types] = p
	for i, f := range p.Files {
		late := c.options.Late != nil && c.options.Late(p.Names[i])
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				if obj, ok := p.Info.Defs[d.Name].(*types.Func); ok {
					c.functions[obj] = &declaration{p, d, late}
				}
			}
		}
	}
}

func (c *compiler) fresh(hint string) string {
	c.counter++
	return fmt.Sprintf("%s_%d", ascii(hint), c.counter)
}

// ascii keeps letters, digits and underscores.
func ascii(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return 'u'
	}, name)
}

// importName is the name under which the core imports a compiled package.
func (c *compiler) importName(path string) string {
	if path == ObjectPath {
		c.imports[path] = "object"
		return "object"
	}
	name, ok := c.imports[path]
	if !ok {
		name = fmt.Sprintf("p%d_%s", len(c.imports), ascii(path[strings.LastIndexByte(path, '/')+1:]))
		c.imports[path] = name
	}
	return name
}

func (c *compiler) objectName(name string) string { return c.importName(ObjectPath) + "." + name }

// call is the text of a call of package object.
func (c *compiler) object(name string, args ...string) string {
	return c.objectName(name) + "(" + strings.Join(args, ", ") + ")"
}

// compile lowers every function that is not generic, and then whatever they need.
func (c *compiler) compile() {
	c.precise = c.looksAtRecovered()
	for _, p := range c.program {
		c.checkPackage(p)
	}
	c.compileEarly()
	c.drain()
	c.lateNow, c.work = true, c.late
	c.compileDeclarations()
	c.compileStart()
	c.drain()
	c.finishDispatch()
}

// compileEarly lowers what comes before the late files.
func (c *compiler) compileEarly() {
	entry := c.options.Entry
	if entry == nil {
		c.compileDeclarations()
		return
	}
	for _, p := range c.program {
		if p.Path != entry.Package {
			continue
		}
		if f, ok := p.Types.Scope().Lookup(entry.Function).(*types.Func); ok && c.functions[f] != nil {
			c.function(f, nil)
		}
	}
}

// compileDeclarations lowers the functions of the files whose turn it is.
func (c *compiler) compileDeclarations() {
	for _, p := range c.program {
		for _, f := range p.Files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name != "_" {
					c.compileDeclared(p, d)
				}
			}
		}
	}
}

func (c *compiler) compileDeclared(p *Package, d *ast.FuncDecl) {
	obj := p.Info.Defs[d.Name].(*types.Func)
	if c.functions[obj].late != c.lateNow {
		return
	}
	sig := obj.Signature()
	if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 || d.Name.Name == "init" && d.Recv == nil {
		return
	}
	c.function(obj, nil)
}

// queue has a function of a declaration lowered, when it is its turn.
func (c *compiler) queue(d *declaration, work func()) {
	if d.late && !c.lateNow {
		c.late = append(c.late, work)
		return
	}
	c.work = append(c.work, work)
}

func (c *compiler) drain() {
	for len(c.work) > 0 {
		next := c.work[0]
		c.work = c.work[1:]
		next()
	}
}

// compileStart writes the function that initialises all packages: variables in the order that the type checker found,
// then the init functions, package by package.
func (c *compiler) compileStart() {
	c.instances["start"] = "Start"
	c.fn = newFunction(nil, nil)
	for _, p := range c.program {
		c.pkg, c.env = p, nil
		c.initialise(p)
	}
	body := c.fn.lines
	c.fn = nil
	c.output = append(c.output, append(append([]line{{text: "func Start() {"}, {text: "\tdescribe()"}}, body...), line{text: "}"}))
}

func (c *compiler) initialise(p *Package) {
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.VAR {
				for _, s := range gen.Specs {
					for _, name := range s.(*ast.ValueSpec).Names {
						if v, ok := p.Info.Defs[name].(*types.Var); ok && v.Name() != "_" {
							c.global(v)
						}
					}
				}
			}
		}
	}
	for _, init := range p.Info.InitOrder {
		c.facts = c.analyse(init.Rhs, nil)
		c.fn.level = c.facts.root
		c.at(init.Rhs)
		if len(init.Lhs) == 1 {
			v := init.Lhs[0]
			if v.Name() == "_" {
				c.discard(c.value(init.Rhs, v.Type()), v.Type())
				continue
			}
			c.emit("%s = %s", c.global(v), c.value(init.Rhs, v.Type()))
			continue
		}
		values, from := c.tuple(init.Rhs)
		for i, v := range init.Lhs {
			if v.Name() != "_" {
				c.emit("%s = %s", c.global(v), c.convert(values[i], from[i], v.Type()))
			}
		}
	}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "init" {
				name := c.fresh("init")
				c.work = append(c.work, func() {
					c.compileFunction(name, p, d, p.Info.Defs[d.Name].(*types.Func).Signature(), nil, false)
				})
				c.emit("%s()", name)
			}
		}
	}
}

// global is the core's name of a package-level variable.
func (c *compiler) global(v *types.Var) string {
	name, ok := c.globals[v]
	if !ok {
		name = c.fresh("g_" + v.Name())
		c.globals[v] = name
		c.variables = append(c.variables, fmt.Sprintf("var %s %s", name, c.core(v.Type())))
	}
	return name
}

// assemble puts the text together.
func (c *compiler) assemble() *Lowered {
	l := &Lowered{Start: "Start", functions: map[string]string{}}
	for _, p := range c.program {
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			if f, ok := scope.Lookup(name).(*types.Func); ok {
				if core, ok := c.instances[c.instanceKey(f, nil)]; ok {
					l.functions[p.Path+"."+name] = core
				}
			}
		}
	}
	describe := c.describe()
	var text bytes.Buffer
	write := func(s string, from origin) {
		text.WriteString(s)
		text.WriteByte('\n')
		for range strings.Count(s, "\n") + 1 {
			l.lines = append(l.lines, from)
		}
	}
	write("package program", origin{})
	paths := make([]string, 0, len(c.imports))
	for path := range c.imports {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		write(fmt.Sprintf("import %s %q", c.imports[path], path), origin{})
	}
	for _, s := range c.structs {
		write(strings.TrimSuffix(s, "\n"), origin{})
	}
	for _, v := range c.variables {
		write(v, origin{})
	}
	for _, f := range append(c.output, describe) {
		for _, line := range f {
			if line.text != "" {
				write(line.text, line.from)
			}
		}
	}
	l.Text = text.Bytes()
	return l
}

// at notes that what is emitted from here on comes from node.
func (c *compiler) at(node ast.Node) {
	if node == nil || !node.Pos().IsValid() || c.pkg == nil {
		return
	}
	c.node = node
	c.origin = c.place(node.Pos())
}

func (c *compiler) place(pos token.Pos) origin {
	if c.std != nil && c.std.holds(c.pkg) {
		return origin{}
	}
	p := c.pkg.Fset.PositionFor(pos, false)
	return origin{p.Filename, p.Line}
}

func (c *compiler) where() string {
	return fmt.Sprintf("%s:%d", c.origin.file, c.origin.line)
}

// emit adds a line to the function being compiled.
func (c *compiler) emit(format string, args ...any) {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	c.fn.lines = append(c.fn.lines, line{text, c.origin})
}

// aside collects what f emits instead of adding it to the function.
func (c *compiler) aside(f func()) []line {
	saved := c.fn.lines
	c.fn.lines = nil
	f()
	lines := c.fn.lines
	c.fn.lines = saved
	return lines
}

func (c *compiler) append(lines []line) { c.fn.lines = append(c.fn.lines, lines...) }

// temp emits text as the value of a fresh local and returns its name.
func (c *compiler) temp(text string) string {
	name := c.fresh("t")
	c.emit("%s := %s", name, text)
	return name
}

// variable declares a fresh local of a core type and returns its name.
func (c *compiler) variable(core string) string {
	name := c.fresh("t")
	c.emit("var %s %s", name, core)
	return name
}
