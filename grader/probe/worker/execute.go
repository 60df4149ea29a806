package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"fieldbook/grader"
	"fieldbook/grader/sandbox"
	"fieldbook/runtime/exercise"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// Program is a program that is ready to be run once.
type Program interface {
	// Probe returns the program's entry as a probe. A call of it initialises the program's packages first, unless the
	// process did so when it began.
	Probe() (func(context.Context, *world.World) (world.Observation, error), error)
	// Main returns the program's entry as a main function, in the same way.
	Main() (func(), error)
	// Function initialises the program's packages and returns its entry, whatever its type.
	Function() (reflect.Value, error)
	// Position says where in the copy the call that is under way comes from; nil: the call stack says it.
	Position() func() (file string, line int)
	// Crash says what a recovered value was, in Go's words, at the learner's line. It is called by the deferred function
	// that recovered it.
	Crash(recovered any) grader.Crash
}

// Message is a request with the program that it is for, as it travels.
type Message[P any] struct {
	Request
	Program *P `json:"program,omitempty"`
}

// Execute runs one request in this process. load makes a program of the one that the request brings. An error is ours: the
// request does not decode, or the program does not load. Whatever the learner's code does is part of the reply, or the end
// of the process.
func Execute[P any](session sandbox.Session, load func(*P) (Program, error)) ([]byte, error) {
	var m Message[P]
	if err := json.Unmarshal(session.Request, &m); err != nil {
		return nil, fmt.Errorf("decode the request: %w", err)
	}
	program, err := load(m.Program)
	if err != nil {
		return nil, fmt.Errorf("load the prepared program: %w", err)
	}
	answer, err := perform(program, session, m.Request)
	if err != nil {
		return nil, err
	}
	answer.Unfinished = exercise.Reached()
	if size := answer.size(); size > session.MaxReply {
		return nil, &sandbox.TooLargeError{Size: size}
	}
	return json.Marshal(answer)
}

func perform(program Program, session sandbox.Session, r Request) (answer Reply, err error) {
	switch r.Mode {
	case Main:
		answer.Crash, err = runMain(program)
	case Table:
		answer.Rows, answer.Crash, err = table(program, r.Calls)
	case Series:
		answer.Series, err = series(program, session, r)
	default:
		answer, err = drive(program, session.Scratch, session.Log, r)
	}
	return answer, err
}

// guard calls f and says what panic came out of it, nil for none.
func guard(program Program, f func()) (crash *grader.Crash) {
	returned := false
	defer func() {
		// recover alone cannot tell: panic(nil) and Goexit are seen as nothing by some interpreted programs.
		if value := recover(); value != nil {
			c := program.Crash(value)
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

func runMain(program Program) (*grader.Crash, error) {
	main, err := program.Main()
	if err != nil {
		return nil, fmt.Errorf("find the main function: %w", err)
	}
	return guard(program, main), nil
}

// drive calls the probe in a world in the folder root, whose operation log goes to log; nil keeps none.
func drive(program Program, root string, log io.Writer, r Request) (Reply, error) {
	probe, err := program.Probe()
	if err != nil {
		return Reply{}, fmt.Errorf("find the probe: %w", err)
	}
	options := world.Options{
		Root: root, Seed: r.Seed, Process: r.Process, Start: r.Start, Case: r.Case,
		Learner: r.Learner, Position: program.Position(),
	}
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
		return Reply{}, fmt.Errorf("make the world: %w", err)
	}
	// The world is left open, as a killed process leaves it: closing would let SQLite tidy up what the learner's code has
	// not made durable.
	var answer Reply
	answer.Crash = guard(program, func() {
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
