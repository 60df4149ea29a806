package check

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fieldbook/grader/engine"
	"fieldbook/grader/sandbox"
	teaching "fieldbook/runtime"
)

// BenchmarkPrepare is a save of restore.go, with a changed line each time: in this process, first and later, and in a
// worker that was warm, or that had to be started.
func BenchmarkPrepare(b *testing.B) {
	saves := 0
	save := func() engine.Program {
		saves++
		return restore(b, fmt.Appendf(reference(b), "\n// save %d\n", saves))
	}
	b.Run("in this process", func(b *testing.B) {
		e := engine.New(teaching.Tree())
		measure(b, func() {}, func() error { _, _, err := e.Prepare(b.Context(), save()); return err })
	})
	b.Run("in this process, first", func(b *testing.B) {
		measure(b, func() {}, func() error { _, _, err := engine.New(teaching.Tree()).Prepare(b.Context(), save()); return err })
	})
	for name, spare := range map[string]int{"in a warm worker": 2, "in a new worker": -1} {
		b.Run(name, func(b *testing.B) {
			pool, err := sandbox.NewPool(sandbox.Options{Spare: spare})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(pool.Close)
			c := New(pool, teaching.Tree())
			measure(b, func() {
				if spare > 0 {
					c.Warm()
					time.Sleep(200 * time.Millisecond)
				}
			}, func() error { _, _, err := c.Prepare(b.Context(), save()); return err })
		})
	}
}

func measure(b *testing.B, before func(), do func() error) {
	var took []time.Duration
	for b.Loop() {
		b.StopTimer()
		before()
		b.StartTimer()
		began := time.Now()
		if err := do(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
