package sandbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
)

// warmBehave is behave, which can also say what it was given ahead.
func warmBehave(ahead string) Function {
	return func(s Session) ([]byte, error) {
		if string(s.Request) == "ahead" {
			return fmt.Appendf(nil, "before %q, with the request %q", ahead, s.Ahead), nil
		}
		return behave(s)
	}
}

// spares are how many workers of a shape wait for jobs.
func (p *Pool) spares(of shape) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.stocks {
		if s.shape == of {
			return len(s.spare)
		}
	}
	return 0
}

// TestAhead holds that a job has its own Ahead, and has it early once two jobs in a row had the same.
func TestAhead(t *testing.T) {
	p := newPool(t, Options{Spare: 1})
	job := func(ahead string) Job { return Job{Request: []byte("ahead"), Ahead: ahead} }
	early := func(ahead string) string { return fmt.Sprintf("before %q, with the request \"\"", ahead) }
	late := func(ahead string) string { return fmt.Sprintf("before \"\", with the request %q", ahead) }
	long := strings.Repeat("x", maxAhead+1)
	for i, step := range []struct {
		ahead, want string
		prepares    bool // a worker is prepared after it
	}{
		{"one", late("one"), false},
		{"one", late("one"), true},
		{"one", early("one"), true},
		{"two", late("two"), false},
		{"", early(""), false}, // jobs without any do not count
		{"two", late("two"), true},
		{"two", early("two"), true},
		{"one", early("one"), false}, // by the worker prepared before
		{"two", early("two"), false},
		{"one", late("one"), false},
		{long, late(long), false},
		{long, late(long), false},
	} {
		r := mustRun(t, p, job(step.ahead))
		if r.Outcome != grader.Observed || string(r.Reply) != step.want {
			t.Fatalf("job %d: %s (%s) %.200q, want %.200q", i, r.Outcome, r.Cause, r.Reply, step.want)
		}
		if !step.prepares {
			time.Sleep(2 * restockDelay) // what is not to come has time to come
			continue
		}
		for begun := time.Now(); p.spares(shapeOf(job(step.ahead), DefaultLimits())) == 0; time.Sleep(time.Millisecond) {
			if time.Since(begun) > 20*time.Second {
				t.Fatalf("no worker is prepared after job %d", i)
			}
		}
	}
}
