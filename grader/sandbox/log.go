package sandbox

import "time"

// logInterval is how often a log that is a file is looked at while its worker runs.
const logInterval = 2 * time.Millisecond

// tail reads an operation log while its worker writes it.
type tail struct {
	grown func(piece []byte) // nil: nobody asks
	size  int64              // read so far
	piece []byte
}

// follow reads to the log's end. A pipe has one; a file has reached it when the run has ended.
func (t *tail) follow(from ends, ended <-chan struct{}) {
	t.piece = make([]byte, 64<<10)
	if !from.keeps {
		t.drain(from.log.Read)
		return
	}
	here := func(into []byte) (int, error) { return from.log.ReadAt(into, t.size) }
	if t.grown != nil {
		look := time.NewTicker(logInterval)
		defer look.Stop()
		for gone := false; !gone; {
			select {
			case <-look.C:
				t.drain(here)
			case <-ended:
				gone = true
			}
		}
	}
	<-ended
	t.drain(here)
}

// drain reads until an error, which the end is too.
func (t *tail) drain(read func([]byte) (int, error)) {
	for {
		n, err := read(t.piece)
		if kept := min(int64(n), MaxLog-t.size); kept > 0 && t.grown != nil {
			t.grown(t.piece[:kept])
		}
		t.size += int64(n)
		if err != nil {
			return
		}
	}
}
