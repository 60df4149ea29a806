package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// ran is what one run of a prepared program gave.
type ran struct {
	seen   world.Observation
	err    error
	crash  *grader.Crash
	log    []operation.Entry
	stdout string
	stderr string
}

// run sends a prepared program through JSON, as to a worker, and runs its probe in a fresh world.
func run(t *testing.T, prepared engine.Prepared) (r ran) {
	t.Helper()
	data, err := json.Marshal(prepared)
	if err != nil {
		t.Fatal(err)
	}
	var received engine.Prepared
	if err := json.Unmarshal(data, &received); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	i := mustInterpreter(t, &stdout, &stderr)
	if err := i.Load(received); err != nil {
		t.Fatal(err)
	}
	probe, err := i.Probe()
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(world.Options{Root: t.TempDir(), Seed: 7, Position: i.Position(), Sink: func(e operation.Entry) error {
		r.log = append(r.log, e)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	recovered := catch(func() { r.seen, r.err = probe(context.Background(), w) })
	if recovered != nil {
		crash := i.Crash(recovered)
		r.crash = &crash
	}
	r.stdout, r.stderr = stdout.String(), stderr.String()
	return r
}

// The reference, through the whole pipeline: what it did, and the learner's lines in the log of operations.
func TestReferencePasses(t *testing.T) {
	prepared := mustPrepare(t, engine.New(teaching.Tree()), referenceProgram(t))
	r := run(t, prepared)
	if r.err != nil || r.crash != nil {
		t.Fatalf("error %v, crash %+v", r.err, r.crash)
	}
	if paused, _ := r.seen.Value("restored_paused").AsBool(); !paused {
		t.Errorf("restored_paused: %v", r.seen.Value("restored_paused"))
	}
	if claimed, ok := r.seen.Value("work_claimed_before_audit").AsBool(); claimed || !ok {
		t.Errorf("work_claimed_before_audit: %v", r.seen.Value("work_claimed_before_audit"))
	}
	source, err := teaching.Source("runtime/assistant/restore.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(source), "\n")
	calls := 0
	for _, e := range r.log {
		if e.Kind != operation.Call || e.File != "runtime/assistant/restore.go" {
			continue
		}
		calls++
		method := e.Name[strings.LastIndexByte(e.Name, '.')+1:]
		if e.Line < 1 || e.Line > len(lines) || !strings.Contains(lines[e.Line-1], method+"(") {
			t.Errorf("%s is put down to line %d: %q", e.Name, e.Line, lines[max(e.Line-1, 0)])
		}
	}
	if calls < 15 {
		t.Errorf("%d calls in restore.go were logged", calls)
	}
}

// A panic in the learner's file is told at its own line, through defers, closures and calls.
func TestPanicAtLearnersLine(t *testing.T) {
	tests := []struct {
		name string
		body string // PANIC marks the line
		want grader.Crash
	}{
		{"index", "s := []string{source}\nfor i := range 3 {\n_ = s[i] // PANIC\n}",
			grader.Crash{Kind: grader.CrashIndex, Message: "runtime error: index out of range"}},
		{"nil map", "var m map[string]int\nm[source] = 1 // PANIC",
			grader.Crash{Kind: grader.CrashNilMap, Message: "assignment to entry in nil map"}},
		{"explicit in a closure", "f := func() {\npanic(\"no ice\") // PANIC\n}\ndefer func() { _ = len(source) }()\nf()",
			grader.Crash{Kind: grader.CrashPanic, Message: "no ice"}},
		{"error", "defer func() {\n_ = source\n}()\npanic(fmt.Errorf(\"wrapped: %w\", database.ErrNoRows)) // PANIC",
			grader.Crash{Kind: grader.CrashPanic, Message: "wrapped: the query found no row"}},
		{"recovered, then another", "func() {\ndefer func() { _ = recover() }()\npanic(1)\n}()\nvar n *int\n_ = *n // PANIC",
			grader.Crash{Kind: grader.CrashNil, Message: "runtime error: invalid memory address or nil pointer dereference"}},
		{"deep in a recursion", "var down func(n int) int\ndown = func(n int) int {\nif n == 0 {\npanic(\"bottom\") // PANIC\n}\nreturn down(n-1) + 1\n}\n_ = down(200)",
			grader.Crash{Kind: grader.CrashPanic, Message: "bottom"}},
		{"in a deferred call", "defer func() {\npanic(\"second\") // PANIC\n}()\npanic(\"first\")",
			grader.Crash{Kind: grader.CrashPanic, Message: "second"}},
		{"division in a condition", "zero := len(source) - len(source)\nif source == \"\" || 1/zero == 1 { // PANIC\nreturn nil\n}",
			grader.Crash{Kind: grader.CrashDivide, Message: "runtime error: integer divide by zero"}},
		{"unfinished", "exercise.Unfinished() // PANIC",
			grader.Crash{Kind: grader.CrashUnfinished}},
	}
	e := engine.New(teaching.Tree())
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			imports := strings.Replace(head, "import (", "import (\n\t\"fmt\"", 1)
			imports = strings.Replace(imports, "database\"", "database\"\n\t\"fieldbook/runtime/exercise\"", 1)
			text := imports + "var _ = fmt.Sprint\nvar _ = exercise.Unfinished\nvar _ = database.ErrNoRows\n\n" + signature + "\n" + test.body + "\nreturn nil\n}\n"
			r := run(t, mustPrepare(t, e, restoreProgram(text)))
			if r.crash == nil {
				t.Fatalf("no panic; observation %v, error %v", r.seen, r.err)
			}
			want := test.want
			want.File = "runtime/assistant/restore.go"
			want.Line = 1 + strings.Count(text[:strings.Index(text, "// PANIC")], "\n")
			if want.Message == "" {
				want.Message = r.crash.Message
			}
			if *r.crash != want {
				t.Errorf("got %+v\nwant %+v", *r.crash, want)
			}
			if r.stderr != "" {
				t.Errorf("stderr: %s", r.stderr)
			}
		})
	}
}
