package worker

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/sandbox"
	"fieldbook/runtime/exercise"
	"fieldbook/runtime/world"
)

// Serve is the main function of a program that the Go toolchain built: entry is the function at which it starts, and files
// are those of the copy, by their paths in the module. It never returns.
func Serve(entry any, files ...string) {
	sandbox.Serve(func() sandbox.Function {
		return func(s sandbox.Session) ([]byte, error) {
			return Execute(s, func(*struct{}) (Program, error) { return Built(entry, files...), nil })
		}
	})
}

// Built is a program that is part of this process: its packages were initialised before main.
func Built(entry any, files ...string) Program { return built{entry, files} }

type built struct {
	entry any
	files []string
}

func (b built) Probe() (func(context.Context, *world.World) (world.Observation, error), error) {
	probe, ok := b.entry.(func(context.Context, *world.World) (world.Observation, error))
	if !ok {
		return nil, fmt.Errorf("the probe has the type %T", b.entry)
	}
	return probe, nil
}

func (b built) Main() (func(), error) {
	main, ok := b.entry.(func())
	if !ok {
		return nil, fmt.Errorf("the main function has the type %T", b.entry)
	}
	return main, nil
}

func (b built) Function() (reflect.Value, error) { return reflect.ValueOf(b.entry), nil }

// Position is nil: the call stack is the program's own.
func (b built) Position() func() (file string, line int) { return nil }

// Crash finds the line on the stack that panicked, which is still there below the deferred function that recovered.
func (b built) Crash(recovered any) grader.Crash {
	crash := classify(recovered)
	crash.File, crash.Line = b.panicked()
	return crash
}

// panicked is the innermost call of the copy below the panic that is under way.
func (b built) panicked() (file string, line int) {
	below := false
	counters := make([]uintptr, 256)
	for skip := 2; ; skip += len(counters) {
		n := runtime.Callers(skip, counters)
		if n == 0 {
			return "", 0
		}
		frames := runtime.CallersFrames(counters[:n])
		for more := true; more; {
			var frame runtime.Frame
			frame, more = frames.Next()
			if frame.Function == "runtime.gopanic" {
				below = true
			} else if file, ok := Place(frame.Function, frame.File, b.files); ok && below {
				return file, frame.Line
			}
		}
	}
}

// Place is the path in the module of the file that a call stack names, when it is one of files. The stack gives a function
// its package, "fieldbook/runtime/assistant.Restore.func1", and a file the path that it was compiled under.
func Place(function, file string, files []string) (string, bool) {
	type here struct{}
	module := strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "grader/probe/worker")
	slash := strings.LastIndexByte(function, '/') + 1
	dot := strings.IndexByte(function[slash:], '.')
	if dot < 0 {
		return "", false
	}
	folder, ok := strings.CutPrefix(function[:slash+dot], module)
	if !ok {
		if folder != "main" {
			return "", false
		}
		folder = "."
	}
	place := path.Join(folder, path.Base(filepath.ToSlash(file)))
	return place, slices.Contains(files, place)
}

// classify gives a recovered value a kind, and the words that Go would end the process with.
func classify(recovered any) grader.Crash {
	if err, ok := recovered.(exercise.UnfinishedError); ok || exercise.Reached() {
		return grader.Crash{Kind: grader.CrashUnfinished, Message: err.Error()}
	}
	if err, ok := recovered.(runtime.Error); ok {
		return grader.Crash{Kind: grader.CrashKind(err.Error()), Message: err.Error()}
	}
	return grader.Crash{Kind: grader.CrashPanic, Message: described(recovered)}
}

// described is what Go prints for a value. It may run a method of the program, which may panic itself.
func described(value any) (message string) {
	defer func() {
		if recover() != nil {
			message = "(the value panicked while it was printed)"
		}
	}()
	switch v := value.(type) {
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	}
	v := reflect.ValueOf(value)
	declared := v.Type().PkgPath() != ""
	switch kind := v.Kind(); {
	case kind == reflect.String && declared:
		return fmt.Sprintf("%T(%q)", value, value)
	case kind == reflect.String, !declared && (kind <= reflect.Complex128):
		return fmt.Sprint(value)
	case kind <= reflect.Complex128:
		return fmt.Sprintf("%T(%v)", value, value)
	default:
		return fmt.Sprintf("(%T) %v", value, value)
	}
}
