package sandbox

import (
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// percentiles reports the p50 and p95 of durations as metrics.
func percentiles(b *testing.B, name string, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, name+"-p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, name+"-p95-ms")
}

// BenchmarkStart is a fresh worker's way from nothing to its ready frame.
func BenchmarkStart(b *testing.B) {
	for _, level := range []struct {
		name    string
		without []string
	}{
		{"strong", nil},
		{"standard", []string{"namespaces"}},
		{"bare", []string{"namespaces", "capabilities", "landlock", "seccomp"}},
	} {
		b.Run(level.name, func(b *testing.B) {
			p := newPool(b, Options{Spare: -1, Without: level.without})
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				w, err := p.start(b.Context(), plainShape())
				if err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
				b.StopTimer()
				w.discard()
				b.StartTimer()
			}
			percentiles(b, "start", took)
		})
	}
}

// BenchmarkRequest is the way from a request to its reply in a worker that was ready.
func BenchmarkRequest(b *testing.B) {
	p := newPool(b, Options{Spare: 2})
	job := Job{Request: []byte("echo\nx"), Profile: Scratch}
	var took []time.Duration
	for b.Loop() {
		b.StopTimer()
		p.Warm(job)
		p.work.Wait()
		b.StartTimer()
		began := time.Now()
		r, err := p.Run(b.Context(), job)
		if err != nil || string(r.Reply) != "x" {
			b.Fatal(err, r.Outcome, r.Cause)
		}
		took = append(took, time.Since(began))
		b.StopTimer()
		r.Artifacts.Close()
		b.StartTimer()
	}
	percentiles(b, "request", took)
}

// BenchmarkThroughput is trivial runs a second, each in a worker of its own, as many at a time as there are processors.
func BenchmarkThroughput(b *testing.B) {
	for _, spare := range []int{-1, 2, 4} {
		b.Run(map[int]string{-1: "no spares", 2: "2 spares", 4: "4 spares"}[spare], func(b *testing.B) {
			p := newPool(b, Options{Spare: spare})
			var failed atomic.Int64
			used, began := cpuUsed(b), time.Now()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r, err := p.Run(b.Context(), Job{Request: []byte("echo\nx"), Profile: Scratch})
					if err != nil || string(r.Reply) != "x" {
						failed.Add(1)
					}
					r.Artifacts.Close()
				}
			})
			b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "runs/s")
			b.ReportMetric(float64((cpuUsed(b)-used).Microseconds())/1000/float64(b.N), "cpu-ms/run")
			if failed.Load() > 0 {
				b.Errorf("%d runs failed", failed.Load())
			}
		})
	}
}

// cpuUsed is the CPU time of this process and its dead children: unlike runs a second, it does not depend on what else the
// machine is doing.
func cpuUsed(b *testing.B) time.Duration {
	var used time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(who, &usage); err != nil {
			b.Fatal(err)
		}
		used += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return used
}
