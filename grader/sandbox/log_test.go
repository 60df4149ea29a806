package sandbox

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
)

// logOf runs a behaviour and returns what came of its log, in one piece.
func logOf(t *testing.T, p *Pool, name string, limits grader.Limits) (log []byte, r Result) {
	t.Helper()
	r, err := p.Run(t.Context(), Job{
		Request: []byte(name + "\n"), Limits: limits,
		Log: func(piece []byte) {
			log = append(log, piece...)
			clear(piece)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return log, r
}

func TestLog(t *testing.T) {
	p := newPool(t, Options{})
	t.Run("what a worker wrote before it exited is there", func(t *testing.T) {
		log, r := logOf(t, p, "log", grader.Limits{})
		var want strings.Builder
		for i := range 100 {
			fmt.Fprintf(&want, "entry %d\n", i)
		}
		if string(log) != want.String() || r.LogTruncated {
			t.Errorf("truncated %v: %q", r.LogTruncated, log)
		}
	})
	t.Run("it is cut at its limit", func(t *testing.T) {
		log, r := logOf(t, p, "large log", grader.Limits{})
		if len(log) != MaxLog || !r.LogTruncated || r.Outcome != grader.Observed {
			t.Errorf("%s with %d bytes, truncated %v", r.Outcome, len(log), r.LogTruncated)
		}
	})
	t.Run("it is cut at what a worker may write into a file", func(t *testing.T) {
		log, r := logOf(t, p, "large log", grader.Limits{Disk: 1 << 20})
		if len(log) != 1<<20 || !r.LogTruncated || r.Outcome != grader.Observed {
			t.Errorf("%s with %d bytes, truncated %v", r.Outcome, len(log), r.LogTruncated)
		}
	})
	t.Run("it comes while the worker runs", func(t *testing.T) {
		came := make(chan time.Time, 1)
		r, err := p.Run(t.Context(), Job{
			Request: []byte("log and wait\n"), Limits: grader.Limits{Wall: time.Minute},
			Log: func(piece []byte) {
				if bytes.Contains(piece, []byte("waiting")) {
					came <- time.Now()
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != grader.Observed {
			t.Fatalf("%s: %s", r.Outcome, r.Cause)
		}
		if ahead := time.Since(<-came); ahead < logWait/10 {
			t.Errorf("it came %v before the end; the worker waited %v after writing it", ahead, logWait)
		}
	})
}
