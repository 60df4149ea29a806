package lower

import (
	"encoding/json"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"fieldbook/grader/engine/lower/object"
)

// descriptor is a type that package object must know.
type descriptor struct {
	id          int
	typ         types.Type
	name        string // of the core's variable that holds it
	inInterface bool   // values of it are boxed
	described   bool
	spec        object.Spec
	methods     []string // statements that register methods
}

// descriptor is the core variable that holds the descriptor of t.
func (c *compiler) descriptor(t types.Type) string { return c.describeType(t).name }

func (c *compiler) describeType(t types.Type) *descriptor {
	k := c.key(t)
	if d, ok := c.descriptors[k]; ok {
		return d
	}
	d := &descriptor{id: len(c.descriptorList) + 1, typ: t}
	d.name = fmt.Sprintf("type_%d", d.id)
	c.descriptors[k] = d
	c.descriptorList = append(c.descriptorList, d)
	c.variables = append(c.variables, fmt.Sprintf("var %s *%s", d.name, c.objectName("Type")))
	d.spec = object.Spec{ID: d.id, Name: c.goName(t)}
	if n := c.named(t); n != nil {
		d.spec.Declared = true
	}
	if !c.boxed(t) && !isInterface(t) {
		d.spec.Plain = true
		return d
	}
	ref := func(t types.Type) int { return c.describeType(t).id }
	d.spec.Kind = kindOf(t)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i)
			d.spec.Fields = append(d.spec.Fields, object.FieldSpec{
				Name: f.Name(), Tag: reflect.StructTag(u.Tag(i)), Embedded: f.Embedded(), Exported: f.Exported(), Type: ref(f.Type()),
			})
		}
	case *types.Pointer:
		d.spec.Elem = ref(u.Elem())
	case *types.Slice:
		d.spec.Elem = ref(u.Elem())
	case *types.Array:
		d.spec.Elem = ref(u.Elem())
	case *types.Map:
		d.spec.Key, d.spec.Elem = ref(u.Key()), ref(u.Elem())
	case *types.Interface:
		d.spec.Interface = true
	}
	return d
}

// kindOf is the kind of a type whose zero value is nil.
func kindOf(t types.Type) reflect.Kind {
	switch t.Underlying().(type) {
	case *types.Pointer:
		return reflect.Pointer
	case *types.Slice:
		return reflect.Slice
	case *types.Map:
		return reflect.Map
	case *types.Chan:
		return reflect.Chan
	case *types.Signature:
		return reflect.Func
	}
	return reflect.Invalid
}

// inInterface notes that values of t are boxed, and so are those of the types that it is made of, which printing may
// reach.
func (c *compiler) inInterface(t types.Type) {
	d := c.describeType(t)
	if d.inInterface {
		return
	}
	d.inInterface = true
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			c.partInInterface(f.Type())
		}
	case *types.Pointer:
		c.partInInterface(u.Elem())
	case *types.Slice:
		c.partInInterface(u.Elem())
	case *types.Array:
		c.partInInterface(u.Elem())
	case *types.Map:
		c.partInInterface(u.Key())
		c.partInInterface(u.Elem())
	}
}

func (c *compiler) partInInterface(t types.Type) {
	if !isInterface(t) && c.boxed(t) {
		c.inInterface(t)
	}
}

// describeMethods lists the methods of a boxed type. Those that compiled code could call are registered as functions.
func (c *compiler) describeMethods(d *descriptor) bool {
	if d.described {
		return false
	}
	d.described = true
	set := types.NewMethodSet(d.typ)
	addressable := map[string]bool{}
	if _, ok := d.typ.Underlying().(*types.Pointer); !ok && !isInterface(d.typ) {
		// Decoding reaches the methods of a pointer to the value.
		p := types.NewMethodSet(types.NewPointer(d.typ))
		for sel := range p.Methods() {
			if name := sel.Obj().Name(); set.Lookup(sel.Obj().Pkg(), name) == nil && strings.HasPrefix(name, "Unmarshal") {
				addressable[name] = true
				c.registerMethod(d, types.NewPointer(d.typ), sel, true)
			}
		}
	}
	for sel := range set.Methods() {
		c.registerMethod(d, d.typ, sel, false)
	}
	return true
}

