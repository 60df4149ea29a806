package task

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"

	"fieldbook/grader/engine"
	"fieldbook/runtime/world"
)

// chosenProbe is the value of a case that says which of several probes runs. An author's parameters are words.
const chosenProbe = "(probe)"

// together are the sources of one program with several probes: each in a package of its own, and one that passes the call on
// to the probe that the case names.
func together(probes [][]byte) []engine.Source {
	var sources []engine.Source
	var imports, choices bytes.Buffer
	for i, text := range probes {
		at := fmt.Sprintf("%s/probe%d/probe.go", path.Dir(probePath), i)
		sources = append(sources, engine.Source{Path: at, Text: text})
		fmt.Fprintf(&imports, "\tprobe%d %q\n", i, engine.ImportPath(at))
		fmt.Fprintf(&choices, "\tcase %d:\n\t\treturn probe%d.Probe(ctx, w)\n", i, i)
	}
	text := fmt.Sprintf(`package probe

import (
	"context"
	"errors"

	%q

%s)

func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	number, _ := w.Case(%q).AsInt()
	switch number {
%s	}
	return world.Observation{}, errors.New("no such probe")
}
`, engine.ImportPath("runtime/world/world.go"), imports.String(), chosenProbe, choices.String())
	return append(sources, engine.Source{Path: probePath, Text: []byte(text)})
}

// values are what a case's probe reads, and where several share a program, which of them it is.
func (x *Examination) values(c Case) map[string]world.Value {
	number := slices.IndexFunc(x.probes, func(text []byte) bool { return bytes.Equal(text, c.Probe) })
	if number < 0 {
		return c.Values
	}
	values := map[string]world.Value{}
	maps.Copy(values, c.Values)
	values[chosenProbe] = world.IntValue(int64(number))
	return values
}
