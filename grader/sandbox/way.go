package sandbox

import (
	"context"
	"errors"
	"slices"
)

// way is how a worker's process is made. Which ways there are depends on the system and the user; which of them work, only
// trying tells: namespaces can be forbidden by the kernel, by a container or by a security module after they were made.
type way struct {
	isolated bool // in its own user, mount and process-id namespaces
	nobody   bool // root's worker becomes nobody on the machine
}

// ways are those worth trying, best first.
func (l *launcher) ways(without []string) []way {
	var all []way
	for _, w := range l.program.ways() {
		if !w.isolated || !slices.Contains(without, "namespaces") {
			all = append(all, w)
		}
	}
	return all
}

// start starts a worker in the first way that works, beginning with the one that worked before. A way is remembered when
// it is the first to work at all: a later failure is of the moment.
func (p *Pool) start(ctx context.Context, wanted shape) (*worker, error) {
	p.mu.Lock()
	first, missing := p.way, p.missing
	p.mu.Unlock()
	var failures error
	for i := first; i < len(p.ways); i++ {
		w, err := p.launch(ctx, wanted, p.ways[i], missing)
		if ctx.Err() != nil {
			if err == nil {
				w.discard()
			}
			return nil, ctx.Err()
		}
		if err == nil {
			p.learn(w, i, missing)
			return w, nil
		}
		failures = errors.Join(failures, err)
		if missing == nil {
			missing = err
		}
	}
	return nil, startError(failures)
}

// learn keeps what a start has shown: the way, and why there is no better one.
func (p *Pool) learn(w *worker, way int, missing error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.level == "" {
		p.way, p.missing = way, missing
	}
	p.level, p.layers = w.level, w.layers
}
