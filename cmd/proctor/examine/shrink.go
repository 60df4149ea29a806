package examine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"fieldbook/exercises/holdout"
	"fieldbook/grader/task"
	"fieldbook/runtime/world"
)

// maxTries bounds the executions that one case is made smaller with.
const maxTries = 40

// Smallest takes the failing outcome whose case has the fewest parameters and makes it smaller: each parameter in turn goes
// towards its lowest or first value, as far as the case fails with the same outcome. It returns the outcome under the values
// that are left and the number of tries; nil when nothing failed.
func (x *Examination) Smallest(ctx context.Context, outcomes []Outcome) (*Outcome, int, error) {
	failing := Failing(outcomes)
	if len(failing) == 0 {
		return nil, 0, nil
	}
	smallest := slices.MinFunc(failing, func(a, b Outcome) int {
		return cmp.Compare(len(a.Draw.Case.Parameters), len(b.Draw.Case.Parameters))
	})
	s := shrinking{meet: x.Twice, best: smallest}
	err := s.run(ctx)
	return &s.best, s.tries, err
}

type shrinking struct {
	meet  func(context.Context, Draw) (Outcome, error)
	best  Outcome
	tries int
}

// run goes over the parameters until none of them can be made smaller: one that could not may become able to when another
// has.
func (s *shrinking) run(ctx context.Context) error {
	for again := true; again; {
		again = false
		for _, p := range s.best.Draw.Case.Parameters {
			changed, err := s.parameter(ctx, p)
			if err != nil {
				return err
			}
			again = again || changed
		}
	}
	return nil
}

// parameter makes one parameter as small as it can.
func (s *shrinking) parameter(ctx context.Context, p holdout.Parameter) (changed bool, err error) {
	if p.Choose == nil && p.Word == 0 && p.Hex == 0 {
		return s.number(ctx, p)
	}
	now := s.best.Draw.Values[p.Name]
	for _, value := range simpler(p, s.best.Draw) {
		if value.Equal(now) {
			return false, nil
		}
		if fails, err := s.try(ctx, p.Name, value); err != nil || fails {
			return fails, err
		}
	}
	return false, nil
}

// number finds a low value at which the case fails by halving the distance to one at which it does not.
func (s *shrinking) number(ctx context.Context, p holdout.Parameter) (changed bool, err error) {
	high, _ := s.best.Draw.Values[p.Name].AsInt()
	low := p.Int[0]
	if high == low {
		return false, nil
	}
	if fails, err := s.try(ctx, p.Name, world.IntValue(low)); err != nil || fails {
		return fails, err
	}
	for high-low > 1 { // the case passes at low and fails at high
		middle := low + (high-low)/2
		fails, err := s.try(ctx, p.Name, world.IntValue(middle))
		if err != nil {
			return changed, err
		}
		if fails {
			high, changed = middle, true
		} else {
			low = middle
		}
	}
	return changed, nil
}

// try runs the case with one parameter changed and keeps the change when it fails in the same way.
func (s *shrinking) try(ctx context.Context, name string, value world.Value) (fails bool, err error) {
	if s.tries == maxTries {
		return false, nil
	}
	s.tries++
	d := s.best.Draw
	d.Values = make(map[string]world.Value, len(d.Values))
	for n, v := range s.best.Draw.Values {
		d.Values[n] = v
	}
	d.Values[name] = value
	outcome, err := s.meet(ctx, d)
	if unmet := (*task.UnmetError)(nil); errors.As(err, &unmet) {
		return false, nil // nor does the solution meet the case under these values: they prove nothing
	}
	if err != nil {
		return false, err
	}
	fails = outcome.Verdict == s.best.Verdict && outcome.Report.Outcome == s.best.Report.Outcome
	if fails {
		s.best = outcome
	}
	return fails, nil
}

// simpler are the values of a parameter that are simpler than any other, the simplest first: of several values those that
// are written first, of a text one character over and over. Two texts of a case are never equal.
func simpler(p holdout.Parameter, d Draw) []world.Value {
	if p.Choose != nil {
		return p.Choose
	}
	alphabet, length := "abcdefghijklmnopqrstuvwxyz", p.Word
	if p.Hex > 0 {
		alphabet, length = "0123456789abcdef", p.Hex
	}
	taken := map[string]bool{}
	for name, v := range d.Values {
		if text, ok := v.AsString(); ok && name != p.Name {
			taken[text] = true
		}
	}
	for _, letter := range strings.Split(alphabet, "") {
		if text := strings.Repeat(letter, length); !taken[text] {
			return []world.Value{world.StringValue(text)}
		}
	}
	return nil
}
