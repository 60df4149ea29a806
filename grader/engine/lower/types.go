package lower

import (
	"fmt"
	"go/types"
	"strings"
)

// This file maps Go types to the core's. The interpreter loses the identity and the methods of types declared in
// interpreted code, so the core has none: a declared type becomes its underlying type, an interface declared in the
// program becomes any, and structs, which may be recursive, become declared structs without methods.

// declaredHere reports whether a named type is declared in the program itself (or in the supplied library), not in a
// compiled package.
func (c *compiler) declaredHere(obj *types.TypeName) bool {
	return obj.Pkg() != nil && (c.own[obj.Pkg()] != nil)
}

// named returns t as a named type declared in the program, or nil.
func (c *compiler) named(t types.Type) *types.Named {
	if n, ok := types.Unalias(t).(*types.Named); ok && c.declaredHere(n.Obj()) {
		return n
	}
	return nil
}

// compiledNamed returns t as a named type of a compiled package (or error), or nil. Generic ones count as their
// underlying types.
func (c *compiler) compiledNamed(t types.Type) *types.Named {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || c.declaredHere(n.Obj()) || n.TypeArgs().Len() > 0 {
		return nil
	}
	if n.Obj().Pkg() == nil && n.Obj().Name() != "error" {
		return nil
	}
	return n
}

func isInterface(t types.Type) bool {
	_, ok := t.Underlying().(*types.Interface)
	return ok
}

// openInterface reports whether values of interface type t live in an any in the core: every interface but the named
// ones of compiled packages.
func (c *compiler) openInterface(t types.Type) bool {
	return isInterface(t) && c.compiledNamed(t) == nil
}

// core is the text of the core type for t, which has no type parameters left.
func (c *compiler) core(t types.Type) string {
	if s, ok := c.coreText[t]; ok {
		return s
	}
	s := c.coreType(t)
	c.coreText[t] = s
	return s
}

func (c *compiler) coreType(t types.Type) string {
	t = types.Unalias(t)
	if atomic := c.atomicPointer(t); atomic != nil {
		return c.objectName("Pointer")
	}
	switch t := t.(type) {
	case *types.Basic:
		switch t.Kind() {
		case types.UnsafePointer:
			c.refuseHere("unsafe", "unsafe.Pointer cannot be run here", "use ordinary pointers")
			return "uintptr"
		case types.UntypedNil:
			return "any"
		case types.UntypedBool, types.UntypedInt, types.UntypedRune, types.UntypedFloat, types.UntypedComplex, types.UntypedString:
			return c.coreType(types.Default(t))
		}
		switch t.Name() {
		case "byte":
			return "uint8"
		case "rune":
			return "int32"
		}
		return t.Name()
	case *types.Named:
		if n := c.compiledNamed(t); n != nil {
			if n.Obj().Pkg() == nil {
				return "error"
			}
			return c.importName(n.Obj().Pkg().Path()) + "." + n.Obj().Name()
		}
		if c.recursive(t) {
			return "any"
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			return c.structType(u, t)
		case *types.Interface:
			return "any"
		default:
			return c.core(u)
		}
	case *types.Struct:
		return c.structType(t, nil)
	case *types.Interface:
		return "any"
	case *types.Pointer:
		return "*" + c.core(t.Elem())
	case *types.Slice:
		return "[]" + c.core(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), c.core(t.Elem()))
	case *types.Map:
		return "map[" + c.core(t.Key()) + "]" + c.core(t.Elem())
	case *types.Chan:
		elem := c.core(t.Elem())
		switch t.Dir() {
		case types.SendOnly:
			return "chan<- " + elem
		case types.RecvOnly:
			return "<-chan " + elem
		}
		if strings.HasPrefix(elem, "<-") {
			elem = "(" + elem + ")"
		}
		return "chan " + elem
	case *types.Signature:
		return "func" + c.signature(t)
	}
	panic(fmt.Sprintf("lower: no core type for %v (%T)", t, t))
}

// signature is the text of parameters and results. Variadic parameters are slices: the core has no variadic functions
// of its own.
func (c *compiler) signature(s *types.Signature) string {
	return "(" + strings.Join(c.coreList(s.Params()), ", ") + ")" + c.results(s)
}

func (c *compiler) coreList(tuple *types.Tuple) []string {
	var list []string
	for v := range tuple.Variables() {
		list = append(list, c.core(v.Type()))
	}
	return list
}

func (c *compiler) results(s *types.Signature) string {
	switch list := c.coreList(s.Results()); len(list) {
	case 0:
		return ""
	case 1:
		return " " + list[0]
	default:
		return " (" + strings.Join(list, ", ") + ")"
	}
}

// structType declares a core struct for u and returns its name. Structs with the same fields share one, so that
// conversions between them are nothing; a recursive one has its own.
func (c *compiler) structType(u *types.Struct, owner *types.Named) string {
	if owner != nil {
		k := c.key(owner)
		if name, ok := c.structNames[k]; ok {
			return name
		}
		if c.selfReferring(owner) {
			name := c.fresh("S_" + owner.Obj().Name())
			c.structNames[k] = name
			c.declareStruct(name, c.structFields(u, owner))
			return name
		}
	}
	fields := c.structFields(u, owner)
	if fields == "" {
		return "struct{}"
	}
	name, ok := c.structNames[fields]
	if !ok {
		hint := "S"
		if owner != nil {
			hint = "S_" + owner.Obj().Name()
		}
		name = c.fresh(hint)
		c.structNames[fields] = name
		c.declareStruct(name, fields)
	}
	return name
}

func (c *compiler) structFields(u *types.Struct, owner *types.Named) string {
	var text strings.Builder
	for i := range u.NumFields() {
		core := "any"
		if t := u.Field(i).Type(); owner == nil || !c.hidden(owner, t) {
			core = c.core(t)
		}
		fmt.Fprintf(&text, "\t%s %s\n", fieldName(u, i), core)
	}
	return text.String()
}

// fieldName is the core's name of a field: its own, or an exported one made from it, so that package
// object may read it. All are ordinary fields: the core has no embedding.
func fieldName(u *types.Struct, i int) string {
	switch f := u.Field(i); {
	case f.Name() == "_":
		return fmt.Sprintf("X_%d", i)
	case f.Exported():
		return f.Name()
	default:
		return "X_" + f.Name()
	}
}

func (c *compiler) declareStruct(name, fields string) {
	c.structs = append(c.structs, "type "+name+" struct {\n"+fields+"}\n")
}

// atomicPointer returns t as sync/atomic's Pointer[T], or nil.
func (c *compiler) atomicPointer(t types.Type) *types.Named {
	n, ok := types.Unalias(t).(*types.Named)
	if ok && n.Obj().Name() == "Pointer" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync/atomic" {
		return n
	}
	return nil
}
