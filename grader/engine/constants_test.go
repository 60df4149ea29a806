package engine_test

import (
	"testing"

	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

// A constant keeps the type that a supplied package gave it: as the key of a map, in a variable, in a list.
func TestConstantsOfSuppliedTypes(t *testing.T) {
	text := `package probe

import (
	"context"
	"fmt"

	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	rows := map[shop.Status]int64{shop.Ready: 1, shop.Done: 2}
	rows[shop.Running] = 3
	kept := shop.Running
	seen.Int("by_constant", rows[shop.Ready])
	seen.Int("by_variable", rows[kept])
	seen.Int("by_field", rows[shop.Work{Status: shop.Done}.Status])
	delete(rows, shop.Done)
	_, there := rows[shop.Done]
	seen.Bool("deleted", !there)
	var sum int64
	for _, status := range []shop.Status{shop.Ready, shop.Running} {
		sum += rows[status]
	}
	seen.Int("sum", sum)
	seen.String("type", fmt.Sprintf("%T", kept))
	return seen, nil
}
`
	r := run(t, mustPrepare(t, engine.New(teaching.Tree()), engine.Program{
		Sources: []engine.Source{{Path: "probe/probe.go", Text: []byte(text)}},
		Entry:   engine.Entry{Package: engine.ImportPath("probe/probe.go"), Function: "Probe"},
	}))
	if r.err != nil || r.crash != nil {
		t.Fatalf("error %v, crash %+v", r.err, r.crash)
	}
	for name, want := range map[string]string{
		"by_constant": "1", "by_variable": "3", "by_field": "2", "deleted": "true", "sum": "4", "type": "shop.Status",
	} {
		if got := r.seen.Value(name).String(); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
