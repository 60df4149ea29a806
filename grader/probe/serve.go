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
	sandbox.ServeRoles(map[string]sandbox.Warm{
		"":         Function,
		check.Role: func(string) sandbox.Function { return check.Function(teaching.Tree()) },
	})
}

// Function is the work of a worker. The interpreter and its symbols are made at once, and the first text of the programs to
// come, when it is known, is compiled: a pre-warmed worker only has to load what is the learner's.
func Function(first string) sandbox.Function {
	interpreter, err := engine.NewInterpreter(os.Stdout, os.Stderr)
	if err == nil && first != "" {
		err = interpreter.LoadFirst(first)
	}
	return func(session sandbox.Session) ([]byte, error) {
		if err == nil && session.Ahead != "" {
			err = interpreter.LoadFirst(session.Ahead)
		}
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
