package fault

import (
	"context"
	"fmt"
	"sync"
)

// Found is the candidate that fits.
type Found struct {
	Edit   Edit
	Source []byte // with the edit made
	Number int    // of the candidate, from 1, in the fixed order
	Total  int    // candidates there are
}

// Fits decides whether a candidate source is the fault: false for one that does not type-check or behaves otherwise. An
// error is ours and ends the search.
type Fits func(ctx context.Context, source []byte) (bool, error)

// Search tries the edits of source in their fixed order, workers of them at a time, and returns the first that fits: the
// lowest number, whatever the order in which answers arrive, so a search can be repeated. It returns nil when none fits.
func Search(ctx context.Context, source []byte, workers int, fits Fits) (*Found, error) {
	edits, err := Mutants(source)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := search{source: source, edits: edits, fits: fits, best: len(edits)}
	var group sync.WaitGroup
	for range max(workers, 1) {
		group.Go(func() {
			if err := s.work(ctx); err != nil {
				s.fail(err)
				cancel()
			}
		})
	}
	group.Wait()
	if s.err != nil {
		return nil, fmt.Errorf("search for the edit that fits: %w", s.err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.best == len(edits) {
		return nil, nil
	}
	edit := edits[s.best]
	return &Found{Edit: edit, Source: edit.Apply(source), Number: s.best + 1, Total: len(edits)}, nil
}

type search struct {
	source []byte
	edits  []Edit
	fits   Fits

	mu   sync.Mutex
	next int // index of the next edit to try
	best int // lowest index that fits; len(edits): none yet
	err  error
}

// work tries edits until none is left that could come before the best one.
func (s *search) work(ctx context.Context) error {
	for {
		i, ok := s.take()
		if !ok || ctx.Err() != nil {
			return nil
		}
		fits, err := s.fits(ctx, s.edits[i].Apply(s.source))
		if err != nil {
			return err
		}
		if fits {
			s.accept(i)
		}
	}
}

func (s *search) take() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next >= s.best || s.err != nil {
		return 0, false
	}
	s.next++
	return s.next - 1, true
}

func (s *search) accept(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.best = min(s.best, i)
}

func (s *search) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}
