package object

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// Spec is a type as the lowering describes it, in JSON. Types refer to each other by ID; 0 is none.
type Spec struct {
	ID        int
	Name      string       `json:",omitempty"` // as %T prints it
	Declared  bool         `json:",omitempty"` // a declared type, not a composed one
	Plain     bool         `json:",omitempty"` // a type whose plain Go value tells all
	Interface bool         `json:",omitempty"`
	Kind      reflect.Kind `json:",omitempty"` // of a type whose values a field may hold in an any
	Elem      int          `json:",omitempty"`
	Key       int          `json:",omitempty"`
	Fields    []FieldSpec  `json:",omitempty"`
	Methods   []string     `json:",omitempty"` // name and signature; unexported ones with their package
}

// FieldSpec is a field of a struct, in order.
type FieldSpec struct {
	Name     string
	Tag      reflect.StructTag `json:",omitempty"`
	Embedded bool              `json:",omitempty"`
	Exported bool              `json:",omitempty"`
	Type     int
}

// Type describes a type of the program.
type Type struct {
	id        int
	name      string
	declared  bool
	plain     bool
	isIface   bool
	kind      reflect.Kind
	elem, key *Type
	fields    []field
	methodSet map[string]bool
	methods   map[string]reflect.Value // functions that take the receiver first
}

type field struct {
	FieldSpec
	typ *Type
}

// Types reads the descriptors of a program.
func Types(text string) []*Type {
	var specs []Spec
	if err := json.Unmarshal([]byte(text), &specs); err != nil {
		panic(fmt.Sprintf("object: type descriptors: %v", err))
	}
	list := make([]*Type, len(specs))
	for i := range specs {
		list[i] = &Type{}
	}
	at := func(id int) *Type {
		if id == 0 {
			return nil
		}
		return list[id-1]
	}
	for i, s := range specs {
		t := list[i]
		t.id, t.name, t.declared, t.plain, t.isIface = s.ID, s.Name, s.Declared, s.Plain, s.Interface
		t.kind = s.Kind
		t.elem, t.key = at(s.Elem), at(s.Key)
		for _, f := range s.Fields {
			t.fields = append(t.fields, field{f, at(f.Type)})
		}
		t.methodSet = make(map[string]bool, len(s.Methods))
		for _, m := range s.Methods {
			t.methodSet[m] = true
		}
		t.methods = map[string]reflect.Value{}
	}
	return list
}

// RegisterMethod gives a type the function that is its method, receiver first.
func RegisterMethod(t *Type, name string, f any) { t.methods[name] = reflect.ValueOf(f) }

// call calls a method of a value of type t. A method of the pointer to a value may be registered with the value's type: it
// gets v's address when v is addressable.
func (t *Type) call(name string, v reflect.Value, args ...reflect.Value) []reflect.Value {
	f := t.methods[name]
	in := append([]reflect.Value{v}, args...)
	return f.Call(in)
}

func (t *Type) has(name string) bool { return t.methods[name].IsValid() }
