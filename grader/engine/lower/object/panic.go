package object

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
)

// Thrown is what a panic of the program's own carries through compiled code. A panic of a supplied function is never
// one: the host tells them apart by this type.
type Thrown struct {
	Value any
}

// Error makes an uncaught one readable.
func (t *Thrown) Error() string { return Describe(t) }

// Frame keeps the deferred calls of one call of a function.
type Frame struct {
	deferred []func(*Panic)
	done     bool
}

// Panic is a panic under way while deferred calls run.
type Panic struct {
	value     any
	recovered bool
}

// Run calls a function's body and then its deferred calls, last first, as Go does: also when the body or a deferred call
// panics, or the goroutine exits.
func Run(body func(*Frame)) {
	f := &Frame{}
	defer f.unwind()
	body(f)
	f.done = true
}

// Defer adds a call.
func (f *Frame) Defer(call func(*Panic)) {
	if call == nil {
		f.deferred = append(f.deferred, func(*Panic) { panic(nilDereference()) })
		return
	}
	f.deferred = append(f.deferred, call)
}

func (f *Frame) unwind() {
	var p *Panic
	if !f.done {
		if r := recover(); r != nil {
			p = &Panic{value: r}
		}
	}
	for len(f.deferred) > 0 {
		last := len(f.deferred) - 1
		call := f.deferred[last]
		f.deferred = f.deferred[:last]
		if next := attempt(call, p); next != nil {
			p = next
		}
		if p != nil && p.recovered {
			p = nil
		}
	}
	if p != nil {
		panic(p.value)
	}
}

// attempt runs a deferred call and returns the panic that it raised itself.
func attempt(call func(*Panic), p *Panic) (raised *Panic) {
	returned := false
	defer func() {
		if !returned {
			if r := recover(); r != nil {
				raised = &Panic{value: r}
			}
		}
	}()
	call(p)
	returned = true
	return nil
}

// Recover stops the panic and returns its value; nil when there is none to stop.
func Recover(p *Panic) any {
	if p == nil || p.recovered {
		return nil
	}
	p.recovered = true
	return Value(p.value)
}

// Throw panics with a value of the program's.
func Throw(v any) {
	if v == nil {
		panic(new(runtime.PanicNilError))
	}
	panic(&Thrown{v})
}

// Value is what Go's recover returns for a panic value as the host sees it: the program's own value, or a run-time error with
// Go's text in place of the interpreter's.
func Value(r any) any {
	switch r := r.(type) {
	case *Thrown:
		return r.Value
	case *reflect.ValueError:
		return nilDereference()
	case runtime.Error:
		return r
	case string:
		return translated(r)
	}
	return r
}

// translated gives the texts of panics inside package reflect, which the interpreter works with, Go's words.
func translated(text string) any {
	switch {
	case strings.Contains(text, "slice index out of range"), strings.Contains(text, "array index out of range"),
		strings.Contains(text, "string index out of range"):
		return &runtimeError{"index out of range"}
	case strings.HasPrefix(text, "reflect") && strings.Contains(text, "out of bounds"):
		return &runtimeError{"slice bounds out of range"}
	case strings.HasPrefix(text, "reflect: call of nil function"), strings.Contains(text, "nil pointer"), strings.HasPrefix(text, "reflect: indirection through nil"),
		strings.Contains(text, "zero Value"), strings.Contains(text, "function is nil"), strings.Contains(text, "call of nil"):
		return nilDereference()
	case strings.HasPrefix(text, "reflect.MakeSlice: negative"), strings.HasPrefix(text, "reflect.MakeSlice"):
		return &runtimeError{"makeslice: len out of range"}
	}
	return text
}

// Describe is the first line that Go prints for an uncaught panic with this value, without "panic: ".
func Describe(r any) string {
	v := Value(r)
	_, own := r.(*Thrown)
	switch x := v.(type) {
	case runtime.Error:
		return x.Error()
	case error:
		return x.Error()
	case interface{ String() string }:
		return x.String()
	case string:
		return x
	}
	if b, ok := boxOf(v); ok {
		if b.t.has("String") {
			return b.text("String")
		}
		r := reflect.ValueOf(b.v)
		switch r.Kind() {
		case reflect.Struct, reflect.Pointer, reflect.Map, reflect.Slice, reflect.Array, reflect.Func, reflect.Chan:
			return fmt.Sprintf("(%s) %v", b.t.name, v)
		case reflect.String:
			return fmt.Sprintf("%s(%q)", b.t.name, b.v)
		}
		return fmt.Sprintf("%s(%v)", b.t.name, b.v)
	}
	if own {
		switch v.(type) {
		case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr, float32, float64:
			return fmt.Sprintf("%T(%v)", v, v)
		}
		return fmt.Sprintf("(%T) %v", v, v)
	}
	return fmt.Sprint(v)
}

