package object

import (
	"fmt"
	"reflect"
)

// Machine is what one interpreter's lowered programs share: the wrappers that make a box satisfy interfaces of compiled
// packages.
type Machine struct {
	wrappers map[reflect.Type]reflect.Type
}

// Exports is the interpreter's form of symbols: import path and package name, then symbol name.
type Exports = map[string]map[string]reflect.Value

// Symbols is the symbols of this package for an interpreter that offers the given packages. Their interface wrappers
// (structs named _path_Interface, as yaegi extract makes them) let interpreted types satisfy compiled interfaces.
func Symbols(offered Exports) Exports {
	m := &Machine{wrappers: map[reflect.Type]reflect.Type{}}
	for _, symbols := range offered {
		for name, v := range symbols {
			if name[0] != '_' || v.Kind() != reflect.Pointer || v.Type().Elem().Kind() != reflect.Struct {
				continue
			}
			m.addWrapper(symbols, name, v.Type().Elem())
		}
	}
	return Exports{"fieldbook/grader/engine/lower/object/object": m.symbols()}
}

// addWrapper finds the interface that a wrapper is for: the symbol whose name ends the wrapper's.
func (m *Machine) addWrapper(symbols map[string]reflect.Value, name string, wrapper reflect.Type) {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] != '_' {
			continue
		}
		if v, ok := symbols[name[i+1:]]; ok && v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Interface {
			m.wrappers[v.Type().Elem()] = wrapper
		}
		return
	}
}

// BoxInto stores a value of type t in the compiled interface that p points to.
func (m *Machine) BoxInto(p any, t *Type, v any) { m.Convert(p, Box(t, v)) }

// Convert stores an interface value in the compiled interface that p points to.
func (m *Machine) Convert(p any, x any) {
	dst := reflect.ValueOf(p).Elem()
	if x == nil {
		dst.SetZero()
		return
	}
	b, boxed := boxOf(x)
	if boxed {
		x = Box(b.t, b.v)
	}
	v := reflect.ValueOf(x)
	if v.Type().Implements(dst.Type()) {
		dst.Set(v)
		return
	}
	wrapper, ok := m.wrappers[dst.Type()]
	if !boxed || !ok {
		panic(fmt.Sprintf("object: %s cannot be held in %v", TypeName(x), dst.Type()))
	}
	dst.Set(m.wrap(wrapper, b, x))
}

// wrap makes a wrapper whose functions call the box's methods.
func (m *Machine) wrap(wrapper reflect.Type, b Boxed, x any) reflect.Value {
	w := reflect.New(wrapper).Elem()
	w.Field(0).Set(reflect.ValueOf(x))
	for i := 1; i < wrapper.NumField(); i++ {
		f := wrapper.Field(i)
		method := b.t.methods[f.Name[1:]]
		if !method.IsValid() {
			panic(fmt.Sprintf("object: %s has no method %s", b.t.name, f.Name[1:]))
		}
		receiver := reflect.ValueOf(b.v)
		w.Field(i).Set(reflect.MakeFunc(f.Type, func(in []reflect.Value) []reflect.Value {
			return method.Call(append([]reflect.Value{receiver}, in...))
		}))
	}
	return w
}

func (m *Machine) symbols() map[string]reflect.Value {
	symbols := map[string]reflect.Value{}
	for name, f := range map[string]any{
		"Any": Any, "As": m.As, "AsError": AsError, "Assert": m.Assert, "At": At, "Box": Box, "BoxError": BoxError,
		"BoxInto": m.BoxInto, "CheckArray": CheckArray, "CheckMake": CheckMake, "CheckSlice": CheckSlice,
		"CheckSlice3": CheckSlice3, "Clear": Clear, "Complex64": Complex64, "Complex128": Complex128,
		"ContinuedAfterExit": ContinuedAfterExit, "Convert": m.Convert, "Decode": Decode, "DeepEqual": DeepEqual,
		"EncodingError": EncodingError, "Equal": Equal, "Format": Format, "Go": Go, "Held": Held, "ID": ID, "Is": Is, "MaxFloat": MaxFloat, "Method": Method,
		"MinFloat": MinFloat, "NilReceiver": NilReceiver, "NotNil": NotNil, "OutOfRange": OutOfRange, "Print": Print, "Println": Println, "Raw": Raw, "RawList": RawList,
		"Recover": Recover, "RegisterMethod": RegisterMethod, "Rune": Rune, "ReceiveCase": ReceiveCase, "Run": Run, "Select": Select, "SendCase": SendCase, "ShiftCount": ShiftCount, "Sort": Sort,
		"Switch": Switch, "Throw": Throw, "ToInterface": ToInterface, "ToMethods": ToMethods, "ToNil": ToNil,
		"ToPlain": ToPlain, "ToType": ToType, "TryAssert": m.TryAssert, "Types": Types, "Unmarshal": Unmarshal,
		"Unwrap": Unwrap, "ArrayPointer": ArrayPointer,
		"Case": (*Case)(nil), "Frame": (*Frame)(nil), "Panic": (*Panic)(nil), "Target": (*Target)(nil), "Type": (*Type)(nil), "Pointer": (*Pointer)(nil),
	} {
		symbols[name] = reflect.ValueOf(f)
	}
	return symbols
}
