package probe

import (
	"errors"
	"os"
	"runtime/debug"

	"fieldbook/grader/check"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe/worker"
	"fieldbook/grader/sandbox"
	teaching "fieldbook/runtime"
)

// Serve is the worker's main, for source that is checked (package check) and for programs that are run. It never returns. A
// worker lives for one run and is bounded by the sandbox, so memory is cheaper than collecting it.
func Serve() {
	debug.SetGCPercent(-1)
	sandbox.ServeRoles(map[string]func() sandbox.Function{
		"":         Function,
		check.Role: func() sandbox.Function { return check.Function(teaching.Tree()) },
	})
}

// Function is the work of a worker. The interpreter and its symbols are made at once, before the request arrives, so that a
// pre-warmed worker only has to load the program.
func Function() sandbox.Function {
	interpreter, err := engine.NewInterpreter(os.Stdout, os.Stderr)
	return func(session sandbox.Session) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		return worker.Execute(session, func(prepared *engine.Prepared) (worker.Program, error) {
			if prepared == nil {
				return nil, errors.New("the request brings no program")
			}
			return interpreter, interpreter.Load(*prepared)
		})
	}
}
