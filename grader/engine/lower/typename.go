package lower

import (
	"fmt"
	"go/types"
	"strings"
)

// goName is the type's name as package reflect, and so %T, writes it.
func (c *compiler) goName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		switch t.Name() {
		case "byte":
			return "uint8"
		case "rune":
			return "int32"
		}
		return t.Name()
	case *types.Named:
		name := t.Obj().Name()
		if t.Obj().Pkg() != nil {
			name = t.Obj().Pkg().Name() + "." + name
		}
		if args := t.TypeArgs(); args.Len() > 0 {
			var list []string
			for a := range args.Types() {
				list = append(list, c.argumentName(a))
			}
			name += "[" + strings.Join(list, ",") + "]"
		}
		return name
	case *types.Pointer:
		return "*" + c.goName(t.Elem())
	case *types.Slice:
		return "[]" + c.goName(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), c.goName(t.Elem()))
	case *types.Map:
		return "map[" + c.goName(t.Key()) + "]" + c.goName(t.Elem())
	case *types.Chan:
		elem := c.goName(t.Elem())
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
	case *types.Struct:
		return c.structTypeName(t)
	case *types.Signature:
		return "func" + c.signatureName(t)
	case *types.Interface:
		if t.NumMethods() == 0 {
			return "interface {}"
		}
		var list []string
		for m := range t.Methods() {
			list = append(list, m.Name()+c.signatureName(m.Signature()))
		}
		return "interface { " + strings.Join(list, "; ") + " }"
	}
	return t.String()
}

// argumentName is a type argument's name inside another's: with the full path of its package.
func (c *compiler) argumentName(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path() + c.goName(t)[len(n.Obj().Pkg().Name()):]
	}
	return c.goName(t)
}

func (c *compiler) structTypeName(t *types.Struct) string {
	if t.NumFields() == 0 {
		return "struct {}"
	}
	var list []string
	for i := range t.NumFields() {
		f := t.Field(i)
		text := f.Name() + " " + c.goName(f.Type())
		if f.Embedded() {
			text = c.goName(f.Type())
		}
		if tag := t.Tag(i); tag != "" {
			text += fmt.Sprintf(" %q", tag)
		}
		list = append(list, text)
	}
	return "struct { " + strings.Join(list, "; ") + " }"
}

func (c *compiler) signatureName(s *types.Signature) string {
	var params, results []string
	for i := range s.Params().Len() {
		t := s.Params().At(i).Type()
		if s.Variadic() && i == s.Params().Len()-1 {
			params = append(params, "..."+c.goName(t.(*types.Slice).Elem()))
			continue
		}
		params = append(params, c.goName(t))
	}
	for v := range s.Results().Variables() {
		results = append(results, c.goName(v.Type()))
	}
	text := "(" + strings.Join(params, ", ") + ")"
	switch len(results) {
	case 0:
		return text
	case 1:
		return text + " " + results[0]
	}
	return text + " (" + strings.Join(results, ", ") + ")"
}
