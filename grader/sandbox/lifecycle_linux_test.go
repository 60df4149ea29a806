package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/sandbox/footprint"
)

// mustMeasure measures this process.
func mustMeasure(t *testing.T, dir string) footprint.Footprint {
	t.Helper()
	f, err := footprint.Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestNothingIsLeft holds that 200 runs in a row, a third of them hostile, leave no process, descriptor, goroutine, mount
// or file, and do not make the parent grow.
func TestNothingIsLeft(t *testing.T) {
	for _, without := range [][]string{nil, {"namespaces"}} {
		t.Run(fmt.Sprint("without ", without), func(t *testing.T) {
			dir := openFolder(t)
			before := mustMeasure(t, dir)
			p, err := NewPool(Options{Without: without, TempDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			hostile := []string{"exit 0", "goroutine panic", "flood", "fork", "disk fill", "close every descriptor", "giant allocation", "forge and exit", "descriptors", "large log"}
			run := func(n int) {
				for i := range n {
					name := "echo"
					if i%3 == 0 {
						name = hostile[i/3%len(hostile)]
					}
					b := behaviours()[name]
					r, err := p.Run(t.Context(), Job{Request: []byte(name), Profile: Scratch, Limits: b.limits})
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Contains(b.want, r.Outcome) {
						t.Fatalf("%s: %s (%s)", name, r.Outcome, r.Cause)
					}
					r.Artifacts.Close()
				}
			}
			run(30) // what the Go runtime grows to once
			warm := mustMeasure(t, dir)
			if testing.Short() {
				run(60)
			} else {
				run(200)
			}
			if now := mustMeasure(t, dir); now.Memory > warm.Memory+10<<20 {
				t.Errorf("the parent grew from %s to %s", bytesInWords(warm.Memory), bytesInWords(now.Memory))
			}
			p.Close()
			if err := footprint.Gone(before, dir); err != nil {
				t.Error(err)
			}
		})
	}
}

// Whatever a standing worker's job comes to, nothing is left of it once its pool is closed, and one that answered out of order
// does no other job.
func TestNothingIsLeftOfStandingWorkers(t *testing.T) {
	dir := t.TempDir()
	p := newPool(t, Options{Spare: 1, TempDir: dir})
	mustRun(t, p, standingJob("count")) // what the Go runtime opens once
	p.Close()
	before := mustMeasure(t, dir)
	for _, name := range []string{"count", "too large a reply", "our own failure", "empty reply", "loop", "panic", "late output"} {
		p := newPool(t, Options{Spare: 1, TempDir: dir})
		job, count := standingJob(name), standingJob("count")
		count.Limits = job.Limits // of one shape
		for range 2 {
			observed := mustRun(t, p, job).Outcome == grader.Observed
			if again := servedBy(t, p, count); name != "count" && !observed && again != "1" {
				t.Errorf("%s: its worker has served %s jobs", name, again)
			}
		}
		p.Close()
		if err := footprint.Gone(before, dir); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// parentMain is the program that TestKilledParent kills: pools with spares, running what does not end.
func parentMain(without string) {
	Harden()
	options := Options{Parallel: 4}
	if without != "" {
		options.Without = []string{without}
	}
	p, err := NewPool(options)
	if err != nil {
		panic(err)
	}
	for range 4 {
		go func() {
			for i := 0; ; i++ {
				name := []string{"echo", "loop", "sleep"}[i%3]
				r, err := p.Run(context.Background(), Job{Request: []byte(name), Profile: Scratch, Limits: grader.Limits{Wall: 50 * time.Millisecond}})
				if err != nil {
					panic(err)
				}
				r.Artifacts.Close()
			}
		}()
	}
	select {}
}

// TestKilledParent holds that no worker outlives a parent that is killed at any moment.
func TestKilledParent(t *testing.T) {
	moments := 12
	if testing.Short() {
		moments = 4
	}
	for i := range moments {
		without := []string{"", "namespaces"}[i%2]
		name := fmt.Sprintf("sandbox-parent-%d-%d", os.Getpid(), i) // workers take it over from their parent
		dir := openFolder(t)
		parent := exec.Command("/proc/self/exe")
		parent.Args = []string{name, parentArg, without}
		parent.Env = []string{"TMPDIR=" + dir}
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+rand.IntN(200)) * time.Millisecond)
		if err := parent.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = parent.Wait()
		killed := time.Now()
		var alive []string
		for {
			var err error
			if alive, err = footprint.Named(name); err != nil {
				t.Fatal(err)
			}
			if len(alive) == 0 {
				break
			}
			if time.Since(killed) > 2*time.Second { // 10 ms, where the machine has nothing else to do
				t.Fatalf("after %v, processes %q are alive", time.Since(killed), alive)
			}
			time.Sleep(time.Millisecond)
		}
		t.Logf("without %q: none left after %v", without, time.Since(killed))
	}
}

// TestAsNobody runs the other tests as an unprivileged user.
func TestAsNobody(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED LOUDLY: only root can become another user; this run is itself unprivileged")
	}
	dir, err := os.MkdirTemp("", "as-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	again := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^(TestBehaviours|TestDoctor|TestNothingIsLeft|TestArtifacts|TestKilledParent)$", "-test.v", "-test.short")
	again.Dir = "/"
	again.Env = []string{"TMPDIR=" + dir}
	again.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := again.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, failures(out))
	}
	if !bytes.Contains(out, []byte("Level: "+Strong)) && !bytes.Contains(out, []byte("Level: "+Standard)) {
		t.Error("no worker of nobody's was strong or standard")
	}
	if n := bytes.Count(out, []byte("--- PASS: TestBehaviours/")); n < 100 {
		t.Errorf("only %d behaviours were run", n)
	}
}

