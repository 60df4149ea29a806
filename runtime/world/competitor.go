package world

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fieldbook/runtime/operation"
)

// competitor is another worker that acts at one chosen moment of the learner's function.
type competitor struct {
	n    int // before which call, from 1
	seen int // calls seen so far
	run  func(ctx context.Context) error
	err  error
}

// Before runs fn when the learner's code is about to make its n-th call into a supplied package, counted from now on; the
// call is made after fn has returned. fn works on a handle of its own: the learner's may have a transaction open. Calls
// that fn makes are not counted, and no other competitor runs inside it. What fn returns, Err returns.
//
// With n from 1 up to the number of calls, every interleaving of one competitor with the learner's function is reached.
// A competitor whose call never comes does not run.
func (w *World) Before(n int, fn func(ctx context.Context) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.competitors = append(w.competitors, &competitor{n: n, run: fn})
}

// Err returns the errors of competitors that have run: what they were there to do has not happened.
func (w *World) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, c := range w.competitors {
		if c.err != nil {
			errs = append(errs, fmt.Errorf("the competitor before call %d: %w", c.n, c.err))
		}
	}
	return errors.Join(errs...)
}

// beforeCall is told of every call before it is logged or made.
func (w *World) beforeCall(call operation.Entry) {
	if len(w.options.Learner) > 0 && !slices.Contains(w.options.Learner, call.File) {
		return
	}
	for _, c := range w.due() {
		err := c.run(context.Background()) // the worker's own deadline ends a competitor that hangs
		w.mu.Lock()
		c.err = err
		w.competing--
		w.mu.Unlock()
	}
}

// due counts one call and returns the competitors that it wakes.
func (w *World) due() []*competitor {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.competing > 0 {
		return nil
	}
	var due []*competitor
	for _, c := range w.competitors {
		c.seen++
		if c.seen == c.n {
			due = append(due, c)
		}
	}
	w.competing = len(due)
	return due
}
