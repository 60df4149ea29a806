package engine

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/traefik/yaegi/interp"

	"fieldbook/grader"
	"fieldbook/grader/engine/lower/object"
	"fieldbook/runtime/exercise"
)

// Crash says what a value recovered around Probe or Main was, at the learner's line, and whether the function is
// unfinished. recovered may be nil when the program lost the panic: what counts then is that Unfinished was reached.
func (i *Interpreter) Crash(recovered any) grader.Crash {
	crash := Classify(recovered)
	crash.File, crash.Line = i.panics.place()
	return crash
}

// Classify gives a recovered value Go's wording and a kind. It is grader.CrashUnfinished when exercise.Unfinished raised the value,
// or was reached in this process whatever became of its panic.
func Classify(recovered any) grader.Crash {
	for { // initialisation wraps what it recovers
		wrapped, ok := recovered.(interp.Panic)
		if !ok {
			break
		}
		recovered = wrapped.Value
	}
	if err, ok := recovered.(exercise.UnfinishedError); ok || exercise.Reached() {
		return grader.Crash{Kind: grader.CrashUnfinished, Message: err.Error()}
	}
	value := object.Value(recovered)
	if err, ok := value.(runtime.Error); ok {
		return grader.Crash{Kind: grader.CrashKind(err.Error()), Message: err.Error()}
	}
	switch value.(type) {
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr, float32, float64, complex64, complex128:
		return grader.Crash{Kind: grader.CrashPanic, Message: fmt.Sprint(value)}
	}
	return grader.Crash{Kind: grader.CrashPanic, Message: described(recovered)}
}

// described is what Go prints for a value. It may run a method of the program, which may panic itself.
func described(recovered any) (message string) {
	defer func() {
		if recover() != nil {
			message = "(the value panicked while it was printed)"
		}
	}()
	return object.Describe(recovered)
}

// ParseTrace reads what a dead worker left on stderr or in its crash report: the message of the panic that ended it and
// the learner's line. ok is false when it holds no panic of a goroutine. rest is stderr without the notes of this package
// and without the report: what the program printed.
func ParseTrace(stderr []byte) (crash grader.Crash, rest []byte, ok bool) {
	var kept [][]byte
	for line := range bytes.Lines(stderr) {
		text := string(bytes.TrimRight(line, "\r\n"))
		if place, isNote := strings.CutPrefix(text, notePrefix); isNote {
			crash.File, crash.Line = parsePlace(place)
			continue
		}
		if message, isPanic := strings.CutPrefix(text, "panic: "); isPanic && !ok {
			ok = true
			crash.Message = strings.TrimSuffix(message, " [recovered, repanicked]")
			crash.Kind = kindOfTrace(crash.Message)
		}
		if !ok {
			kept = append(kept, line)
		}
	}
	if !ok {
		crash = grader.Crash{}
	}
	return crash, bytes.Join(kept, nil), ok
}

// kindOfTrace sorts the message of a panic that ended the process.
func kindOfTrace(message string) string {
	var unfinished exercise.UnfinishedError
	if strings.Contains(message, unfinished.Error()) {
		return grader.CrashUnfinished
	}
	if kind := grader.CrashKind(message); kind != grader.CrashRuntime || strings.HasPrefix(message, "runtime error: ") {
		return kind
	}
	return grader.CrashPanic
}

func parsePlace(place string) (file string, line int) {
	file, number, ok := cutLast(place, ':')
	if !ok {
		return "", 0
	}
	line, err := strconv.Atoi(number)
	if err != nil || line < 1 {
		return "", 0
	}
	return file, line
}

func cutLast(s string, sep byte) (before, after string, ok bool) {
	if i := strings.LastIndexByte(s, sep); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}
