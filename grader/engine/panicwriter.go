package engine

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
)

// notePrefix begins the line that a panicking goroutine leaves on stderr, where the process is about to die and nothing
// else can say the learner's line.
const notePrefix = "fieldbook: panic at "

// panicWriter is the interpreter's stderr. The interpreter writes one line to it for every interpreted call that a panic
// unwinds, naming the function alone. That line is dropped, and its first occurrence in a panic is used to learn where
// the program stood.
type panicWriter struct {
	out   io.Writer
	where func() (file string, line int)

	mu   sync.Mutex
	file string // where the last panic of the called program began
	line int
}

func (w *panicWriter) Write(p []byte) (int, error) {
	if !bytes.Contains(p, []byte(": panic: ")) || !bytes.HasSuffix(p, []byte("(...)\n")) {
		return w.out.Write(p)
	}
	unwound, called := unwinding()
	if unwound > 1 {
		return len(p), nil // a caller of the function that panicked
	}
	file, line := w.where()
	w.mu.Lock()
	defer w.mu.Unlock()
	if called {
		w.file, w.line = file, line
	} else if line > 0 {
		fmt.Fprintf(w.out, "%s%s:%d\n", notePrefix, file, line)
	}
	return len(p), nil
}

// place is where the last panic of the called program began; line 0 when that is not known.
func (w *panicWriter) place() (file string, line int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.file, w.line
}

// unwinding counts the interpreted calls that the present panic has unwound: the interpreter recovers and panics again in
// each. called says that the panic is on the stack of the program's caller, and not in a goroutine of its own.
func unwinding() (unwound int, called bool) {
	counters := make([]uintptr, 4096)
	frames := runtime.CallersFrames(counters[:runtime.Callers(1, counters)])
	for {
		frame, more := frames.Next()
		if frame.Function == "runtime.gopanic" {
			unwound++
		}
		if strings.Contains(frame.Function, "engine.(*Interpreter)") {
			called = true
		}
		if !more {
			return unwound, called
		}
	}
}
