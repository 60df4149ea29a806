package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime/debug"
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/sandbox"
)

// softMemory is where a worker that checks begins to collect, in bytes.
const softMemory = 128 << 20

// reply is what a worker sends back. One of its parts is there.
type reply struct {
	Prepared    *engine.Prepared    `json:"prepared,omitempty"`
	Diagnostics []grader.Diagnostic `json:"diagnostics,omitempty"`
	Failed      string              `json:"failed,omitempty"` // our own failure
	Stack       []byte              `json:"stack,omitempty"`  // where the engine panicked, if that was the failure
}

// Function makes the function of workers that check. It warms an engine, so that only the learner's own files are left to
// be looked at when the request comes.
func Function(copied fs.FS) sandbox.Function {
	// A check is short. Nothing is collected while there is room, and there is room for several checks.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(softMemory)
	e := engine.New(copied)
	err := warm(e, copied)
	return func(session sandbox.Session) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		var p engine.Program
		if err := json.Unmarshal(session.Request, &p); err != nil {
			return nil, fmt.Errorf("decode a program to be checked: %w", err)
		}
		return json.Marshal(prepare(e, p))
	}
}

func prepare(e *engine.Engine, p engine.Program) reply {
	prepared, found, err := e.Prepare(context.Background(), p)
	if err == nil {
		return reply{Prepared: prepared, Diagnostics: found}
	}
	r := reply{Failed: err.Error()}
	if fault, ok := errors.AsType[*engine.PanicError](err); ok {
		r.Failed, r.Stack = fmt.Sprint(fault.Value), fault.Stack
	}
	return r
}

// warm prepares a program that imports every copied package and does nothing with it.
func warm(e *engine.Engine, copied fs.FS) error {
	var text strings.Builder
	text.WriteString("package main\n\n")
	seen := map[string]bool{}
	err := fs.WalkDir(copied, ".", func(name string, entry fs.DirEntry, err error) error {
		if folder := path.Dir(name); err == nil && path.Ext(name) == ".go" && !seen[folder] {
			seen[folder] = true
			fmt.Fprintf(&text, "import _ %q\n", engine.ImportPath(name))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("list the copied runtime: %w", err)
	}
	text.WriteString("\nfunc main() {}\n")
	_, found, err := e.Prepare(context.Background(), engine.Program{
		Sources: []engine.Source{{Path: "main.go", Text: []byte(text.String())}},
		Entry:   engine.Entry{Package: "main", Function: "main"},
		Rules:   engine.Rules{Main: true},
	})
	if err == nil && len(found) > 0 {
		err = errors.New(found[0].String())
	}
	if err != nil {
		return fmt.Errorf("warm the engine: %w", err)
	}
	return nil
}

// decodeReply reads what a worker sent. It is our own code that writes it, over source that may want to fool it: what does
// not decode is a failure, and a program without its parts is none.
func decodeReply(data []byte) (*engine.Prepared, []grader.Diagnostic, error) {
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, nil, fmt.Errorf("decode the reply of a worker that checks: %w", err)
	}
	switch {
	case r.Stack != nil:
		return nil, nil, &engine.PanicError{Value: r.Failed, Stack: r.Stack}
	case r.Failed != "":
		return nil, nil, errors.New(r.Failed)
	case len(r.Diagnostics) > 0:
		return nil, r.Diagnostics, nil
	case r.Prepared == nil || r.Prepared.Digest == "":
		return nil, nil, errors.New("a worker that checks sent neither a program nor a message")
	}
	return r.Prepared, nil, nil
}