// failures are the lines of a verbose test run that say what went wrong.
func failures(out []byte) string {
	var kept strings.Builder
	failed := false
	for line := range strings.Lines(string(out)) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "--- "), strings.HasPrefix(trimmed, "=== "):
			failed = strings.HasPrefix(trimmed, "--- FAIL")
		case strings.Contains(trimmed, "_test.go:"):
			failed = true
		}
		if failed || strings.HasPrefix(line, "panic:") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

func TestConcurrentRuns(t *testing.T) {
	p := newPool(t, Options{Parallel: 4})
	var wait sync.WaitGroup
	for i := range 40 {
		wait.Go(func() {
			payload := fmt.Sprintf("payload %d", i)
			r, err := p.Run(t.Context(), Job{Request: []byte("echo\n" + payload), Profile: []Profile{Pure, Scratch}[i%2]})
			if err != nil || r.Outcome != grader.Observed || string(r.Reply) != payload {
				t.Errorf("run %d: %v, %s (%s), %q", i, err, r.Outcome, r.Cause, r.Reply)
			}
			r.Artifacts.Close()
		})
	}
	wait.Wait()
}

func TestCancelledRun(t *testing.T) {
	p := newPool(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := p.Run(ctx, Job{Request: []byte("sleep"), Limits: grader.Limits{Wall: time.Hour}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	r, err := p.Run(t.Context(), Job{Request: []byte("echo\nafterwards")})
	if err != nil || string(r.Reply) != "afterwards" {
		t.Errorf("the next run: %v, %+v", err, r)
	}
	if _, err := p.Run(ctx, Job{Request: []byte("echo")}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

// TestKilledWorker holds that a spare worker that died is not used, and that one that dies in its run is our fault.
func TestKilledWorker(t *testing.T) {
	p := newPool(t, Options{Spare: 1})
	kill := func() {
		p.Warm(Job{})
		p.work.Wait() // for spares on their way
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, s := range p.stocks {
			for _, w := range s.spare {
				w.child.kill()
				<-w.exited
			}
		}
	}
	for range 3 {
		r := runNamed(t, p, "echo", "x")
		if r.Outcome != grader.Observed {
			t.Fatalf("%s (%s)", r.Outcome, r.Cause)
		}
		kill()
	}

	w, err := p.start(t.Context(), shapeOf(Job{}, DefaultLimits()))
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, w.child.kill)
	sleep := request{nonce: make([]byte, nonceSize), body: []byte("sleep")}
	r, err := w.run(t.Context(), sleep, encodeRequest(sleep), DefaultLimits())
	if err != nil || r.Outcome != grader.Infrastructure || r.Cause == "" {
		t.Errorf("killed from outside: %v, %s (%s)", err, r.Outcome, r.Cause)
	}
}

func TestRequiredLevel(t *testing.T) {
	p := newPool(t, Options{Require: Strong, Without: []string{"namespaces"}})
	_, err := p.Run(t.Context(), Job{Request: []byte("echo")})
	var known *grader.Error
	if !errors.As(err, &known) || known.Code != "sandbox_level" || !strings.Contains(known.Hint, "namespaces") {
		t.Errorf("got %v", err)
	}
}

// TestNamespacesOfNoUse holds that a worker that cannot mount is replaced by one without namespaces, once and for all.
func TestNamespacesOfNoUse(t *testing.T) {
	p := newPool(t, Options{Without: []string{"mounts"}, Spare: -1})
	for range 2 {
		r := runNamed(t, p, "sparse file", "")
		if r.Outcome != grader.Observed || r.Level != Standard {
			t.Errorf("%s (%s) at level %s", r.Outcome, r.Cause, r.Level)
		}
		for _, layer := range r.Layers {
			if layer.Name == "namespaces" && (layer.Active || !strings.Contains(layer.Detail, "left out on request")) {
				t.Errorf("the layer says %+v", layer)
			}
		}
	}
	if how := p.ways[p.way]; how.isolated {
		t.Errorf("the way %+v is remembered as working", how)
	}
}

func TestInheritedDescriptor(t *testing.T) {
	// A descriptor without close-on-exec, as a shell might leave one open.
	fd, err := syscall.Open("/etc/passwd", syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	p := newPool(t, Options{Spare: -1})
	w, err := p.take(t.Context(), plainShape())
	if err != nil {
		t.Fatal(err)
	}
	defer w.discard()
	for _, check := range w.checks() {
		if check.Name == "descriptors" && !check.Right {
			t.Error(check.Found)
		}
	}
}

func TestClosedPool(t *testing.T) {
	p, err := NewPool(Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	p.Close()
	if _, err := p.Run(t.Context(), Job{Request: []byte("echo")}); err == nil {
		t.Error("a closed pool ran a job")
	}
}

func TestMissingCommand(t *testing.T) {
	for _, command := range []string{"/no/such/program", "/bin/true", "/etc/passwd"} {
		p, err := NewPool(Options{Command: command})
		if err == nil {
			_, err = p.Run(t.Context(), Job{})
			p.Close()
		}
		var known *grader.Error
		if !errors.As(err, &known) || known.Code != "sandbox_start" || known.Cause == nil {
			t.Errorf("%s: got %v", command, err)
		}
	}
}
