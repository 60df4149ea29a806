package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

// BenchmarkPrepare is parse, install, check, lower and check again of the real runtime with the reference restore.go, as
// between saving a file and its run.
func BenchmarkPrepare(b *testing.B) {
	program := referenceProgram(b)
	e := engine.New(teaching.Tree())
	prepared := mustPrepare(b, e, program)
	for b.Loop() {
		mustPrepare(b, e, program)
	}
	b.ReportMetric(float64(bytes.Count([]byte(prepared.Text), []byte("\n"))), "lowered-lines")
}

// BenchmarkPrepareFirst is the same in a process that has prepared nothing yet.
func BenchmarkPrepareFirst(b *testing.B) {
	program := referenceProgram(b)
	for b.Loop() {
		mustPrepare(b, engine.New(teaching.Tree()), program)
	}
}

// BenchmarkLoad is what the worker does with a prepared program before it runs.
func BenchmarkLoad(b *testing.B) {
	prepared := mustPrepare(b, engine.New(teaching.Tree()), referenceProgram(b))
	data, err := json.Marshal(prepared)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.StopTimer()
		i := mustInterpreter(b, &bytes.Buffer{}, &bytes.Buffer{})
		b.StartTimer()
		var received engine.Prepared
		if err := json.Unmarshal(data, &received); err != nil {
			b.Fatal(err)
		}
		if err := i.Load(received); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(data)), "request-bytes")
}

func referenceProgram(t testing.TB) engine.Program {
	t.Helper()
	source, err := teaching.Source("runtime/assistant/restore.go")
	if err != nil {
		t.Fatal(err)
	}
	program := restoreProgram(string(source))
	if program.Sources[1].Text, err = os.ReadFile("../../exercises/restore/probe.go"); err != nil {
		t.Fatal(err)
	}
	return program
}

func mustPrepare(t testing.TB, e *engine.Engine, p engine.Program) engine.Prepared {
	t.Helper()
	prepared, found, err := e.Prepare(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 0 {
		t.Fatalf("refused: %s\n%s", found[0], found[0].Hint)
	}
	return *prepared
}
