package lower

import (
	"go/types"
)

// What types reach and hold.

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
