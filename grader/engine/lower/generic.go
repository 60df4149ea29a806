package lower

import (
	"fmt"
	"go/types"
)

// Generics are monomorphised: a generic function is compiled once for each list of type arguments, with an environment
// that says what its type parameters stand for. The interpreter's own generics infer wrongly and know few constraints.

// environment maps the type parameters of the function being compiled to types without type parameters.
type environment map[*types.TypeParam]types.Type

// substitute replaces type parameters in t.
func (c *compiler) substitute(t types.Type, env environment) types.Type {
	if len(env) == 0 || t == nil {
		return t
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if s, ok := env[t]; ok {
			return s
		}
		return t
	case *types.Basic:
		return t
	case *types.Named:
		if args := t.TypeArgs(); args.Len() > 0 {
			list := make([]types.Type, args.Len())
			changed := false
			for i := range args.Len() {
				list[i] = c.substitute(args.At(i), env)
				changed = changed || list[i] != args.At(i)
			}
			if !changed {
				return t
			}
			inst, err := types.Instantiate(c.context, t.Origin(), list, false)
			if err != nil {
				panic(fmt.Sprintf("lower: instantiating %v: %v", t, err))
			}
			return inst
		}
		if c.declaredHere(t.Obj()) && t.Obj().Parent() != t.Obj().Pkg().Scope() && mentionsParameter(t.Underlying(), map[types.Type]bool{}) {
			return c.localInstance(t, env)
		}
		return t
	case *types.Pointer:
		if e := c.substitute(t.Elem(), env); e != t.Elem() {
			return types.NewPointer(e)
		}
		return t
	case *types.Slice:
		if e := c.substitute(t.Elem(), env); e != t.Elem() {
			return types.NewSlice(e)
		}
		return t
	case *types.Array:
		if e := c.substitute(t.Elem(), env); e != t.Elem() {
			return types.NewArray(e, t.Len())
		}
		return t
	case *types.Chan:
		if e := c.substitute(t.Elem(), env); e != t.Elem() {
			return types.NewChan(t.Dir(), e)
		}
		return t
	case *types.Map:
		k, e := c.substitute(t.Key(), env), c.substitute(t.Elem(), env)
		if k != t.Key() || e != t.Elem() {
			return types.NewMap(k, e)
		}
		return t
	case *types.Struct:
		fields := make([]*types.Var, t.NumFields())
		tags := make([]string, t.NumFields())
		changed := false
		for i := range t.NumFields() {
			f := t.Field(i)
			s := c.substitute(f.Type(), env)
			tags[i] = t.Tag(i)
			fields[i] = f
			if s != f.Type() {
				changed = true
				fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), s, f.Embedded())
			}
		}
		if !changed {
			return t
		}
		return types.NewStruct(fields, tags)
	case *types.Tuple:
		return c.substituteTuple(t, env)
	case *types.Signature:
		params, results := c.substituteTuple(t.Params(), env), c.substituteTuple(t.Results(), env)
		if params == t.Params() && results == t.Results() {
			return t
		}
		return types.NewSignatureType(nil, nil, nil, params, results, t.Variadic())
	case *types.Interface:
		methods := make([]*types.Func, t.NumMethods())
		changed := false
		for i := range t.NumMethods() {
			m := t.Method(i)
			s := c.substitute(m.Type(), env)
			methods[i] = m
			if s != m.Type() {
				changed = true
				methods[i] = types.NewFunc(m.Pos(), m.Pkg(), m.Name(), s.(*types.Signature))
			}
		}
		if !changed {
			return t
		}
		return types.NewInterfaceType(methods, nil).Complete()
	default:
		return t
	}
}

func (c *compiler) substituteTuple(t *types.Tuple, env environment) *types.Tuple {
	if t.Len() == 0 {
		return t
	}
	vars := make([]*types.Var, t.Len())
	changed := false
	for i := range t.Len() {
		v := t.At(i)
		s := c.substitute(v.Type(), env)
		vars[i] = v
		if s != v.Type() {
			changed = true
			vars[i] = types.NewVar(v.Pos(), v.Pkg(), v.Name(), s)
		}
	}
	if !changed {
		return t
	}
	return types.NewTuple(vars...)
}

// localInstance is the type that a type declared inside a generic function stands for in one instance of it.
func (c *compiler) localInstance(t *types.Named, env environment) types.Type {
	k := fmt.Sprintf("%p", t.Obj())
	for _, p := range sortedParameters(env) {
		k += "," + c.key(env[p])
	}
	if inst, ok := c.localInstances[k]; ok {
		return inst
	}
	inst := types.NewNamed(types.NewTypeName(t.Obj().Pos(), t.Obj().Pkg(), t.Obj().Name(), nil), nil, nil)
	c.localInstances[k] = inst
	c.localKeys[inst] = k
	inst.SetUnderlying(c.substitute(t.Underlying(), env).Underlying())
	return inst
}

func sortedParameters(env environment) []*types.TypeParam {
	list := make([]*types.TypeParam, 0, len(env))
	for p := range env {
		list = append(list, p)
	}
	for i := range list {
		for j := i; j > 0 && list[j].Obj().Pos() < list[j-1].Obj().Pos(); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	return list
}

func mentionsParameter(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if mentionsParameter(a, seen) {
				return true
			}
		}
		if t.TypeParams().Len() > 0 || t.Obj().Pkg() == nil || t.Obj().Parent() == t.Obj().Pkg().Scope() {
			return false
		}
		return mentionsParameter(t.Underlying(), seen)
	case *types.Pointer:
		return mentionsParameter(t.Elem(), seen)
	case *types.Slice:
		return mentionsParameter(t.Elem(), seen)
	case *types.Array:
		return mentionsParameter(t.Elem(), seen)
	case *types.Chan:
		return mentionsParameter(t.Elem(), seen)
	case *types.Map:
		return mentionsParameter(t.Key(), seen) || mentionsParameter(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if mentionsParameter(f.Type(), seen) {
				return true
			}
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			if mentionsParameter(v.Type(), seen) {
				return true
			}
		}
		for v := range t.Results().Variables() {
			if mentionsParameter(v.Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if mentionsParameter(m.Type(), seen) {
				return true
			}
		}
	}
	return false
}
