package exercises

import (
	"fmt"
	"go/ast"
	"go/types"

	"fieldbook/exercises/internal/gofile"
	"fieldbook/runtime/world"
)

// Callable reports why a case cannot be a call of a function with that signature: the number of its arguments, or a value
// that the type of its parameter cannot hold. A result is checked when the function has one, or one and an error.
func Callable(signature string, row TableCase) error {
	fn, err := gofile.FuncType(signature)
	if err != nil {
		return nil // complained about where the signature stands
	}
	params := fn.Params.List
	if len(params) != len(row.Args) {
		return fmt.Errorf("the case has %d arguments, the function %d parameters", len(row.Args), len(params))
	}
	for i, p := range params {
		if !holds(p.Type, row.Args[i]) {
			return fmt.Errorf("argument %d, %v, is no %s", i+1, row.Args[i], types.ExprString(p.Type))
		}
	}
	if results := fn.Results; row.Raises == "" && results.NumFields() > 0 && !holds(results.List[0].Type, row.Expected) {
		return fmt.Errorf("expected, %v, is no %s", row.Expected, types.ExprString(results.List[0].Type))
	}
	return nil
}

// holds reports whether a value of the written kind can be passed as that type. null is nil: of slices, maps and pointers.
// Named types are supplied ones, which the table's driver knows; they hold anything here.
func holds(t ast.Expr, v world.Value) bool {
	switch t := t.(type) {
	case *ast.Ident:
		return holdsBasic(t.Name, v.Kind())
	case *ast.ArrayType:
		list, ok := v.AsList()
		for _, e := range list {
			ok = ok && holds(t.Elt, e)
		}
		return ok || v.Kind() == world.Null && t.Len == nil
	case *ast.MapType:
		m, ok := v.AsMap()
		for _, e := range m {
			ok = ok && holds(t.Value, e)
		}
		return ok || v.Kind() == world.Null
	default:
		return true
	}
}

func holdsBasic(name string, kind world.Kind) bool {
	switch name {
	case "bool":
		return kind == world.Bool
	case "string":
		return kind == world.String
	case "float32", "float64":
		return kind == world.Float
	case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "byte", "rune", "uintptr":
		return kind == world.Int
	default:
		return true
	}
}
