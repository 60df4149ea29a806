package object

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Format prints the value as package fmt prints Go's own: it follows fmt's printValue, with descriptors in place of
// reflection's types.
func (b Boxed) Format(s fmt.State, verb rune) {
	p := &printer{State: s, verb: verb, format: fmt.FormatString(s, verb)}
	p.plus, p.sharp = s.Flag('+') && verb == 'v', s.Flag('#') && verb == 'v'
	p.print(b.t, reflect.ValueOf(b.v), 0, true)
}

type printer struct {
	fmt.State
	verb        rune
	format      string
	plus, sharp bool
}

func (p *printer) write(text string) { _, _ = p.Write([]byte(text)) }

// print prints v of type t. public: no unexported field has been passed, so methods may be called.
func (p *printer) print(t *Type, v reflect.Value, depth int, public bool) {
	if t.isIface {
		p.printInterface(t, v, depth, public)
		return
	}
	if t.plain {
		p.printPlain(v, depth, public)
		return
	}
	if v.Kind() == reflect.Interface { // a field that the core holds in an any
		if v = v.Elem(); !v.IsValid() {
			p.printNil(t)
			return
		}
	}
	if public && p.byMethod(t, v) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		p.printStruct(t, v, depth, public)
	case reflect.Map:
		p.printMap(t, v, depth, public)
	case reflect.Pointer:
		p.printPointer(t, v, depth, public)
	case reflect.Slice, reflect.Array:
		p.printList(t, v, depth, public)
	default:
		p.leaf(t, v)
	}
}

// leaf prints a value of a basic kind, or a func or channel, which have no parts.
func (p *printer) leaf(t *Type, v reflect.Value) {
	text := fmt.Sprintf(p.format, v.Interface())
	if strings.HasPrefix(text, "%!") {
		text = strings.Replace(text, "("+v.Type().String()+"=", "("+t.name+"=", 1)
	}
	p.write(text)
}

// printNil prints the nil of a type whose core value was held in an any, and so is gone.
func (p *printer) printNil(t *Type) {
	switch t.kind {
	case reflect.Slice, reflect.Map:
		switch {
		case p.sharp:
			p.write(t.name + "(nil)")
		case t.kind == reflect.Map:
			p.write("map[]")
		default:
			p.write("[]")
		}
	default:
		if p.sharp {
			p.write("(" + t.name + ")(nil)")
			return
		}
		p.leaf(t, reflect.ValueOf((*int)(nil)))
	}
}

// printPlain prints a value of a compiled or basic type inside one of the program's.
func (p *printer) printPlain(v reflect.Value, depth int, public bool) {
	switch v.Kind() {
	case reflect.Invalid:
		p.write("<nil>")
		return
	case reflect.Pointer:
		if depth > 0 && (!public || !hasPrintMethod(v.Type())) {
			p.address(v)
			return
		}
	}
	if !public && v.Type().NumMethod() > 0 {
		p.write(p.withoutMethods(v))
		return
	}
	p.write(fmt.Sprintf(p.format, v.Interface()))
}

func hasPrintMethod(t reflect.Type) bool {
	for _, i := range []reflect.Type{reflect.TypeFor[fmt.Formatter](), reflect.TypeFor[error](), reflect.TypeFor[fmt.Stringer]()} {
		if t.Implements(i) {
			return true
		}
	}
	return false
}

// address prints a pointer inside another value.
func (p *printer) address(v reflect.Value) {
	if v.IsNil() {
		if p.sharp {
			p.write("(" + v.Type().String() + ")(nil)")
			return
		}
		p.write("<nil>")
		return
	}
	if p.verb == 'v' {
		p.write(fmt.Sprintf("%p", v.Interface()))
		return
	}
	p.write(fmt.Sprintf(p.format, v.Pointer()))
}

// withoutMethods prints a value that lies in an unexported field: fmt does not call its methods. It stands in an unexported
// field of a struct made for it, whose braces are cut off.
func (p *printer) withoutMethods(v reflect.Value) string {
	s := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "v", PkgPath: "main", Type: v.Type()}})).Elem()
	hidden := reflect.NewAt(v.Type(), s.Field(0).Addr().UnsafePointer()).Elem()
	hidden.Set(v)
	text := fmt.Sprintf(strings.Replace(p.format, "+", "", 1), s.Interface())
	if p.sharp {
		_, text, _ = strings.Cut(text, "{v:")
		return strings.TrimSuffix(text, "}")
	}
	if p.plus {
		return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf(p.format, s.Interface()), "{v:"), "}")
	}
	return strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
}

