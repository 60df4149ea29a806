package engine_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/runtime/world"
)

// byHand is a program as Prepare would hand it over, from text that needs no lowering. Lines stand for themselves, in a
// file called hand.go.
func byHand(text string) engine.Prepared {
	p := engine.Prepared{Start: "Start", Entry: "Probe", Lines: engine.LineMap{Files: []string{"hand.go"}}}
	for i := range strings.Count(text, "\n") + 1 {
		p.Lines.Marks = append(p.Lines.Marks, [2]int{1, i + 1})
	}
	p.Text = text
	return p
}

func TestInterpreterRoundTrip(t *testing.T) {
	text := `package program

import (
	"context"
	"errors"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/world"
)

var LineReached int

func Start() {}

func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	changed, err := db.Exec(ctx, "UPDATE assistant_control SET paused = ? WHERE id = 1", 1)
	if err != nil {
		return seen, err
	}
	seen.Int("changed", changed)
	var paused int64
	err = db.QueryRow(ctx, "SELECT paused FROM assistant_control WHERE id = 1").Scan(&paused)
	if err != nil {
		return seen, err
	}
	seen.Int("paused", paused)
	var none string
	err = db.QueryRow(ctx, "SELECT epoch FROM assistant_control WHERE id = 2").Scan(&none)
	seen.Bool("no_rows", errors.Is(err, database.ErrNoRows))
	wrapped := fmt.Errorf("read: %w", err)
	seen.Bool("wrapped", errors.Is(wrapped, database.ErrNoRows))
	var failure *database.Error
	_, err = db.Exec(ctx, "UPDATE nothing SET x = 1")
	seen.Bool("as", errors.As(err, &failure))
	_, err = database.OpenBackup(ctx, w.Path("missing.sqlite"))
	seen.Bool("refused", err != nil)
	err = db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE assistant_control SET paused = 0 WHERE id = 1")
		if err != nil {
			return err
		}
		return errors.New("roll back")
	})
	seen.String("rolled_back", err.Error())
	switch err.(type) {
	case *database.Error:
		seen.String("type", "database")
	default:
		seen.String("type", "other")
	}
	fmt.Println("printed")
	return seen, nil
}
`
	var stdout, stderr bytes.Buffer
	i := mustInterpreter(t, &stdout, &stderr)
	if err := i.Load(byHand(text)); err != nil {
		t.Fatal(err)
	}
	probe, err := i.Probe()
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(world.Options{Root: t.TempDir(), Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	seen, err := probe(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]world.Value{
		"changed": world.IntValue(1), "paused": world.IntValue(1), "no_rows": world.BoolValue(true),
		"wrapped": world.BoolValue(true), "as": world.BoolValue(true), "refused": world.BoolValue(true),
		"rolled_back": world.StringValue("roll back"), "type": world.StringValue("other"),
	}
	for name, value := range want {
		if !seen.Value(name).Equal(value) {
			t.Errorf("%s: %v, want %v", name, seen.Value(name), value)
		}
	}
	if stdout.String() != "printed\n" || stderr.Len() > 0 {
		t.Errorf("stdout %q, stderr %q", stdout.String(), stderr.String())
	}
}

// Packages that are not offered are not there, and assignments to package variables do not leave the interpreter.
func TestInterpreterHoldsOnlyWhatIsOffered(t *testing.T) {
	for _, path := range []string{"os", "syscall", "unsafe", "reflect", "runtime", "net", "log", "text/template", "path/filepath", "fieldbook/grader", "github.com/traefik/yaegi/interp"} {
		i := mustInterpreter(t, &bytes.Buffer{}, &bytes.Buffer{})
		text := "package program\n\nimport _ \"" + path + "\"\n\nvar LineReached int\n\nfunc Start() {}\n\nfunc Probe() {}\n"
		if err := i.Load(byHand(text)); err == nil {
			t.Errorf("import of %s was accepted", path)
		}
	}
}

// Panics in Go's words, at the line that was reached last before them.
func TestCrash(t *testing.T) {
	tests := []struct {
		name, statement string
		kind, message   string
	}{
		{"explicit text", `object.Throw("out of ice")`, grader.CrashPanic, "out of ice"},
		{"explicit error", `object.Throw(errors.New("out of ice"))`, grader.CrashPanic, "out of ice"},
		{"explicit number", `object.Throw(7)`, grader.CrashPanic, "7"},
		{"index", `s := []int{1}; n := len(s); _ = s[n]`, grader.CrashIndex, "runtime error: index out of range"},
		{"nil map", `var m map[string]int; m["a"] = 1`, grader.CrashNilMap, "assignment to entry in nil map"},
		{"divide", `zero := 0; _ = 1 / zero`, grader.CrashDivide, "runtime error: integer divide by zero"},
		{"nil pointer", `var p *shop.Order; _ = p.ID`, grader.CrashNil, "runtime error: invalid memory address or nil pointer dereference"},
		{"closed channel", `c := make(chan int); close(c); close(c)`, grader.CrashClosed, "close of closed channel"},
		{"nil function", `var f func(); f()`, grader.CrashNil, "runtime error: invalid memory address or nil pointer dereference"},
		{"supplied code", `_ = strings.Repeat("x", -1)`, grader.CrashPanic, "strings: negative Repeat count"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := `package program

import (
	"errors"
	"strings"

	"fieldbook/grader/engine/lower/object"
	"fieldbook/runtime/shop"
)

var LineReached int
var _ = object.Throw
var _ = errors.New
var _ = strings.Repeat
var _ shop.Order

func Start() {}

func Probe() {
	LineReached = 20; inner()
	LineReached = 21
}

func inner() {
	LineReached = 25; f := func() {
		LineReached = 26; ` + test.statement + `
		LineReached = 27
	}
	LineReached = 29; f()
}
`
			i := mustInterpreter(t, &bytes.Buffer{}, &bytes.Buffer{})
			if err := i.Load(byHand(text)); err != nil {
				t.Fatal(err)
			}
			main, err := i.Main()
			if err != nil {
				t.Fatal(err)
			}
			recovered := catch(main)
			crash := i.Crash(recovered)
			want := grader.Crash{Kind: test.kind, Message: test.message, File: "hand.go", Line: 26}
			if crash != want {
				t.Errorf("got %+v, want %+v", crash, want)
			}
		})
	}
}

func catch(f func()) (recovered any) {
	defer func() { recovered = recover() }()
	f()
	return nil
}

func mustInterpreter(t testing.TB, stdout, stderr *bytes.Buffer) *engine.Interpreter {
	t.Helper()
	i, err := engine.NewInterpreter(stdout, stderr)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func BenchmarkNewInterpreter(b *testing.B) {
	for b.Loop() {
		mustInterpreter(b, &bytes.Buffer{}, &bytes.Buffer{})
	}
}
