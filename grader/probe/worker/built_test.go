package worker

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"fieldbook/grader"
	"fieldbook/grader/sandbox"
	"fieldbook/runtime/world"
)

type flavour string

type cup struct{ Full bool }

func (c cup) index(list []int, i int) int { return list[i] }
func methodLine() int                     { return line() - 1 }

// line is the line of the call.
func line() int {
	_, _, n, _ := runtime.Caller(1)
	return n
}

// TestBuiltNamesThePanicOfTheCopy holds kind, message and place of panics, whatever lies above and below them on the stack.
func TestBuiltNamesThePanicOfTheCopy(t *testing.T) {
	const file = "grader/probe/worker/built_test.go"
	for _, test := range []struct {
		name          string
		f             func()
		kind, message string
		line          int
	}{
		{"text", func() { panic("no ice") }, grader.CrashPanic, "no ice", line()},
		{"number", func() { panic(7) }, grader.CrashPanic, "7", line()},
		{"error", func() { panic(errors.New("no ice")) }, grader.CrashPanic, "no ice", line()},
		{"declared text", func() { panic(flavour("mint")) }, grader.CrashPanic, `worker.flavour("mint")`, line()},
		{"struct", func() { panic(cup{true}) }, grader.CrashPanic, "(worker.cup) {true}", line()},
		{"index in a method", func() { cup{}.index(nil, 2) }, grader.CrashIndex, "runtime error: index out of range [2] with length 0", methodLine()},
		{"nil map", func() { var m map[string]int; m["a"] = 1 }, grader.CrashNilMap, "assignment to entry in nil map", line()},
		{"nil pointer", func() { var c *cup; c.Full = true }, grader.CrashNil, "runtime error: invalid memory address or nil pointer dereference", line()},
		{"in standard code", func() { strings.Repeat("x", -1) }, grader.CrashPanic, "strings: negative Repeat count", line()},
		{"replaced by a deferred one", func() {
			defer func() { panic("second") }()
			panic("first")
		}, grader.CrashPanic, "second", line() - 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			crash := guard(Built(test.f, file), test.f)
			if want := (grader.Crash{Kind: test.kind, Message: test.message, File: file, Line: test.line}); crash == nil || *crash != want {
				t.Errorf("got  %+v\nwant %+v", crash, want)
			}
		})
	}
}

func TestBuiltKnowsNoPlaceOutsideTheCopy(t *testing.T) {
	crash := guard(Built(nil, "runtime/assistant/restore.go"), func() { panic("x") })
	if crash == nil || crash.File != "" || crash.Line != 0 {
		t.Errorf("got %+v", crash)
	}
}

// TestExecuteRunsABuiltProgram goes the whole way of a request that brings no program.
func TestExecuteRunsABuiltProgram(t *testing.T) {
	calls := [][]world.Value{{world.IntValue(3)}, {world.IntValue(0)}}
	request, err := json.Marshal(Message[struct{}]{Request: Request{Mode: Table, Calls: calls}})
	if err != nil {
		t.Fatal(err)
	}
	entry := func(n int) (int, error) {
		if n == 0 {
			return 0, errors.New("none")
		}
		return 12 / n, nil
	}
	data, err := Execute(sandbox.Session{MaxReply: sandbox.DefaultReply, Request: request}, func(*struct{}) (Program, error) { return Built(entry), nil })
	if err != nil {
		t.Fatal(err)
	}
	var r Reply
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if n, ok := r.Rows[0].Value.AsInt(); !ok || n != 4 || r.Rows[1].Raises == "" || r.Crash != nil {
		t.Errorf("got %s", data)
	}
}
