package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/sandbox"
	"fieldbook/runtime/exercise"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// Serve is the worker's main. It never returns. A worker lives for one run and is bounded by the sandbox, so memory is
// cheaper than collecting it.
func Serve() {
	debug.SetGCPercent(400)
	sandbox.Serve(Function)
}

// Function is the work of a worker. The interpreter and its symbols are made at once, before the request arrives, so that a
// pre-warmed worker only has to load the program.
func Function() sandbox.Function {
	interpreter, err := engine.NewInterpreter(os.Stdout, os.Stderr)
	return func(session sandbox.Session) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		return execute(interpreter, session)
	}
}

// execute runs one request in this process. An error is ours: the request does not decode, or the prepared program does
// not load. Whatever the learner's code does is part of the reply, or the end of the process.
func execute(interpreter *engine.Interpreter, session sandbox.Session) ([]byte, error) {
	var r request
	if err := json.Unmarshal(session.Request, &r); err != nil {
		return nil, fmt.Errorf("decode the request: %w", err)
	}
	if err := interpreter.Load(*r.Program); err != nil {
		return nil, fmt.Errorf("load the prepared program: %w", err)
	}
	var answer reply
	var err error
	switch r.Mode {
	case mainMode:
		answer.Crash, err = runMain(interpreter)
	case tableMode:
		answer.Rows, answer.Crash, err = table(interpreter, r.Calls)
	case seriesMode:
		answer.Series, err = series(interpreter, session, r)
	default:
		answer, err = drive(interpreter, session.Scratch, session.Log, r)
	}
	if err != nil {
		return nil, err
	}
	answer.Unfinished = exercise.Reached()
	return json.Marshal(answer)
}

// guard calls f and says what panic came out of it, nil for none.
func guard(interpreter *engine.Interpreter, f func()) (crash *grader.Crash) {
	returned := false
	defer func() {
		// recover alone cannot tell: panic(nil) and Goexit are seen as nothing by some interpreted programs.
		if value := recover(); value != nil {
			c := interpreter.Crash(value)
			crash = &c
		} else if !returned {
			c := grader.Crash{Kind: grader.CrashPanic, Message: "the goroutine ended before the function returned"}
			crash = &c
		}
	}()
	f()
	returned = true
	return nil
}

func runMain(interpreter *engine.Interpreter) (*grader.Crash, error) {
	main, err := interpreter.Main()
	if err != nil {
		return nil, fmt.Errorf("find the main function: %w", err)
	}
	return guard(interpreter, main), nil
}

// drive calls the probe in a world in the folder root, whose operation log goes to log; nil keeps none.
func drive(interpreter *engine.Interpreter, root string, log io.Writer, r request) (reply, error) {
	probe, err := interpreter.Probe()
	if err != nil {
		return reply{}, fmt.Errorf("find the probe: %w", err)
	}
	options := world.Options{Root: root, Seed: r.Seed, Process: r.Process, Start: r.Start, Case: r.Case, Learner: r.Learner}
	if log != nil {
		options.Sink = func(e operation.Entry) error { return operation.Encode(log, e) }
	}
	var fault *injector
	if r.Fault != nil {
		fault = &injector{fault: *r.Fault}
		fault.join(&options)
	}
	w, err := world.New(options)
	if err != nil {
		return reply{}, fmt.Errorf("make the world: %w", err)
	}
	// The world is left open, as a killed process leaves it: closing would let SQLite tidy up what the learner's code has
	// not made durable.
	var answer reply
	answer.Crash = guard(interpreter, func() {
		observation, err := probe(context.Background(), w)
		if competitor := w.Err(); err == nil && competitor != nil {
			err = fmt.Errorf("the competing worker could not do its part: %w", competitor)
		}
		if err != nil {
			answer.Error = err.Error()
			return
		}
		answer.Observation = &observation
	})
	answer.Unfinished = exercise.Reached()
	if fault != nil {
		answer.Fault = fault.hit
	}
	return answer, nil
}