// byMethod prints a value by its own methods, if it has any for the verb.
func (p *printer) byMethod(t *Type, v reflect.Value) (done bool) {
	name := ""
	switch {
	case t.has("Format") && t.methods["Format"].Type().NumIn() == 3:
		name = "Format"
	case p.sharp:
		if t.has("GoString") {
			name = "GoString"
		}
	default:
		if strings.ContainsRune("vsxXq", p.verb) {
			if t.isStringMethod("Error") {
				name = "Error"
			} else if t.isStringMethod("String") {
				name = "String"
			}
		}
	}
	if name == "" {
		return false
	}
	defer func() {
		if r := recover(); r != nil {
			if v.Kind() == reflect.Pointer && v.IsNil() {
				p.write("<nil>")
			} else {
				p.write(fmt.Sprintf("%%!%c(PANIC=%s method: %v)", p.verb, name, Value(r)))
			}
			done = true
		}
	}()
	if name == "Format" {
		state := reflect.New(reflect.TypeFor[fmt.State]()).Elem()
		state.Set(reflect.ValueOf(p.State))
		t.call(name, v, state, reflect.ValueOf(p.verb))
		return true
	}
	text := t.call(name, v)[0].String()
	if name == "GoString" {
		p.write(text)
		return true
	}
	p.write(fmt.Sprintf(p.format, text))
	return true
}

func (t *Type) isStringMethod(name string) bool {
	return t.has(name) && isErrorMethod(t.methods[name].Type())
}

func (p *printer) printInterface(t *Type, v reflect.Value, depth int, public bool) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		if p.sharp {
			p.write(t.name + "(nil)")
		} else {
			p.write("<nil>")
		}
		return
	}
	if b, ok := boxOf(v.Interface()); ok {
		p.print(b.t, reflect.ValueOf(b.v), depth+1, public)
		return
	}
	p.printPlain(v, depth+1, public)
}

func (p *printer) printStruct(t *Type, v reflect.Value, depth int, public bool) {
	if p.sharp {
		p.write(t.name)
	}
	p.write("{")
	for i, f := range t.fields {
		if i > 0 {
			p.separate()
		}
		if p.plus || p.sharp {
			p.write(f.Name + ":")
		}
		p.print(f.typ, v.Field(i), depth+1, public && f.Exported)
	}
	p.write("}")
}

func (p *printer) separate() {
	if p.sharp {
		p.write(", ")
	} else {
		p.write(" ")
	}
}

func (p *printer) printMap(t *Type, v reflect.Value, depth int, public bool) {
	end := "]"
	if p.sharp {
		p.write(t.name)
		if v.IsNil() {
			p.write("(nil)")
			return
		}
		p.write("{")
		end = "}"
	} else {
		p.write("map[")
	}
	keys := v.MapKeys()
	slices.SortStableFunc(keys, compareKeys)
	for i, k := range keys {
		if i > 0 {
			p.separate()
		}
		p.print(t.key, k, depth+1, public)
		p.write(":")
		p.print(t.elem, v.MapIndex(k), depth+1, public)
	}
	p.write(end)
}

// compareKeys orders map keys as fmt does.
func compareKeys(a, b reflect.Value) int {
	switch a.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Bool:
		if a.Bool() == b.Bool() {
			return 0
		}
		if b.Bool() {
			return -1
		}
		return 1
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareKeys(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if c := compareKeys(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case reflect.Pointer, reflect.Chan:
		return cmp.Compare(a.Pointer(), b.Pointer())
	case reflect.Interface:
		return compareInterfaceKeys(a, b)
	}
	return 0
}

func compareInterfaceKeys(a, b reflect.Value) int {
	if a.IsNil() || b.IsNil() {
		return cmp.Compare(boolInt(!a.IsNil()), boolInt(!b.IsNil()))
	}
	x, y := a.Interface(), b.Interface()
	if c := cmp.Compare(ID(x), ID(y)); c != 0 {
		return c
	}
	u, v := reflect.ValueOf(Raw(x)), reflect.ValueOf(Raw(y))
	if u.Type() != v.Type() {
		return cmp.Compare(u.Kind(), v.Kind())
	}
	return compareKeys(u, v)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (p *printer) printPointer(t *Type, v reflect.Value, depth int, public bool) {
	if v.IsNil() {
		if p.sharp {
			p.write("(" + t.name + ")(nil)")
			return
		}
		p.leaf(t, v)
		return
	}
	if depth == 0 {
		switch v.Elem().Kind() {
		case reflect.Array, reflect.Slice, reflect.Struct, reflect.Map:
			p.write("&")
			p.print(t.elem, v.Elem(), depth+1, public)
			return
		}
	}
	if p.sharp {
		p.write(fmt.Sprintf("(%s)(%p)", t.name, v.Interface()))
		return
	}
	p.address(v)
}

func (p *printer) printList(t *Type, v reflect.Value, depth int, public bool) {
	if strings.ContainsRune("sqxX", p.verb) && v.Type().Elem().Kind() == reflect.Uint8 {
		p.leaf(t, v)
		return
	}
	if p.sharp {
		p.write(t.name)
		if v.Kind() == reflect.Slice && v.IsNil() {
			p.write("(nil)")
			return
		}
		p.write("{")
	} else {
		p.write("[")
	}
	for i := range v.Len() {
		if i > 0 {
			p.separate()
		}
		p.print(t.elem, v.Index(i), depth+1, public)
	}
	if p.sharp {
		p.write("}")
	} else {
		p.write("]")
	}
}
