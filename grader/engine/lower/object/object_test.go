package object_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"testing"

	"fieldbook/grader/engine/lower/object"
)

// The types that the tests box, as Go knows them; their names are this package's, so that both print alike.
type level int

func (l level) String() string { return fmt.Sprintf("L%d", int(l)) }

type inner struct {
	Lvl    level
	hidden level
	List   []level
	M      map[string]level
	P      *inner
	Any    any
}

// The same values in the core: no declared types but structs.
type coreInner struct {
	Lvl      int
	X_hidden int
	List     []int
	M        map[string]int
	P        any
	Any      any
}

func describe(t *testing.T) (lvl, in *object.Type) {
	t.Helper()
	specs, err := json.Marshal([]object.Spec{
		{ID: 1, Name: "object_test.level", Declared: true, Methods: []string{"String() string"}},
		{ID: 2, Name: "object_test.inner", Declared: true, Fields: []object.FieldSpec{
			{Name: "Lvl", Exported: true, Type: 1}, {Name: "hidden", Type: 1}, {Name: "List", Exported: true, Type: 3},
			{Name: "M", Exported: true, Type: 4}, {Name: "P", Exported: true, Type: 5}, {Name: "Any", Exported: true, Type: 6},
		}},
		{ID: 3, Name: "[]object_test.level", Elem: 1},
		{ID: 4, Name: "map[string]object_test.level", Key: 7, Elem: 1},
		{ID: 5, Name: "*object_test.inner", Kind: reflect.Pointer, Elem: 2},
		{ID: 6, Name: "interface {}", Interface: true},
		{ID: 7, Name: "string", Plain: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	list := object.Types(string(specs))
	object.RegisterMethod(list[0], "String", func(l int) string { return level(l).String() })
	return list[0], list[1]
}

func TestBoxesPrintAsGoDoes(t *testing.T) {
	lvl, in := describe(t)
	native := inner{Lvl: 1, hidden: 2, List: []level{3, 4}, M: map[string]level{"b": 1, "a": 2}, Any: level(5)}
	boxed := object.Box(in, coreInner{Lvl: 1, X_hidden: 2, List: []int{3, 4}, M: map[string]int{"b": 1, "a": 2}, Any: object.Box(lvl, 5)})
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%5v|", "%q", "%08b", "%t"} {
		want := fmt.Sprintf(format, native)
		if got := fmt.Sprintf(format, boxed); got != want {
			t.Errorf("%s: got %s, want %s", format, got, want)
		}
	}
	for _, format := range []string{"%v", "%+d", "%6v|", "%-6s|", "%x", "%X", "%q", "%#v", "%c", "%e"} {
		want := fmt.Sprintf(format, level(65))
		if got := fmt.Sprintf(format, object.Box(lvl, 65)); got != want {
			t.Errorf("%s of a level: got %s, want %s", format, got, want)
		}
	}
	format, args := object.Format("%T %[1]v %5T|%%T %T %*d", []any{object.Box(lvl, 1), 2.5, nil, 4, object.Box(lvl, 7)})
	if got, want := fmt.Sprintf(format, args...), fmt.Sprintf("%T %[1]v %5T|%%T %T %*d", level(1), 2.5, nil, 4, level(7)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestBoxesEncodeAsGoDoes(t *testing.T) {
	lvl, in := describe(t)
	want, err := json.Marshal(inner{Lvl: 1, hidden: 2, List: []level{3}, Any: level(5)})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(object.Box(in, coreInner{Lvl: 1, List: []int{3}, Any: object.Box(lvl, 5)}))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestBoxesCompareByTypeAndValue(t *testing.T) {
	lvl, in := describe(t)
	for _, c := range []struct {
		x, y any
		want bool
	}{
		{object.Box(lvl, 1), object.Box(lvl, 1), true},
		{object.Box(lvl, 1), object.Box(lvl, 2), false},
		{object.Box(lvl, 1), 1, false},
		{object.Box(lvl, nil), object.Box(in, nil), false},
		{nil, object.Box(lvl, 1), false},
	} {
		if got := object.Equal(c.x, c.y); got != c.want {
			t.Errorf("Equal(%v, %v) = %t", c.x, c.y, got)
		}
	}
	defer func() {
		err, ok := recover().(runtime.Error)
		if !ok || err.Error() != "runtime error: comparing uncomparable type object_test.inner" {
			t.Errorf("recovered %v", err)
		}
	}()
	type uncomparable struct{ _ []int }
	object.Equal(object.Box(in, uncomparable{}), object.Box(in, uncomparable{}))
}

func TestRunDefers(t *testing.T) {
	var order []string
	note := func(s string) { order = append(order, s) }
	tests := []struct {
		name string
		body func(*object.Frame)
		want string
		out  any // what leaves the function
	}{
		{"last first", func(f *object.Frame) {
			f.Defer(func(*object.Panic) { note("a") })
			f.Defer(func(*object.Panic) { note("b") })
			note("body")
		}, "[body b a]", nil},
		{"recovered", func(f *object.Frame) {
			f.Defer(func(p *object.Panic) { note(fmt.Sprint(object.Recover(p), object.Recover(p))) })
			object.Throw("x")
		}, "[x<nil>]", nil},
		{"replaced", func(f *object.Frame) {
			f.Defer(func(p *object.Panic) { note(fmt.Sprint(object.Recover(p))) })
			f.Defer(func(*object.Panic) { object.Throw("second") })
			object.Throw("first")
		}, "[second]", nil},
		{"goes on", func(f *object.Frame) {
			f.Defer(func(*object.Panic) { note("deferred") })
			object.Throw("x")
		}, "[deferred]", "x"},
		{"error of the interpreter", func(f *object.Frame) {
			f.Defer(func(p *object.Panic) { note(object.Recover(p).(error).Error()) })
			reflect.ValueOf((*int)(nil)).Elem().Int()
		}, "[runtime error: invalid memory address or nil pointer dereference]", nil},
		{"supplied function's panic", func(f *object.Frame) { panic(io.EOF) }, "[]", io.EOF},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			order = []string{}
			var out any
			func() {
				defer func() { out = recover() }()
				object.Run(test.body)
			}()
			if got := fmt.Sprint(order); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if object.Value(out) != test.out {
				t.Errorf("%v leaves the function, want %v", out, test.out)
			}
		})
	}
}

func TestRunOnGoexit(t *testing.T) {
	done := make(chan string, 2)
	go func() {
		defer func() { done <- "goroutine" }()
		object.Run(func(f *object.Frame) {
			f.Defer(func(p *object.Panic) { done <- fmt.Sprint("deferred ", object.Recover(p)) })
			runtime.Goexit()
		})
	}()
	if got := <-done + ", " + <-done; got != "deferred <nil>, goroutine" {
		t.Errorf("got %s", got)
	}
}

func TestDescribe(t *testing.T) {
	lvl, _ := describe(t)
	for _, c := range []struct {
		value any
		want  string
	}{
		{"text", "text"}, {errors.New("failed"), "failed"}, {7, "int(7)"}, {1.5, "float64(1.5)"},
		{object.Box(lvl, 3), "L3"}, {[]int{1}, "([]int) [1]"},
	} {
		func() {
			defer func() {
				if got := object.Describe(recover()); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
			}()
			object.Throw(c.value)
		}()
	}
}
