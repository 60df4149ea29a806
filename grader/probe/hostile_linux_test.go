package probe_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/check"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/sandbox/footprint"
	teaching "fieldbook/runtime"
	"fieldbook/runtime/world"
)

// pipeline is what a learner's file goes through, over one pool of workers.
type pipeline struct {
	pool    *sandbox.Pool
	checker *check.Checker
	runner  probe.Runner
}

func newPipeline(options sandbox.Options) (*pipeline, error) {
	pool, err := sandbox.NewPool(options)
	if err != nil {
		return nil, err
	}
	return &pipeline{pool: pool, checker: check.New(pool, teaching.Tree()), runner: probe.Runner{Pool: pool}}, nil
}

// mustPipeline is a pipeline that is closed with the test. On a machine that has only limits to offer, hostile programs are
// not let loose.
func mustPipeline(t *testing.T, options sandbox.Options) *pipeline {
	t.Helper()
	p, err := newPipeline(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.pool.Close)
	level, layers, err := p.pool.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !sandbox.AtLeast(level, sandbox.Standard) {
		t.Skipf("SKIPPED LOUDLY: hostile programs are not run in a %s sandbox: %s", level, sandbox.Notice(level, layers))
	}
	return p
}

// seen is what a run showed to the parent.
type seen struct {
	outcome     grader.Outcome
	cause, hint string
	code        string // of the first diagnostic
	reply       string
	output      grader.Output
	told        string // everything that the run said, raw
	level       string
	layers      []string
	wall        time.Duration
	cpu         time.Duration // full alone
	memory      int64         // full alone
	disk        int64         // bytes left in scratch
}