// runtimeError is a run-time error with Go's text.
type runtimeError struct{ text string }

func (e *runtimeError) Error() string { return "runtime error: " + e.text }

// RuntimeError marks it as one.
func (e *runtimeError) RuntimeError() {}

// plainError is a run-time error whose text has no prefix: a failed type assertion, for one.
type plainError struct{ text string }

func (e *plainError) Error() string { return e.text }

// RuntimeError marks it as one.
func (e *plainError) RuntimeError() {}

// NilReceiver panics as a value method called through an interface that holds a nil pointer does.
func NilReceiver(method, typ string) {
	panic(&plainError{"value method " + method + " called using nil *" + typ + " pointer"})
}

func nilDereference() error {
	return &runtimeError{"invalid memory address or nil pointer dereference"}
}

// OutOfRange panics as an index out of range does.
func OutOfRange(i, length int) {
	if i < 0 {
		panic(&runtimeError{fmt.Sprintf("index out of range [%d]", i)})
	}
	panic(&runtimeError{fmt.Sprintf("index out of range [%d] with length %d", i, length)})
}

// CheckSlice panics as slicing out of bounds does; limit is the capacity, or the length of a string.
func CheckSlice(low, high, limit int, isString bool) {
	kind := "capacity"
	if isString {
		kind = "length"
	}
	switch {
	case high < 0:
		panic(&runtimeError{fmt.Sprintf("slice bounds out of range [:%d]", high)})
	case high > limit:
		panic(&runtimeError{fmt.Sprintf("slice bounds out of range [:%d] with %s %d", high, kind, limit)})
	case low < 0:
		panic(&runtimeError{fmt.Sprintf("slice bounds out of range [%d:]", low)})
	case low > high:
		panic(&runtimeError{fmt.Sprintf("slice bounds out of range [%d:%d]", low, high)})
	}
}

// CheckSlice3 is CheckSlice for a slice expression with three bounds.
func CheckSlice3(low, high, limit, capacity int) {
	switch {
	case limit < 0:
		panic(&runtimeError{fmt.Sprintf("slice bounds out of range [::%d]", limit)})
	case limit > capacity:
		panic(&runtimeError{fmt.Sprintf("slice bounds out of range [::%d] with capacity %d", limit, capacity)})
	case high < 0 || high > limit:
		panic(&runtimeError{fmt.Sprintf("slice bounds out of range [:%d:%d]", high, limit)})
	case low < 0 || low > high:
		panic(&runtimeError{fmt.Sprintf("slice bounds out of range [%d:%d:]", low, high)})
	}
}

// CheckArray panics as converting too short a slice to an array does.
func CheckArray(length, want int) {
	if length < want {
		panic(&runtimeError{fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", length, want)})
	}
}

// CheckMake panics as make with bad sizes does.
func CheckMake(sizes ...int) {
	if sizes[0] < 0 || sizes[0] > 1<<40 {
		panic(&runtimeError{"makeslice: len out of range"})
	}
	if len(sizes) > 1 && sizes[1] < sizes[0] {
		panic(&runtimeError{"makeslice: cap out of range"})
	}
}

// ShiftCount is a signed shift count as an unsigned one.
func ShiftCount(n int64) uint {
	if n < 0 {
		panic(&runtimeError{"negative shift amount"})
	}
	return uint(n)
}

// ContinuedAfterExit panics as Go does when an iterator goes on after the loop's body said stop (1 or more), or while it
// runs or after it panicked (-1).
func ContinuedAfterExit(state int) {
	if state > 0 {
		panic(&runtimeError{"range function continued iteration after function for loop body returned false"})
	}
	panic(&runtimeError{"range function continued iteration after loop body panic"})
}

// Go starts a goroutine. A panic in it ends the process, as in Go, with Go's first line on standard error.
func Go(f func()) {
	if f == nil {
		panic(&runtimeError{"go of nil func value"})
	}
	go func() {
		defer func() {
			if r := recover(); r != nil {
				fmt.Fprintf(os.Stderr, "panic: %s\n", Describe(r))
				panic(r)
			}
		}()
		f()
	}()
}
