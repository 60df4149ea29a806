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
	first, called := unwinding()
	if !first {
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

// unwinding looks at the stack of a panic. The interpreter recovers and panics again in each call that it unwinds, and
// does so on top of the stack that panicked: first says that this is the innermost call. A deferred call that package
// object runs is the beginning of a stack of its own in this respect. called says that the panic is on the stack of the
// program's caller, and not in a goroutine of its own.
func unwinding() (first, called bool) {
	panics, ended := 0, false
	counters := make([]uintptr, 1024)
	for skip, page := 1, 64; ; skip, page = skip+page, len(counters) { // most answers lie near the top
		n := runtime.Callers(skip, counters[:page])
		if n == 0 {
			return true, false
		}
		frames := runtime.CallersFrames(counters[:n])
		for more := true; more; {
			var frame runtime.Frame
			frame, more = frames.Next()
			switch {
			case frame.Function == "runtime.gopanic" && !ended:
				if panics++; panics > 1 {
					return false, false
				}
			case strings.HasSuffix(frame.Function, "/object.attempt"):
				ended = true
			case strings.Contains(frame.Function, "/engine.(*Interpreter)."):
				return true, true
			}
		}
	}
}
