package examine

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/runtime/world"
)

// failing is an outcome of a draw that did not pass.
func failing(d Draw) Outcome {
	return Outcome{Draw: d, CaseResult: task.CaseResult{Verdict: grader.NeedsWork, Report: grader.Report{Outcome: grader.Observed}}}
}

func passing(d Draw) Outcome {
	return Outcome{Draw: d, CaseResult: task.CaseResult{Verdict: grader.Pass, Report: grader.Report{Outcome: grader.Observed}}}
}

// shrink makes a draw smaller whose case fails when fails says so.
func shrink(t *rapid.T, d Draw, fails func(Draw) bool) (Outcome, int) {
	s := shrinking{best: failing(d), meet: func(_ context.Context, d Draw) (Outcome, error) {
		if fails(d) {
			return failing(d), nil
		}
		return passing(d), nil
	}}
	if err := s.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s.best, s.tries
}

func number(d Draw, name string) int64 { n, _ := d.Values[name].AsInt(); return n }

// TestTheSmallestNumberIsFound holds for every case that fails from some number on.
func TestTheSmallestNumberIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Int64Range(-1000, 1000).Draw(t, "low")
		high := low + rapid.Int64Range(0, 100_000).Draw(t, "range")
		from := rapid.Int64Range(low, high).Draw(t, "fails from")
		c := holdout.Case{Name: "c", Parameters: []holdout.Parameter{{Name: "n", Int: [2]int64{low, high}}}}
		drawn := Draw{Case: c, Values: map[string]world.Value{"n": world.IntValue(rapid.Int64Range(from, high).Draw(t, "drawn"))}}
		best, tries := shrink(t, drawn, func(d Draw) bool { return number(d, "n") >= from })
		if number(best.Draw, "n") != from || tries > maxTries {
			t.Fatalf("found %d after %d tries, and it fails from %d", number(best.Draw, "n"), tries, from)
		}
	})
}

// TestEachParameterBecomesAsPlainAsItCan has one of each kind, and a failure that needs two of them.
func TestEachParameterBecomesAsPlainAsItCan(t *testing.T) {
	c := holdout.Case{Name: "c", Parameters: []holdout.Parameter{
		{Name: "digits", Hex: 6}, {Name: "kind", Choose: []world.Value{world.StringValue("first"), world.StringValue("second"), world.StringValue("third")}},
		{Name: "n", Int: [2]int64{0, 9}}, {Name: "other", Word: 6}, {Name: "word", Word: 6},
	}}
	rapid.Check(t, func(t *rapid.T) {
		drawn := Draw{Case: c, Values: c.Draw(rapid.Uint64().Draw(t, "seed"))}
		drawn.Values["kind"], drawn.Values["n"] = world.StringValue("third"), world.IntValue(9)
		best, _ := shrink(t, drawn, func(d Draw) bool { return d.Values["kind"].String() != "first" && number(d, "n") >= 3 })
		want := map[string]string{"digits": "000000", "kind": "second", "n": "3", "other": "aaaaaa", "word": "bbbbbb"}
		for name, value := range want {
			if got := best.Draw.Values[name].String(); got != value {
				t.Fatalf("%s is %s, want %s (%v)", name, got, value, best.Draw.Values)
			}
		}
	})
}

func TestShrinkingKeepsTheWayInWhichACaseFails(t *testing.T) {
	c := holdout.Case{Name: "c", Parameters: []holdout.Parameter{{Name: "n", Int: [2]int64{0, 9}}}}
	s := shrinking{best: failing(Draw{Case: c, Values: map[string]world.Value{"n": world.IntValue(9)}}), meet: func(_ context.Context, d Draw) (Outcome, error) {
		o := failing(d)
		switch n := number(d, "n"); {
		case n < 3:
			o.Verdict, o.Report.Outcome = grader.Limit, grader.Timeout
		case n < 5:
			return Outcome{}, &task.UnmetError{}
		}
		return o, nil
	}}
	if err := s.run(context.Background()); err != nil || number(s.best.Draw, "n") != 5 {
		t.Errorf("n = %d, %v", number(s.best.Draw, "n"), err)
	}
}

func TestShrinkingEndsAtOurOwnError(t *testing.T) {
	c := holdout.Case{Name: "c", Parameters: []holdout.Parameter{{Name: "n", Int: [2]int64{0, 9}}}}
	broken := errors.New("the worker is gone")
	s := shrinking{best: failing(Draw{Case: c, Values: map[string]world.Value{"n": world.IntValue(9)}}), meet: func(context.Context, Draw) (Outcome, error) { return Outcome{}, broken }}
	if err := s.run(context.Background()); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestShrinkingIsBounded(t *testing.T) {
	var parameters []holdout.Parameter
	values := map[string]world.Value{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		parameters = append(parameters, holdout.Parameter{Name: name, Int: [2]int64{0, 1 << 40}})
		values[name] = world.IntValue(1 << 40)
	}
	tries := 0
	s := shrinking{best: failing(Draw{Case: holdout.Case{Parameters: parameters}, Values: values}), meet: func(_ context.Context, d Draw) (Outcome, error) {
		tries++
		if number(d, "a") > 7 && number(d, "b") > 7 {
			return failing(d), nil
		}
		return passing(d), nil
	}}
	if err := s.run(context.Background()); err != nil || tries != maxTries || s.tries != maxTries {
		t.Errorf("%d tries, %v", tries, err)
	}
}