// shipped sends a program through everything: check, lowering, interpreter in a worker. It is a learner's function that is
// called with one argument.
func (p *pipeline) shipped(t *testing.T, text, input string, limits grader.Limits) seen {
	t.Helper()
	began := time.Now()
	prepared, found, err := p.checker.Prepare(t.Context(), solveProgram(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 0 {
		return seen{
			outcome: engine.OutcomeOf(found), cause: found[0].Message, hint: found[0].Hint,
			code: found[0].Code, told: fmt.Sprintf("%+v", found), wall: time.Since(began),
		}
	}
	execution, rows, err := p.runner.Table(t.Context(), probe.Run{Program: prepared, Profile: sandbox.Pure, Limits: limits},
		[][]world.Value{{world.StringValue(input)}})
	if err != nil {
		t.Fatal(err)
	}
	defer execution.Close()
	s := seen{
		outcome: execution.Outcome, cause: execution.Cause, hint: execution.Hint, output: execution.Output,
		level: execution.Level, layers: execution.Layers, wall: execution.Elapsed,
	}
	for _, row := range rows {
		s.reply, _ = row.Value.AsString()
		if row.Crash != nil {
			s.outcome, s.cause, s.hint = grader.Panic, row.Crash.Message, "row"
		}
	}
	s.told = s.reply + s.output.Text + s.cause
	return s
}

// full runs a program as it is, with every package there.
func (p *pipeline) full(t *testing.T, g *grounds, text string, profile sandbox.Profile, limits grader.Limits) seen {
	t.Helper()
	b := bare{Source: text, Input: g.input(), Packages: g.folder}
	r, err := p.pool.Run(t.Context(), sandbox.Job{Role: fullRole, Request: b.encode(), Profile: profile, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Artifacts.Close()
	s := seen{
		outcome: r.Outcome, cause: r.Cause, hint: r.Hint, reply: string(r.Reply), output: r.Stdout,
		told:  string(r.Reply) + string(r.StdoutRaw) + string(r.StderrRaw) + r.Cause,
		level: r.Level, layers: r.ActiveLayers(), wall: r.Usage.Wall, cpu: r.Usage.CPU, memory: r.Usage.Memory,
	}
	err = r.Artifacts.Walk(func(_ string, info os.FileInfo) error { s.disk += info.Size(); return nil })
	if err != nil && !errors.Is(err, sandbox.ErrTooManyFiles) {
		t.Error(err)
	}
	return s
}

// TestHostile runs every program in every way that this machine has, and holds it to its requirement.
func TestHostile(t *testing.T) {
	sweeps := []struct {
		name    string
		full    bool
		without []string
		profile sandbox.Profile
		long    bool
	}{
		{name: "shipped"},
		{name: "full", full: true, profile: sandbox.Scratch},
		{name: "full without namespaces", full: true, profile: sandbox.Scratch, without: []string{"namespaces"}, long: true},
		{name: "full without paths", full: true, profile: sandbox.Pure, without: []string{"namespaces"}, long: true},
	}
	for _, sweep := range sweeps {
		t.Run(sweep.name, func(t *testing.T) {
			if sweep.long && testing.Short() {
				t.Skip("SKIPPED LOUDLY: hostile programs at the lower level, since -short asks for less")
			}
			dir, g := openFolder(t), mustGrounds(t)
			before := mustMeasure(t, dir)
			options := sandbox.Options{Without: sweep.without, TempDir: dir}
			if sweep.full {
				options.Spare = -1 // limits differ from program to program, so most spares would be of no use
			}
			p := mustPipeline(t, options)
			late := watchScheduler()
			for _, name := range hostileNames(t) {
				t.Run(name, func(t *testing.T) {
					required := requirements()[name]
					late.reset()
					text := g.source(hostileSource(t, name))
					shared := sweep.profile == sandbox.Scratch && sweep.without != nil // the machine's file tree
					if sweep.full {
						s := p.full(t, g, text, sweep.profile, required.limits)
						if shared && required.visible != "" {
							required.full = required.full.or(grader.Observed)
							required.full.replies = append(slices.Clip(required.full.replies), required.visible)
						}
						required.holds(t, s, required.full, late.worst())
						checkSafe(t, s, required.own || shared && required.visible != "")
						if !shared && s.disk > sandbox.DefaultLimits().Disk {
							t.Errorf("%d bytes are in scratch", s.disk)
						}
					} else {
						s := p.shipped(t, text, g.input(), required.limits)
						required.holds(t, s, required.shipped, late.worst())
						checkSafe(t, s, false)
						if s.code != required.code {
							t.Errorf("diagnostic %q, want %q", s.code, required.code)
						}
					}
					if err := g.touched(); err != nil {
						t.Error(err)
					}
				})
			}
			late.stop()
			p.pool.Close()
			if err := footprint.Gone(before, dir); err != nil {
				t.Error(err)
			}
		})
	}
}

// holds compares a run with what is required of it. late is how late this process was given a processor meanwhile.
func (r requirement) holds(t *testing.T, s seen, right endings, late time.Duration) {
	t.Helper()
	t.Logf("%s (%s) %.60q wall %v, CPU %v, memory %d MiB, disk %d KiB, scheduler %v late", s.outcome, s.cause, s.reply,
		s.wall.Round(time.Millisecond), s.cpu.Round(time.Millisecond), s.memory>>20, s.disk>>10, late.Round(time.Millisecond))
	if !slices.Contains(right.outcomes, s.outcome) {
		t.Errorf("outcome %s (%s), want one of %s; reply %.200q, output %.300q", s.outcome, s.cause, right.outcomes, s.reply, s.output.Text)
	}
	switch s.outcome {
	case grader.Observed:
		if !slices.ContainsFunc(right.replies, func(begins string) bool { return strings.HasPrefix(s.reply, begins) }) {
			t.Errorf("reply %.200q, want one like %q", s.reply, right.replies)
		}
	case grader.CompileError:
		if s.cause == "" {
			t.Error("nothing says why it does not compile")
		}
	default:
		if !strings.Contains(s.cause, r.cause) || s.cause == "" || s.hint == "" {
			t.Errorf("cause %q with the hint %q, want it to contain %q", s.cause, s.hint, r.cause)
		}
	}
	if s.outcome == grader.Timeout || s.outcome == grader.CPULimit {
		checkPunctual(t, s, late)
	}
}

// checkPunctual holds that a run that passed a limit says which, its value and what was used, and that it was ended soon. How
// soon is logged: half a second at most on a machine that has nothing else to do, and longer by what its scheduler was late.
func checkPunctual(t *testing.T, s seen, late time.Duration) {
	t.Helper()
	var limit, used float64
	var kind string
	if _, err := fmt.Sscanf(s.cause, "limit: %f s of %s time; used %f s", &limit, &kind, &used); err != nil {
		t.Errorf("the cause %q does not say what the limit was: %v", s.cause, err)
	}
	const most, perDelay = 1, 25
	if beyond := used - limit; beyond < -0.06 || beyond > most+perDelay*late.Seconds() {
		t.Errorf("ended %.1f s after its limit of %.1f s of %s time", beyond, limit, kind)
	}
}

// checkSafe holds what is required of every run, whatever the program. boasts says that its reply may say LEAK.
func checkSafe(t *testing.T, s seen, boasts bool) {
	t.Helper()
	if err := told(s.told); err != nil {
		t.Error(err)
	}
	if strings.HasPrefix(s.reply, "LEAK") && !boasts {
		t.Errorf("reply %.200q", s.reply)
	}
	if strings.ContainsAny(s.cause+s.hint+s.output.Text, "\x1b\x00") {
		t.Error("control characters are shown")
	}
	if most := 4 * sandbox.MaxShown; len(s.output.Text) > most {
		t.Errorf("%d bytes of output are shown", len(s.output.Text))
	}
	if s.outcome != grader.CompileError && (!sandbox.AtLeast(s.level, sandbox.Standard) || !slices.Contains(s.layers, "seccomp")) {
		t.Errorf("the run records level %q and layers %q", s.level, s.layers)
	}
}

// scheduler measures how late a goroutine of this process wakes up.
type scheduler struct {
	most    atomic.Int64
	stopped chan struct{}
	done    chan struct{}
}

func watchScheduler() *scheduler {
	s := &scheduler{stopped: make(chan struct{}), done: make(chan struct{})}
	const step = 5 * time.Millisecond
	go func() {
		defer close(s.done)
		for {
			began := time.Now()
			select {
			case <-s.stopped:
				return
			case <-time.After(step):
			}
			if late := int64(time.Since(began) - step); late > s.most.Load() {
				s.most.Store(late)
			}
		}
	}()
	return s
}

func (s *scheduler) reset()               { s.most.Store(0) }
func (s *scheduler) worst() time.Duration { return time.Duration(s.most.Load()) }

func (s *scheduler) stop() {
	close(s.stopped)
	<-s.done
}

func mustMeasure(t *testing.T, dir string) footprint.Footprint {
	t.Helper()
	f, err := footprint.Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var levels = flag.Bool("levels", false, "have an unprivileged user run hostile programs at the lower levels too")

// TestHostileAsNobody runs the programs again with an unprivileged user for a parent.
func TestHostileAsNobody(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED LOUDLY: only root can become another user; this run is itself unprivileged")
	}
	if testing.Short() {
		t.Skip("SKIPPED LOUDLY: hostile programs as an unprivileged user, since -short asks for less")
	}
	const nobody = 65534
	dir := openFolder(t)
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"-test.run=^(TestHostile|TestNothingOfTheMachineCanBeRead|TestLevelIsRecorded)$", "-test.v"}
	t.Run("lower levels", func(t *testing.T) {
		if !*levels {
			arguments = append(arguments, "-test.skip=^TestHostile$/^full_without_")
			t.Skip("SKIPPED LOUDLY: an unprivileged user runs hostile programs at the lower levels with the flag -levels alone, as .ci/run does")
		}
	})
	again := exec.CommandContext(t.Context(), "/proc/self/exe", arguments...)
	again.Dir = "/"
	again.Env = []string{"TMPDIR=" + dir}
	again.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := again.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, failures(out))
	}
	if n := bytes.Count(out, []byte("--- PASS: TestHostile/")); n < 2*len(hostileNames(t)) {
		t.Errorf("only %d programs were run", n)
	}
}

// failures are the lines of a verbose test run that say what went wrong.
func failures(out []byte) string {
	var kept, section strings.Builder
	for line := range strings.Lines(string(out)) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "=== "):
			section.Reset()
		case strings.HasPrefix(trimmed, "--- FAIL"):
			kept.WriteString(line + section.String())
			section.Reset()
		case strings.HasPrefix(trimmed, "--- "):
			section.Reset()
		default:
			section.WriteString(line)
		}
	}
	return kept.String() + section.String()
}
