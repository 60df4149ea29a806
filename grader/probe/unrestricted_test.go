package probe_test

import (
	"encoding/json"
	"fmt"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
	"github.com/traefik/yaegi/stdlib/syscall"
	"github.com/traefik/yaegi/stdlib/unrestricted"
	"github.com/traefik/yaegi/stdlib/unsafe"

	"fieldbook/grader/sandbox"
)

// fullRole is that of workers that interpret source as it is: nothing is checked or lowered, and every package of the
// standard library is there, syscall and unsafe among them. What such a program cannot do, the operating system's layers
// keep it from.
const fullRole = "full"

// bare is a program for such a worker.
type bare struct {
	Source, Input string
	Packages      string // folder where the interpreter looks for packages in source form
}

func (b bare) encode() []byte {
	data, _ := json.Marshal(b) // strings always encode
	return data
}

// interpretBare is the function of workers of fullRole. Source that the interpreter refuses is a reply, not a failure.
func interpretBare(s sandbox.Session) ([]byte, error) {
	var b bare
	if err := json.Unmarshal(s.Request, &b); err != nil {
		return nil, err
	}
	i := interp.New(interp.Options{GoPath: b.Packages, Unrestricted: true})
	for _, symbols := range []interp.Exports{stdlib.Symbols, syscall.Symbols, unsafe.Symbols, unrestricted.Symbols, interp.Symbols} {
		if err := i.Use(symbols); err != nil {
			return nil, err
		}
	}
	if _, err := i.Eval(b.Source); err != nil {
		return fmt.Appendf(nil, "REFUSED %v", err), nil
	}
	v, err := i.Eval("main.Solve")
	if err != nil {
		return fmt.Appendf(nil, "REFUSED %v", err), nil
	}
	solve, ok := v.Interface().(func(string) string)
	if !ok {
		return fmt.Appendf(nil, "REFUSED Solve has the type %s", v.Type()), nil
	}
	return []byte(solve(b.Input)), nil
}
