package object

import (
	"fmt"
	"reflect"
	"runtime"
)

// Boxed is a value of a declared type held in an interface. It is comparable when the value is.
type Boxed struct {
	t *Type
	v any
}

// BoxedError is a box whose type has the method Error.
type BoxedError struct{ Boxed }

// BoxedErrors is a box whose type has Error and Unwrap() []error.
type BoxedErrors struct{ Boxed }

// At is the value that p points to: it carries slices of interfaces, which the interpreter copies when it passes them.
func At(p any) any { return reflect.ValueOf(p).Elem().Interface() }

// Any is v held in an interface: a copy of it.
func Any(v any) any { return v }

// Held is the value that a compiled interface holds, without the wrapper that may have made it fit there.
func Held(x any) any {
	if b, ok := boxOf(x); ok {
		return Box(b.t, b.v)
	}
	return x
}

// Box holds a value of type t in an interface.
func Box(t *Type, v any) any {
	b := Boxed{t, v}
	if f := t.methods["Error"]; f.IsValid() && isErrorMethod(f.Type()) {
		if u := t.methods["Unwrap"]; u.IsValid() && u.Type().NumOut() == 1 && u.Type().Out(0) == reflect.TypeFor[[]error]() {
			return BoxedErrors{b}
		}
		return BoxedError{b}
	}
	return b
}

func isErrorMethod(f reflect.Type) bool {
	return f.NumIn() == 1 && f.NumOut() == 1 && f.Out(0).Kind() == reflect.String
}

// BoxError holds a value of type t, which has the method Error, in an error.
func BoxError(t *Type, v any) error { return Box(t, v).(error) }

// AsError is an interface value that holds an error, or nothing, as an error.
func AsError(x any) error {
	if x == nil {
		return nil
	}
	return x.(error)
}

// boxOf is the box that an interface value holds, if any.
func boxOf(x any) (Boxed, bool) {
	switch b := x.(type) {
	case Boxed:
		return b, true
	case BoxedError:
		return b.Boxed, true
	case BoxedErrors:
		return b.Boxed, true
	case nil:
		return Boxed{}, false
	}
	if v := reflect.ValueOf(x); v.Kind() == reflect.Struct && v.NumField() > 1 && v.Type().Field(0).Name == "IValue" {
		return boxOf(v.Field(0).Interface())
	}
	return Boxed{}, false
}

// ID is the number of the type that an interface value holds; 0 for a compiled one. A method call on nil panics.
func ID(x any) int {
	if x == nil {
		panic(nilDereference())
	}
	if b, ok := boxOf(x); ok {
		return b.t.id
	}
	return 0
}

// NotNil panics as a method value of a nil interface does.
func NotNil(x any) {
	if x == nil {
		panic(nilDereference())
	}
}

// Raw is the plain value that an interface value holds.
func Raw(x any) any {
	if b, ok := boxOf(x); ok {
		return b.v
	}
	return x
}

// RawList is the plain values of a list.
func RawList(list []any) []any {
	plain := make([]any, len(list))
	for i, x := range list {
		plain[i] = Raw(x)
	}
	return plain
}

// Unwrap stores the plain value that x holds at p, whose type is that of the value.
func Unwrap(x any, p any) { set(reflect.ValueOf(p).Elem(), Raw(x)) }

// set stores v in dst; nil is the zero value.
func set(dst reflect.Value, v any) {
	if v == nil {
		dst.SetZero()
		return
	}
	r := reflect.ValueOf(v)
	if !r.Type().AssignableTo(dst.Type()) && r.Type().ConvertibleTo(dst.Type()) {
		r = r.Convert(dst.Type())
	}
	dst.Set(r)
}

// Method stores a method of a compiled value that x holds at p, a pointer to a variable of the method's type.
func Method(x any, name string, p any) {
	if x == nil {
		panic(nilDereference())
	}
	dst := reflect.ValueOf(p).Elem()
	m := reflect.ValueOf(x).MethodByName(name)
	if !m.IsValid() {
		panic(fmt.Sprintf("object: %T has no method %s", x, name))
	}
	if m.Type() != dst.Type() && m.Type().IsVariadic() {
		dst.Set(reflect.MakeFunc(dst.Type(), m.CallSlice))
		return
	}
	dst.Set(m)
}

// Equal compares two interface values as Go does.
func Equal(x, y any) bool {
	a, aBoxed := boxOf(x)
	b, bBoxed := boxOf(y)
	if aBoxed && bBoxed {
		defer renameUncomparable(a)
		return a.t == b.t && a.v == b.v
	}
	return x == y
}

// renameUncomparable gives a comparison's panic the name of the type that the program knows.
func renameUncomparable(b Boxed) {
	r := recover()
	if r == nil {
		return
	}
	if err, ok := r.(runtime.Error); ok && err.Error() == "runtime error: comparing uncomparable type "+reflect.TypeOf(b.v).String() {
		panic(&runtimeError{"comparing uncomparable type " + b.t.name})
	}
	panic(r)
}

// DeepEqual is reflect.DeepEqual for values that may be boxed.
func DeepEqual(x, y any) bool {
	a, aBoxed := boxOf(x)
	b, bBoxed := boxOf(y)
	if aBoxed || bBoxed {
		return aBoxed && bBoxed && a.t == b.t && reflect.DeepEqual(a.v, b.v)
	}
	return reflect.DeepEqual(x, y)
}

// Error is the error's text.
func (b BoxedError) Error() string { return b.text("Error") }

// Error is the error's text.
func (b BoxedErrors) Error() string { return b.text("Error") }

func (b Boxed) text(method string) string {
	return b.t.call(method, reflect.ValueOf(b.v))[0].String()
}

// Unwrap is the error that the value wraps; nil if it has no such method.
func (b BoxedError) Unwrap() error {
	if f := b.t.methods["Unwrap"]; f.IsValid() && f.Type().NumIn() == 1 && f.Type().NumOut() == 1 {
		if err, ok := f.Call([]reflect.Value{reflect.ValueOf(b.v)})[0].Interface().(error); ok {
			return err
		}
	}
	return nil
}

// Unwrap is the errors that the value wraps.
func (b BoxedErrors) Unwrap() []error {
	list, _ := b.t.call("Unwrap", reflect.ValueOf(b.v))[0].Interface().([]error)
	return list
}

// Is calls the value's method Is, if it has one.
func (b Boxed) is(target error) bool {
	f := b.t.methods["Is"]
	if !f.IsValid() || f.Type().NumIn() != 2 {
		return false
	}
	v := reflect.New(f.Type().In(1)).Elem()
	if target != nil {
		v.Set(reflect.ValueOf(target))
	}
	return f.Call([]reflect.Value{reflect.ValueOf(b.v), v})[0].Bool()
}

// Is lets compiled code compare the error.
func (b BoxedError) Is(target error) bool { return b.is(target) }

// Is lets compiled code compare the error.
func (b BoxedErrors) Is(target error) bool { return b.is(target) }
