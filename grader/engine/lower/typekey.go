package lower

import (
	"fmt"
	"go/types"
)

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
