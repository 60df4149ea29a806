package lower

import (
	"go/constant"
	"go/types"
	"math"
	"strconv"
)

// Constants are folded and written with their types: the interpreter divides them as integers in a float context,
// compares typed ones wrongly and refuses large ones.

// constantText is the core text of a constant of type t, which is not an interface.
func (c *compiler) constantText(v constant.Value, t types.Type) string {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		panic("lower: constant of type " + t.String())
	}
	core := c.core(types.Default(t))
	if b.Info()&types.IsUntyped != 0 {
		b = types.Default(b).Underlying().(*types.Basic)
	}
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return typedText(strconv.FormatBool(constant.BoolVal(v)), core, "bool")
	case info&types.IsString != 0:
		return typedText(strconv.Quote(constant.StringVal(v)), core, "string")
	case info&types.IsInteger != 0:
		return integerText(constant.ToInt(v), b, core)
	case info&types.IsFloat != 0:
		return c.floatText(constant.ToFloat(v), b, core)
	default:
		v = constant.ToComplex(v)
		re, _ := constant.Float64Val(constant.Real(v))
		im, _ := constant.Float64Val(constant.Imag(v))
		if b.Kind() == types.Complex64 {
			return c.object("Complex64", floatLiteral(re, 64), floatLiteral(im, 64))
		}
		return c.object("Complex128", floatLiteral(re, 64), floatLiteral(im, 64))
	}
}

// typedText is a constant's text with the type that it would not have by itself: one of a compiled package.
func typedText(text, core, itself string) string {
	if core == itself {
		return text
	}
	return core + "(" + text + ")"
}

func integerText(v constant.Value, b *types.Basic, core string) string {
	text := v.ExactString()
	if b.Kind() == types.Int {
		if constant.Sign(v) < 0 {
			return "(" + text + ")"
		}
		return text
	}
	return core + "(" + text + ")"
}

func (c *compiler) floatText(v constant.Value, b *types.Basic, core string) string {
	bits := 64
	if b.Kind() == types.Float32 {
		bits = 32
	}
	f, _ := constant.Float64Val(v)
	if bits == 32 {
		f32, _ := constant.Float32Val(v)
		f = float64(f32)
	}
	return core + "(" + floatLiteral(f, bits) + ")"
}

func floatLiteral(f float64, bits int) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', 1, bits)
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}
