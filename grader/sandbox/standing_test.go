package sandbox

import (
	"runtime"
	"testing"
	"time"

	"fieldbook/grader"
)

// standingJob is a job of a behaviour for a worker that goes on.
func standingJob(name string) Job {
	return Job{Request: []byte(name + "\n"), Profile: Pure, Limits: behaviours()[name].limits, Standing: true}
}

func mustRun(t *testing.T, p *Pool, job Job) Result {
	t.Helper()
	r, err := p.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// servedBy runs "count" and returns how many jobs its worker has done.
func servedBy(t *testing.T, p *Pool, job Job) string {
	t.Helper()
	r := mustRun(t, p, job)
	if r.Outcome != grader.Observed {
		t.Fatalf("%s: %s", r.Outcome, r.Cause)
	}
	return string(r.Reply)
}

func TestStandingWorker(t *testing.T) {
	if !canStand {
		t.Skipf("SKIPPED LOUDLY: no worker serves a second job on %s", runtime.GOOS)
	}
	t.Run("serves one job after another", func(t *testing.T) {
		p := newPool(t, Options{Spare: 1})
		for _, want := range []string{"1", "2", "3"} {
			if got := servedBy(t, p, standingJob("count")); got != want {
				t.Errorf("the worker has served %s jobs, want %s", got, want)
			}
		}
	})
	t.Run("never does a job that may run a learner's code", func(t *testing.T) {
		p := newPool(t, Options{Spare: 1})
		servedBy(t, p, standingJob("count"))
		once := standingJob("count")
		once.Standing = false
		scratch := standingJob("count")
		scratch.Profile = Scratch
		for range 2 {
			for name, job := range map[string]Job{"a single job": once, "one with files": scratch} {
				if got := servedBy(t, p, job); got != "1" {
					t.Errorf("the worker of %s has served %s", name, got)
				}
			}
		}
	})
	for _, name := range []string{"loop", "sleep", "recursion", "panic", "giant allocation", "flood", "goexit"} {
		t.Run("is bounded in each job: "+name, func(t *testing.T) {
			t.Parallel()
			p := newPool(t, Options{Spare: 1})
			job, count := standingJob(name), standingJob("count")
			count.Limits = job.Limits // of one shape
			servedBy(t, p, count)
			checkBehaviour(t, behaviours()[name], mustRun(t, p, job))
			if got := servedBy(t, p, count); got != "1" {
				t.Errorf("a worker that has served %s jobs survived", got)
			}
		})
	}
	t.Run("is charged for each job alone", func(t *testing.T) {
		p := newPool(t, Options{Spare: 1})
		busy := mustRun(t, p, standingJob("busy"))
		after := mustRun(t, p, standingJob("count"))
		if busy.Usage.CPU < busyTime || string(after.Reply) != "1" {
			t.Fatalf("busy for %v, then %s by %q", busy.Usage.CPU, after.Outcome, after.Reply)
		}
		if after.Usage.CPU <= 0 || after.Usage.CPU > busy.Usage.CPU/2 || after.Usage.Memory <= 0 {
			t.Errorf("a count used %v and %d bytes, after a job of %v", after.Usage.CPU, after.Usage.Memory, busy.Usage.CPU)
		}
		p.mu.Lock()
		kept := len(p.stocks) == 1 && len(p.stocks[0].spare) == 1 && p.stocks[0].spare[0].before.cpu >= busy.Usage.CPU
		p.mu.Unlock()
		if !kept {
			t.Error("the count was not done by the worker that had been busy")
		}
	})
	t.Run("is ended with its pool", func(t *testing.T) {
		p := newPool(t, Options{Spare: 1})
		servedBy(t, p, standingJob("count"))
		p.mu.Lock()
		var kept []*worker
		for _, s := range p.stocks {
			kept = append(kept, s.spare...)
		}
		p.mu.Unlock()
		p.Close()
		for _, w := range kept {
			if w.alive() {
				t.Error("a worker outlives its pool")
			}
		}
	})
}

// A worker that has used much is retired before the kernel's limit, which would be taken for a job's.
func TestStandingWorkerIsRetired(t *testing.T) {
	for _, c := range []struct {
		name         string
		before       time.Duration // CPU used before the job
		usage        Usage
		serveAnother bool
	}{
		{"young", 0, Usage{CPU: time.Millisecond, Memory: 50 << 20}, true},
		{"long in service", standingCPU / 3, Usage{CPU: time.Millisecond, Memory: 50 << 20}, true},
		{"near the kernel's limit", standingCPU/2 - time.Millisecond, Usage{CPU: time.Millisecond, Memory: 50 << 20}, false},
		{"used much in this job", 0, Usage{CPU: standingCPU / 2, Memory: 50 << 20}, false},
		{"grown", 0, Usage{CPU: time.Millisecond, Memory: standingMemory}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &worker{child: &child{}, standing: true, before: sample{cpu: c.before}}
			if w.restAfter(c.usage); w.rested != c.serveAnother {
				t.Errorf("it serves another job: %v", w.rested)
			}
		})
	}
}