func (c *compiler) registerMethod(d *descriptor, t types.Type, sel *types.Selection, byPointer bool) {
	f := sel.Obj().(*types.Func)
	name := f.Name()
	sig := sel.Type().(*types.Signature)
	if !byPointer {
		key := name
		if !f.Exported() {
			key = f.Pkg().Path() + "." + name
		}
		d.spec.Methods = append(d.spec.Methods, key+signatureText(sig))
	}
	if !token.IsExported(name) || c.mentionsOwn(sig) {
		return
	}
	if _, ptr := t.Underlying().(*types.Pointer); ptr && c.named(t) != nil {
		return
	}
	for p := range c.own {
		c.pkg = c.own[p]
		break
	}
	fn := c.methodFunction(t, name)
	d.methods = append(d.methods, c.object("RegisterMethod", d.name, fmt.Sprintf("%q", name), fn))
}

// signatureText identifies a method's signature in descriptors.
func signatureText(s *types.Signature) string {
	return types.TypeString(types.NewSignatureType(nil, nil, nil, unnamed(s.Params()), unnamed(s.Results()), s.Variadic()), func(p *types.Package) string { return p.Path() })[len("func"):]
}

func unnamed(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
	}
	return types.NewTuple(vars...)
}

// target is the core variable that holds the target of assertions to t.
func (c *compiler) target(t types.Type) string {
	if isUntypedNil(t) {
		return c.makeTarget("nil", c.object("ToNil"))
	}
	switch {
	case isInterface(t) && !c.openInterface(t):
		return c.makeTarget(c.key(t), c.object("ToInterface", "new("+c.core(t)+")", fmt.Sprintf("%q", c.goName(t))))
	case isInterface(t):
		var list []string
		for m := range t.Underlying().(*types.Interface).Methods() {
			name := m.Name()
			if !m.Exported() {
				name = m.Pkg().Path() + "." + name
			}
			list = append(list, name+signatureText(m.Signature()))
		}
		return c.makeTarget(c.key(t), c.object("ToMethods", fmt.Sprintf("%q", strings.Join(list, ";")), fmt.Sprintf("%q", c.goName(t))))
	case c.boxed(t):
		return c.makeTarget(c.key(t), c.object("ToType", c.descriptor(t)))
	default:
		return c.makeTarget(c.key(t), c.object("ToPlain", "new("+c.core(t)+")"))
	}
}

func (c *compiler) makeTarget(key, text string) string {
	name, ok := c.targets[key]
	if !ok {
		name = fmt.Sprintf("target_%d", len(c.targets)+1)
		c.targets[key] = name
		c.variables = append(c.variables, fmt.Sprintf("var %s *%s", name, c.objectName("Target")))
		c.targetList = append(c.targetList, name+" = "+text)
	}
	return name
}

// describe writes the function that makes all descriptors and targets.
func (c *compiler) describe() []line {
	lines := []line{{text: "func describe() {"}}
	if len(c.descriptorList) > 0 {
		specs := make([]object.Spec, len(c.descriptorList))
		for i, d := range c.descriptorList {
			specs[i] = d.spec
		}
		text, err := json.Marshal(specs)
		if err != nil {
			panic(err)
		}
		lines = append(lines, line{text: "list := " + c.object("Types", fmt.Sprintf("%q", text))})
		for i, d := range c.descriptorList {
			lines = append(lines, line{text: fmt.Sprintf("%s = list[%d]", d.name, i)})
		}
		for _, d := range c.descriptorList {
			for _, m := range d.methods {
				lines = append(lines, line{text: m})
			}
		}
	}
	for _, t := range c.targetList {
		lines = append(lines, line{text: t})
	}
	return append(lines, line{text: "}"})
}
