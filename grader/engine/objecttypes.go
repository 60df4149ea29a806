package engine

import (
	"go/token"
	"go/types"
	"reflect"
	"sort"
	"strings"

	"fieldbook/grader/engine/export"
	"fieldbook/grader/engine/lower"
	"fieldbook/grader/engine/lower/object"
)

// objectTypes is package object as lowered programs see it, made from the very symbols that the interpreter gets: there
// is no second description of it that could be out of date. Fields and methods that are not exported are left out, and
// named types of packages that are not loaded are opaque.
func objectTypes(packages *export.Packages) *types.Package {
	r := reflector{
		packages: packages,
		object:   types.NewPackage(lower.ObjectPath, "object"),
		named:    map[reflect.Type]*types.Named{},
	}
	symbols := object.Symbols(nil)[lower.ObjectPath+"/object"]
	names := make([]string, 0, len(symbols))
	for name := range symbols {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		switch t := symbols[name].Type(); {
		case t.Kind() == reflect.Func:
			r.object.Scope().Insert(types.NewFunc(token.NoPos, r.object, name, r.signature(t, nil)))
		case t.Kind() == reflect.Pointer && symbols[name].IsNil():
			r.of(t.Elem()) // a type: it declares itself
		default:
			r.object.Scope().Insert(types.NewVar(token.NoPos, r.object, name, r.of(t)))
		}
	}
	r.object.MarkComplete()
	return r.object
}

// reflector turns types of this process into the type-checker's.
type reflector struct {
	packages *export.Packages
	object   *types.Package
	named    map[reflect.Type]*types.Named
}

func (r *reflector) of(t reflect.Type) types.Type {
	if t.PkgPath() != "" {
		return r.declared(t)
	}
	if basic := types.Universe.Lookup(t.String()); basic != nil { // error as well
		return basic.Type()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return types.NewPointer(r.of(t.Elem()))
	case reflect.Slice:
		return types.NewSlice(r.of(t.Elem()))
	case reflect.Array:
		return types.NewArray(r.of(t.Elem()), int64(t.Len()))
	case reflect.Map:
		return types.NewMap(r.of(t.Key()), r.of(t.Elem()))
	case reflect.Chan:
		direction := map[reflect.ChanDir]types.ChanDir{reflect.BothDir: types.SendRecv, reflect.SendDir: types.SendOnly, reflect.RecvDir: types.RecvOnly}
		return types.NewChan(direction[t.ChanDir()], r.of(t.Elem()))
	case reflect.Func:
		return r.signature(t, nil)
	case reflect.Interface:
		return r.iface(t)
	case reflect.Struct:
		return r.structure(t)
	}
	return types.Typ[types.UnsafePointer]
}

// declared is a named type: that of its own package where it is loaded, else one that is made here.
func (r *reflector) declared(t reflect.Type) types.Type {
	if known := r.named[t]; known != nil {
		return known
	}
	home := r.object
	if t.PkgPath() != lower.ObjectPath {
		if p := r.packages.Lookup(t.PkgPath()); p != nil {
			if name := p.Scope().Lookup(t.Name()); name != nil {
				return name.Type()
			}
		}
		home = types.NewPackage(t.PkgPath(), t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+1:])
	}
	name := types.NewTypeName(token.NoPos, home, t.Name(), nil)
	named := types.NewNamed(name, nil, nil)
	r.named[t] = named
	if home != r.object {
		named.SetUnderlying(types.NewStruct(nil, nil))
		return named
	}
	home.Scope().Insert(name)
	named.SetUnderlying(r.underlying(t))
	if t.Kind() != reflect.Interface {
		r.methods(named, t)
	}
	return named
}

// underlying is the type behind a name of package object.
func (r *reflector) underlying(t reflect.Type) types.Type {
	switch t.Kind() {
	case reflect.Struct:
		return r.structure(t)
	case reflect.Interface:
		return r.iface(t)
	case reflect.Func:
		return r.signature(t, nil)
	case reflect.Map:
		return types.NewMap(r.of(t.Key()), r.of(t.Elem()))
	case reflect.Slice:
		return types.NewSlice(r.of(t.Elem()))
	}
	return types.Universe.Lookup(t.Kind().String()).Type()
}

func (r *reflector) methods(named *types.Named, t reflect.Type) {
	pointer := reflect.PointerTo(t)
	for i := range pointer.NumMethod() {
		m := pointer.Method(i)
		var receiver types.Type = named
		if _, ok := t.MethodByName(m.Name); !ok {
			receiver = types.NewPointer(named)
		}
		variable := types.NewParam(token.NoPos, r.object, "", receiver)
		named.AddMethod(types.NewFunc(token.NoPos, r.object, m.Name, r.signature(m.Type, variable)))
	}
}

// signature is the type of a function, or of a method whose first parameter is the receiver.
func (r *reflector) signature(t reflect.Type, receiver *types.Var) *types.Signature {
	var in, out []*types.Var
	for i := range t.NumIn() {
		if i > 0 || receiver == nil {
			in = append(in, types.NewParam(token.NoPos, r.object, "", r.of(t.In(i))))
		}
	}
	for i := range t.NumOut() {
		out = append(out, types.NewParam(token.NoPos, r.object, "", r.of(t.Out(i))))
	}
	return types.NewSignatureType(receiver, nil, nil, types.NewTuple(in...), types.NewTuple(out...), t.IsVariadic())
}

func (r *reflector) iface(t reflect.Type) *types.Interface {
	var methods []*types.Func
	for i := range t.NumMethod() {
		if m := t.Method(i); m.PkgPath == "" {
			methods = append(methods, types.NewFunc(token.NoPos, r.object, m.Name, r.signature(m.Type, nil)))
		}
	}
	return types.NewInterfaceType(methods, nil).Complete()
}

func (r *reflector) structure(t reflect.Type) *types.Struct {
	var fields []*types.Var
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			fields = append(fields, types.NewField(token.NoPos, r.object, f.Name, r.of(f.Type), f.Anonymous))
		}
	}
	return types.NewStruct(fields, nil)
}
