package object

import (
	"fmt"
	"reflect"
	"strings"
)

// Target is what a type assertion or a case of a type switch asks for.
type Target struct {
	isNil   bool
	boxed   *Type        // a declared type, or one made of them
	plain   reflect.Type // any other concrete type
	iface   reflect.Type // an interface of a compiled package
	methods []string     // an interface of the program: its methods, with signatures
	open    bool
	name    string
}

// ToNil asks for nil.
func ToNil() *Target { return &Target{isNil: true} }

// ToType asks for a type of the program.
func ToType(t *Type) *Target { return &Target{boxed: t, name: t.name} }

// ToPlain asks for the type that p points to.
func ToPlain(p any) *Target {
	t := reflect.TypeOf(p).Elem()
	return &Target{plain: t, name: typeName(t)}
}

// ToInterface asks for a compiled interface.
func ToInterface(p any, name string) *Target {
	return &Target{iface: reflect.TypeOf(p).Elem(), name: name}
}

// ToMethods asks for an interface of the program.
func ToMethods(methods, name string) *Target {
	t := &Target{open: true, name: name}
	if methods != "" {
		t.methods = strings.Split(methods, ";")
	}
	return t
}

// matches reports whether the value x is what the target asks for; missing names a method that it lacks.
func (t *Target) matches(x any) (ok bool, missing string) {
	if x == nil {
		return t.isNil, ""
	}
	b, boxed := boxOf(x)
	switch {
	case t.isNil:
		return false, ""
	case t.boxed != nil:
		return boxed && b.t == t.boxed, ""
	case t.plain != nil:
		return !boxed && reflect.TypeOf(x) == t.plain, ""
	case t.iface != nil:
		if !boxed {
			r := reflect.TypeOf(x)
			return r.Implements(t.iface), missingOf(r, t.iface)
		}
		for i := range t.iface.NumMethod() {
			if name := t.iface.Method(i).Name; !b.t.hasNamed(name) {
				return false, name
			}
		}
		return true, ""
	}
	for _, m := range t.methods {
		name := m[:strings.IndexByte(m, '(')]
		if boxed {
			if !b.t.methodSet[m] {
				return false, name
			}
			continue
		}
		if _, ok := reflect.TypeOf(x).MethodByName(name); !ok {
			return false, name
		}
	}
	return true, ""
}

func missingOf(t, iface reflect.Type) string {
	for i := range iface.NumMethod() {
		if _, ok := t.MethodByName(iface.Method(i).Name); !ok {
			return iface.Method(i).Name
		}
	}
	return ""
}

// hasNamed reports whether the type's method set has an exported method of the name.
func (t *Type) hasNamed(name string) bool {
	if t.has(name) {
		return true
	}
	for m := range t.methodSet {
		if strings.HasPrefix(m, name+"(") {
			return true
		}
	}
	return false
}

// Switch is the number of the first target that x matches, or -1.
func Switch(x any, targets ...*Target) int {
	for i, t := range targets {
		if ok, _ := t.matches(x); ok {
			return i
		}
	}
	return -1
}

// TryAssert stores x at p if it is what t asks for, else the zero value, and reports which.
func (m *Machine) TryAssert(x any, t *Target, p any) bool {
	ok, _ := t.matches(x)
	dst := reflect.ValueOf(p).Elem()
	if !ok {
		dst.SetZero()
		return false
	}
	m.store(x, t, dst)
	return true
}

func (m *Machine) store(x any, t *Target, dst reflect.Value) {
	if t.open {
		if b, ok := boxOf(x); ok {
			x = Box(b.t, b.v)
		}
		dst.Set(reflect.ValueOf(x))
		return
	}
	if t.iface != nil {
		m.Convert(dst.Addr().Interface(), x)
		return
	}
	set(dst, Raw(x))
}

// Assert stores x at p, or panics as a failed type assertion on an interface of the type named static does.
func (m *Machine) Assert(x any, t *Target, p any, static string) {
	ok, missing := t.matches(x)
	if !ok {
		panic(assertionError(x, t, missing, static))
	}
	m.store(x, t, reflect.ValueOf(p).Elem())
}

func assertionError(x any, t *Target, missing, static string) error {
	asksInterface := t.iface != nil || t.open
	switch {
	case x == nil && asksInterface:
		return &plainError{"interface conversion: interface is nil, not " + t.name}
	case x == nil:
		return &plainError{"interface conversion: " + static + " is nil, not " + t.name}
	case asksInterface:
		return &plainError{fmt.Sprintf("interface conversion: %s is not %s: missing method %s", TypeName(x), t.name, missing)}
	default:
		text := fmt.Sprintf("interface conversion: %s is %s, not %s", static, TypeName(x), t.name)
		if TypeName(x) == t.name {
			text += " (types from different scopes)"
		}
		return &plainError{text}
	}
}

// TypeName is the name of the type that x holds, as %T prints it.
func TypeName(x any) string {
	if b, ok := boxOf(x); ok {
		return b.t.name
	}
	if x == nil {
		return "<nil>"
	}
	return typeName(reflect.TypeOf(x))
}

func typeName(t reflect.Type) string { return t.String() }

// As is errors.As: it finds the first error in err's tree that is what t asks for and stores it at p. pointer describes
// p's type, nil for a plain one.
func (m *Machine) As(err error, t *Target, p any, pointer *Type) bool {
	if err == nil {
		return false
	}
	if p == nil || reflect.ValueOf(p).IsNil() {
		panic("errors: target cannot be nil")
	}
	for {
		if m.tryAs(err, t, p, pointer) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			if err = x.Unwrap(); err == nil {
				return false
			}
		case interface{ Unwrap() []error }:
			for _, err := range x.Unwrap() {
				if err != nil && m.As(err, t, p, pointer) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}

// tryAs tries one error of the tree.
func (m *Machine) tryAs(err error, t *Target, p any, pointer *Type) bool {
	if ok, _ := t.matches(err); ok {
		m.store(err, t, reflect.ValueOf(p).Elem())
		return true
	}
	b, boxed := boxOf(err)
	if !boxed {
		if x, ok := err.(interface{ As(any) bool }); ok {
			return x.As(p)
		}
		return false
	}
	f := b.t.methods["As"]
	if !f.IsValid() || f.Type().NumIn() != 2 {
		return false
	}
	var target any = p
	if pointer != nil {
		target = Box(pointer, p)
	}
	return f.Call([]reflect.Value{reflect.ValueOf(b.v), reflect.ValueOf(&target).Elem()})[0].Bool()
}

// Is is errors.Is.
func Is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	comparable := reflect.ValueOf(Raw(target)).Comparable()
	return is(err, target, comparable)
}

func is(err, target error, comparable bool) bool {
	for {
		if comparable && reflect.ValueOf(Raw(err)).Comparable() && Equal(err, target) {
			return true
		}
		if x, ok := err.(interface{ Is(error) bool }); ok && x.Is(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			if err = x.Unwrap(); err == nil {
				return false
			}
		case interface{ Unwrap() []error }:
			for _, err := range x.Unwrap() {
				if err != nil && is(err, target, comparable) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}
