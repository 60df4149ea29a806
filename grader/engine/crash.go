package engine

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"

	"github.com/traefik/yaegi/interp"

	"fieldbook/grader"
	"fieldbook/runtime/exercise"
)

// Kinds of crash. Engines are compared by kind and place, not by message.
const (
	CrashUnfinished = "unfinished" // the function still calls exercise.Unfinished
	CrashPanic      = "panic"      // a call of panic
	CrashNil        = "nil dereference"
	CrashIndex      = "index out of range"
	CrashSlice      = "slice bounds out of range"
	CrashDivide     = "integer divide by zero"
	CrashNilMap     = "assignment to nil map"
	CrashAssertion  = "type assertion"
	CrashClosed     = "closed channel"
	CrashMakeSlice  = "makeslice"
	CrashShift      = "negative shift"
	CrashUnhashable = "unhashable"
	CrashCompare    = "incomparable"
	CrashRuntime    = "runtime error" // any other error of the Go runtime
)

// Crash says what a value recovered around Probe or Main was, at the learner's line, and whether the function is
// unfinished. recovered may be nil when the program lost the panic: what counts then is that Unfinished was reached.
func (i *Interpreter) Crash(recovered any) grader.Crash {
	crash := Classify(recovered)
	crash.File, crash.Line = i.panics.place()
	return crash
}

// Classify gives a recovered value Go's wording and a kind. A value of exercise.UnfinishedError, or any value once
// exercise.Unfinished was reached in this process, is CrashUnfinished.
func Classify(recovered any) grader.Crash {
	value := unwrap(recovered)
	var unfinished exercise.UnfinishedError
	if err, ok := value.(error); (ok && errors.As(err, &unfinished)) || exercise.Reached() {
		return grader.Crash{Kind: CrashUnfinished, Message: unfinished.Error()}
	}
	if fault, ok := value.(runtimeFault); ok {
		return grader.Crash{Kind: fault.kind, Message: fault.message}
	}
	if err, ok := value.(runtime.Error); ok {
		return grader.Crash{Kind: kindOf(err.Error()), Message: err.Error()}
	}
	return grader.Crash{Kind: CrashPanic, Message: printed(value)}
}

// runtimeFault is a fault of the Go runtime that the interpreter words in its own way.
type runtimeFault struct{ kind, message string }

// unwrap finds the value that the program panicked with inside what the interpreter made of it.
func unwrap(value any) any {
	for range 8 { // the interpreter wraps once or twice
		switch v := value.(type) {
		case interp.Panic:
			value = v.Value
		case reflect.Value:
			if !v.IsValid() || !v.CanInterface() {
				return nil
			}
			value = v.Interface()
		case *reflect.ValueError: // reflect was asked to look through a nil pointer
			return runtimeFault{CrashNil, nilMessage}
		case string:
			if fault, ok := reflectFault(v); ok {
				return fault
			}
			return v
		default:
			return value
		}
	}
	return value
}

const nilMessage = "runtime error: invalid memory address or nil pointer dereference"

// reflectFault recognises the messages of package reflect that stand for faults of the program.
func reflectFault(message string) (runtimeFault, bool) {
	if !strings.HasPrefix(message, "reflect") {
		return runtimeFault{}, false
	}
	switch {
	case strings.Contains(message, "index out of range"):
		return runtimeFault{CrashIndex, "runtime error: index out of range"}, true
	case strings.Contains(message, "slice index out of bounds"), strings.Contains(message, "slice bounds out of range"):
		return runtimeFault{CrashSlice, "runtime error: slice bounds out of range"}, true
	case strings.Contains(message, "nil pointer"), strings.Contains(message, "zero Value"), strings.Contains(message, "nil Value"), strings.Contains(message, "nil function"):
		return runtimeFault{CrashNil, nilMessage}, true
	case strings.Contains(message, "negative len"), strings.Contains(message, "len > cap"), strings.Contains(message, "negative cap"):
		return runtimeFault{CrashMakeSlice, "runtime error: makeslice: len out of range"}, true
	}
	return runtimeFault{}, false
}

// kindOf sorts the Go runtime's own messages.
func kindOf(message string) string {
	for _, k := range []struct{ part, kind string }{
		{"nil pointer dereference", CrashNil},
		{"index out of range", CrashIndex},
		{"slice bounds out of range", CrashSlice},
		{"cannot convert slice", CrashSlice},
		{"divide by zero", CrashDivide},
		{"assignment to entry in nil map", CrashNilMap},
		{"interface conversion", CrashAssertion},
		{"closed channel", CrashClosed},
		{"close of nil channel", CrashClosed},
		{"makeslice", CrashMakeSlice},
		{"negative shift", CrashShift},
		{"unhashable", CrashUnhashable},
		{"comparing uncomparable", CrashCompare},
	} {
		if strings.Contains(message, k.part) {
			return k.kind
		}
	}
	return CrashRuntime
}

// printed is what Go prints after "panic: " for a value.
func printed(value any) string {
	switch v := value.(type) {
	case nil:
		return "nil"
	case error:
		return text(v.Error)
	case fmt.Stringer:
		return text(v.String)
	case string:
		return v
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr, float32, float64, complex64, complex128:
		return fmt.Sprint(v)
	default:
		return fmt.Sprintf("(%T) %v", v, v)
	}
}

// text calls a method of the program, which may panic itself.
func text(method func() string) (s string) {
	defer func() {
		if recover() != nil {
			s = "(the value panicked while it was printed)"
		}
	}()
	return method()
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
		return CrashUnfinished
	}
	if fault, ok := reflectFault(message); ok {
		return fault.kind
	}
	if kind := kindOf(message); kind != CrashRuntime || strings.HasPrefix(message, "runtime error: ") {
		return kind
	}
	return CrashPanic
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
