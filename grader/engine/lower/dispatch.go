package lower

import (
	"fmt"
	"go/types"
	"strings"
)

// A method call on an interface that the program declares goes through a function that looks at the value's
// descriptor and calls the right function: the whole program is known.

// dispatcher is the function for one method name and signature.
type dispatcher struct {
	name   string
	method *method
	done   map[*descriptor]bool
	cases  []line
	pkg    *Package
}

func (c *compiler) dispatcher(m *method) string {
	k := m.name + c.key(m.sig)
	if !m.object.Exported() {
		k = m.object.Pkg().Path() + "." + k
	}
	d, ok := c.dispatchers[k]
	if !ok {
		d = &dispatcher{name: c.fresh("i_" + m.name), method: m, done: map[*descriptor]bool{}, pkg: c.pkg}
		c.dispatchers[k] = d
		c.dispatchList = append(c.dispatchList, d)
	}
	return d.name
}

// finishDispatch writes the dispatchers, for every type that is ever converted to an interface, until nothing new is
// needed.
func (c *compiler) finishDispatch() {
	for changed := true; changed; {
		changed = false
		c.drain()
		for i := 0; i < len(c.descriptorList); i++ {
			d := c.descriptorList[i]
			if !d.inInterface {
				continue
			}
			changed = c.describeMethods(d) || changed
			for _, dispatch := range c.dispatchList {
				if !dispatch.done[d] {
					dispatch.done[d] = true
					changed = true
					c.dispatchTo(dispatch, d)
				}
			}
		}
	}
	for _, d := range c.dispatchList {
		c.writeDispatcher(d)
	}
}

func (c *compiler) dispatchTo(d *dispatcher, t *descriptor) {
	set := types.NewMethodSet(t.typ)
	sel := set.Lookup(d.method.object.Pkg(), d.method.name)
	if sel == nil || c.key(sel.Type()) != c.key(d.method.sig) {
		return
	}
	c.pkg = d.pkg
	f := c.methodFunction(t.typ, d.method.name)
	c.fn = newFunction(nil, nil)
	c.emit("case %d:", t.id)
	v := c.variable(c.core(t.typ))
	c.emit("%s", c.object("Unwrap", "x", "&"+v))
	args := []string{v}
	for i := range d.method.sig.Params().Len() {
		args = append(args, fmt.Sprintf("a%d", i))
	}
	call := f + "(" + strings.Join(args, ", ") + ")"
	if d.method.sig.Results().Len() > 0 {
		c.emit("return %s", call)
	} else {
		c.emit("%s", call)
		c.emit("return")
	}
	d.cases = append(d.cases, c.fn.lines...)
	c.fn = nil
}

func (c *compiler) writeDispatcher(d *dispatcher) {
	params := []string{"x any"}
	var args []string
	for i := range d.method.sig.Params().Len() {
		params = append(params, fmt.Sprintf("a%d %s", i, c.core(d.method.sig.Params().At(i).Type())))
		args = append(args, fmt.Sprintf("a%d", i))
	}
	lines := []line{{text: "func " + d.name + "(" + strings.Join(params, ", ") + ")" + c.results(d.method.sig) + " {"}}
	if len(d.cases) > 0 {
		lines = append(lines, line{text: "switch " + c.object("ID", "x") + " {"})
		lines = append(lines, d.cases...)
		lines = append(lines, line{text: "}"})
	}
	// A compiled type's own method.
	if d.method.sig.Variadic() && len(args) > 0 {
		lines = append(lines, line{text: fmt.Sprintf("var f func(%s)%s", strings.Join(c.coreList(d.method.sig.Params()), ", "), c.results(d.method.sig))})
	} else {
		lines = append(lines, line{text: "var f func" + c.signature(d.method.sig)})
	}
	lines = append(lines, line{text: c.object("Method", "x", fmt.Sprintf("%q", d.method.name), "&f")})
	call := "f(" + strings.Join(args, ", ") + ")"
	if d.method.sig.Results().Len() > 0 {
		call = "return " + call
	}
	c.output = append(c.output, append(lines, line{text: call}, line{text: "}"}))
}
