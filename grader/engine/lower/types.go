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

// hidden reports whether a field of type t in the struct type n is held in an any: the interpreter cannot make a struct type
// that refers to itself through a function type.
func (c *compiler) hidden(n *types.Named, t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return c.reaches(u, n, map[string]bool{}, true)
	case *types.Struct:
		return false
	}
	if c.reaches(t, n, map[string]bool{}, true) && !c.reaches(t, n, map[string]bool{}, false) {
		return true // through another struct
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return c.namelessHidden(n, t, u.Elem())
	case *types.Array:
		return c.namelessHidden(n, t, u.Elem())
	case *types.Pointer:
		return c.namelessHidden(n, t, u.Elem())
	case *types.Chan:
		return c.namelessHidden(n, t, u.Elem())
	case *types.Map:
		return c.namelessHidden(n, t, u.Elem())
	}
	return false
}

func (c *compiler) namelessHidden(n *types.Named, t, elem types.Type) bool {
	if d := c.named(elem); d != nil {
		if _, ok := d.Underlying().(*types.Struct); ok {
			return false
		}
		if c.recursive(d) {
			return false
		}
	}
	return c.hidden(n, elem)
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

// selfReferring reports whether a struct type refers to itself.
func (c *compiler) selfReferring(n *types.Named) bool {
	return c.reaches(n.Underlying(), n, map[string]bool{}, true)
}

// recursive reports whether a declared type that is not a struct refers to itself with no struct in between (type F
// func() F). The core has no such types: its values live in an any.
func (c *compiler) recursive(n *types.Named) bool {
	switch n.Underlying().(type) {
	case *types.Struct, *types.Interface, *types.Basic:
		return false
	}
	return c.reaches(n.Underlying(), n, map[string]bool{}, false)
}

func (c *compiler) reaches(t types.Type, target *types.Named, seen map[string]bool, structs bool) bool {
	t = types.Unalias(t)
	k := c.key(t)
	if seen[k] {
		return false
	}
	seen[k] = true
	switch t := t.(type) {
	case *types.Named:
		if types.Identical(t, target) {
			return true
		}
		if !c.declaredHere(t.Obj()) && t.TypeArgs().Len() == 0 {
			return false
		}
		return c.reaches(t.Underlying(), target, seen, structs)
	case *types.Struct:
		if !structs {
			return false
		}
		for f := range t.Fields() {
			if c.reaches(f.Type(), target, seen, structs) {
				return true
			}
		}
	case *types.Pointer:
		return c.reaches(t.Elem(), target, seen, structs)
	case *types.Slice:
		return c.reaches(t.Elem(), target, seen, structs)
	case *types.Array:
		return c.reaches(t.Elem(), target, seen, structs)
	case *types.Chan:
		return c.reaches(t.Elem(), target, seen, structs)
	case *types.Map:
		return c.reaches(t.Key(), target, seen, structs) || c.reaches(t.Elem(), target, seen, structs)
	case *types.Signature:
		for v := range t.Params().Variables() {
			if c.reaches(v.Type(), target, seen, structs) {
				return true
			}
		}
		for v := range t.Results().Variables() {
			if c.reaches(v.Type(), target, seen, structs) {
				return true
			}
		}
	}
	return false
}

// boxed reports whether values of the concrete type t carry a descriptor when they are held in an interface: the core
// type alone does not tell what they are. That is so of what is made of declared types, and of what holds compiled
// interfaces, in which wrappers stand for boxes.
func (c *compiler) boxed(t types.Type) bool { return c.contains(t, true) }

// mentionsOwn reports whether t is made of types that only the program knows.
func (c *compiler) mentionsOwn(t types.Type) bool { return c.contains(t, false) }

func (c *compiler) contains(t types.Type, wrappers bool) bool {
	t = types.Unalias(t)
	switch t := t.(type) {
	case *types.Named:
		if c.declaredHere(t.Obj()) || t.TypeArgs().Len() > 0 {
			return true
		}
		i, ok := t.Underlying().(*types.Interface)
		return ok && wrappers && i.NumMethods() > 0 && !isError(t)
	case *types.Struct:
		return t.NumFields() > 0
	case *types.Interface:
		return t.NumMethods() > 0
	case *types.Pointer:
		return c.contains(t.Elem(), wrappers)
	case *types.Slice:
		return c.contains(t.Elem(), wrappers)
	case *types.Array:
		return c.contains(t.Elem(), wrappers)
	case *types.Chan:
		return c.contains(t.Elem(), wrappers)
	case *types.Map:
		return c.contains(t.Key(), wrappers) || c.contains(t.Elem(), wrappers)
	case *types.Signature:
		if t.Variadic() && wrappers {
			return true
		}
		for v := range t.Params().Variables() {
			if c.contains(v.Type(), false) {
				return true
			}
		}
		for v := range t.Results().Variables() {
			if c.contains(v.Type(), false) {
				return true
			}
		}
	}
	return false
}

// key identifies a type: two types have the same key exactly when they are identical.
func (c *compiler) key(t types.Type) string {
	t = types.Unalias(t)
	if k, ok := c.keys[t]; ok {
		return k
	}
	k := c.typeKey(t)
	c.keys[t] = k
	return k
}

func (c *compiler) typeKey(t types.Type) string {
	switch t := t.(type) {
	case *types.Named:
		k := fmt.Sprintf("%p", t.Origin().Obj())
		if t.Obj().Pkg() != nil && t.Obj().Parent() == t.Obj().Pkg().Scope() {
			k = t.Obj().Pkg().Path() + "." + t.Obj().Name()
		} else if inst, ok := c.localKeys[t]; ok {
			k = inst
		}
		if args := t.TypeArgs(); args.Len() > 0 {
			k += "["
			for a := range args.Types() {
				k += c.key(a) + ","
			}
			k += "]"
		}
		return k
	case *types.Pointer:
		return "*" + c.key(t.Elem())
	case *types.Slice:
		return "[]" + c.key(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), c.key(t.Elem()))
	case *types.Map:
		return "map[" + c.key(t.Key()) + "]" + c.key(t.Elem())
	case *types.Chan:
		return fmt.Sprintf("chan%d(%s)", t.Dir(), c.key(t.Elem()))
	case *types.Struct:
		k := "struct{"
		for i := range t.NumFields() {
			f := t.Field(i)
			name := f.Name()
			if !f.Exported() && f.Pkg() != nil {
				name = f.Pkg().Path() + "." + name
			}
			k += fmt.Sprintf("%s %t %s %q;", name, f.Embedded(), c.key(f.Type()), t.Tag(i))
		}
		return k + "}"
	case *types.Signature:
		k := "func("
		for v := range t.Params().Variables() {
			k += c.key(v.Type()) + ","
		}
		k += fmt.Sprintf("%t)(", t.Variadic())
		for v := range t.Results().Variables() {
			k += c.key(v.Type()) + ","
		}
		return k + ")"
	case *types.Interface:
		k := "interface{"
		for m := range t.Methods() {
			name := m.Name()
			if !m.Exported() && m.Pkg() != nil {
				name = m.Pkg().Path() + "." + name
			}
			k += name + c.key(m.Type()) + ";"
		}
		return k + "}"
	case *types.TypeParam:
		return fmt.Sprintf("param%p", t.Obj())
	case *types.Tuple:
		k := "("
		for v := range t.Variables() {
			k += c.key(v.Type()) + ","
		}
		return k + ")"
	}
	return t.String()
}

// atomicPointer returns t as sync/atomic's Pointer[T], or nil.
func (c *compiler) atomicPointer(t types.Type) *types.Named {
	n, ok := types.Unalias(t).(*types.Named)
	if ok && n.Obj().Name() == "Pointer" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync/atomic" {
		return n
	}
	return nil
}
