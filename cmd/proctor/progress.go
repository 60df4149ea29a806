package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
)

// progress is one line on a terminal that says how far the work is, and is taken away when the work is done. On anything
// else than a terminal it says nothing. It is safe for concurrent use.
type progress struct {
	to io.Writer // nil: nobody looks

	mu    sync.Mutex
	what  string
	done  int
	total int
	shown time.Time
}

// progressEvery is how often the line changes at most.
const progressEvery = 100 * time.Millisecond

// newProgress is a line on w when that is a terminal.
func newProgress(w io.Writer) *progress {
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		return &progress{to: w}
	}
	return &progress{}
}

// begin starts a piece of work of so many steps.
func (p *progress) begin(what string, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.done, p.total, p.shown = what, 0, total, time.Time{}
	p.show()
}

// grow adds steps to the present piece of work.
func (p *progress) grow(steps int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total += steps
}

// step notes that one more step is done.
func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.show()
}

// end takes the line away, so that something else can be written.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.to != nil && !p.shown.IsZero() {
		fmt.Fprint(p.to, "\r\x1b[K")
		p.shown = time.Time{}
	}
}

func (p *progress) show() {
	if p.to == nil || time.Since(p.shown) < progressEvery {
		return
	}
	p.shown = time.Now()
	fmt.Fprintf(p.to, "\r\x1b[K%s: %d of %d", p.what, p.done, p.total)
}
