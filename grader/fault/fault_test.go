package fault_test

import (
	"bytes"
	"context"
	"errors"
	"go/parser"
	"go/token"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fieldbook/grader/fault"
)

const source = `package assistant

import "fmt"

const paused = 1

func Restore(ready bool) error {
	query := "SET paused = 1, x10 = 0" // 1
	if ready {
		return fmt.Errorf("%d %s", paused, query)
	}
	for i := 0; i < 3 && ready; i++ {
		stop(true)
	}
	return nil
}

func stop(now bool) {}
`

func TestMutantsListsEveryKindOfEditInAFixedOrder(t *testing.T) {
	edits, err := fault.Mutants([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range edits {
		before, after := e.Lines([]byte(source))
		got = append(got, e.What+": "+strings.TrimSpace(strings.Join(before, "|"))+" => "+strings.TrimSpace(strings.Join(after, "|")))
	}
	for _, want := range []string{
		`one literal inside a text: query := "SET paused = 1, x10 = 0" // 1 => query := "SET paused = 0, x10 = 0" // 1`,
		`one literal inside a text: query := "SET paused = 1, x10 = 0" // 1 => query := "SET paused = 1, x10 = 1" // 1`,
		`one number: const paused = 1 => const paused = 0`,
		`one truth value: stop(true) => stop(false)`,
		`one condition negated: if ready { => if !(ready) {`,
		`one argument dropped: return fmt.Errorf("%d %s", paused, query) => return fmt.Errorf("%d %s", paused)`,
		`one operator replaced: for i := 0; i < 3 && ready; i++ { => for i := 0; i < 3 || ready; i++ {`,
		`one operator replaced: for i := 0; i < 3 && ready; i++ { => for i := 0; i <= 3 && ready; i++ {`,
		`one result dropped: return fmt.Errorf("%d %s", paused, query) => return nil`,
	} {
		found := false
		for _, g := range got {
			found = found || g == want
		}
		if !found {
			t.Errorf("missing %s\ngot:\n%s", want, strings.Join(got, "\n"))
		}
	}
	if strings.Contains(strings.Join(got, "\n"), "x01") {
		t.Error("a digit inside a name was changed")
	}
}

func TestNamesStayWhenLinesAreAddedElsewhere(t *testing.T) {
	longer := strings.Replace(source, "func Restore", "// A comment\n// of two lines.\nfunc Restore", 1)
	var names [2][]string
	for i, text := range []string{source, longer} {
		edits, err := fault.Mutants([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		names[i] = fault.Names([]byte(text), edits)
	}
	if strings.Join(names[0], "\n") != strings.Join(names[1], "\n") {
		t.Error("the names are others")
	}
	seen := map[string]bool{}
	for _, name := range names[0] {
		if seen[name] || strings.ContainsAny(name, "\n\t") {
			t.Errorf("the name %q stands twice or is no line", name)
		}
		seen[name] = true
	}
}

func TestRemovedStatementsLeaveNoBlankLine(t *testing.T) {
	edits, err := fault.Mutants([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range edits {
		if e.What == "one statement removed" && bytes.Contains(e.Apply([]byte(source)), []byte("\n\t\n")) {
			t.Errorf("line %d: a blank line stays behind", e.Line)
		}
	}
}

func TestEditsOfRawTextsWithCarriageReturnsFallInPlace(t *testing.T) {
	crlf := strings.ReplaceAll("package p\n\nvar q = `\nSET a = 2,\nb = 1`\n", "\n", "\r\n")
	edits, err := fault.Mutants([]byte(crlf))
	if err != nil {
		t.Fatal(err)
	}
	if len(edits) != 1 || !strings.Contains(string(edits[0].Apply([]byte(crlf))), "b = 0`") {
		t.Fatalf("got %+v", edits)
	}
}

func TestEveryEditStaysInsideTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		literal := rapid.StringMatching("[01a =,]{0,12}").Draw(t, "literal")
		text := strings.Replace(source, "SET paused = 1", literal, 1)
		edits, err := fault.Mutants([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edits {
			if e.Start < 0 || e.Start > e.End || e.End > len(text) {
				t.Fatalf("edit %+v of %d bytes", e, len(text))
			}
			if e.What != "one argument dropped" && e.What != "one element dropped" {
				if _, err := parser.ParseFile(token.NewFileSet(), "x.go", e.Apply([]byte(text)), 0); err != nil {
					t.Fatalf("%s breaks the syntax: %v", e.What, err)
				}
			}
		}
	})
}

func TestSearchReturnsTheLowestThatFitsWhateverArrivesFirst(t *testing.T) {
	edits, err := fault.Mutants([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	first := edits[2].Apply([]byte(source))
	for range 20 {
		found, err := fault.Search(context.Background(), []byte(source), 4, func(_ context.Context, candidate []byte) (bool, error) {
			if bytes.Equal(candidate, first) {
				time.Sleep(2 * time.Millisecond) // the lowest answers last
				return true, nil
			}
			return bytes.Equal(candidate, edits[3].Apply([]byte(source))), nil
		})
		if err != nil || found == nil || found.Number != 3 || found.Total != len(edits) {
			t.Fatalf("found %+v, %v", found, err)
		}
	}
}

func TestSearchFindsNothingWhenNothingFits(t *testing.T) {
	var tried atomic.Int32
	found, err := fault.Search(context.Background(), []byte(source), 2, func(context.Context, []byte) (bool, error) {
		tried.Add(1)
		return false, nil
	})
	edits, _ := fault.Mutants([]byte(source))
	if err != nil || found != nil || int(tried.Load()) != len(edits) {
		t.Fatalf("found %v, %v after %d of %d", found, err, tried.Load(), len(edits))
	}
}

func TestSearchEndsAtOurOwnError(t *testing.T) {
	broken := errors.New("the worker is gone")
	_, err := fault.Search(context.Background(), []byte(source), 2, func(context.Context, []byte) (bool, error) { return false, broken })
	if !errors.Is(err, broken) {
		t.Fatalf("got %v", err)
	}
}

func TestSearchEndsWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := fault.Search(ctx, []byte(source), 2, func(context.Context, []byte) (bool, error) { cancel(); return false, nil })
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}
