package probe_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/sandbox/footprint"
	"fieldbook/runtime/world"
)

// harmless is a right program; number makes it another one each time.
func harmless(number int) string {
	return fmt.Sprintf("package main\n\n// Solve, number %d.\nfunc Solve(in string) string { return in }\n", number)
}

// TestNothingIsLeft holds that 200 runs through the whole pipeline, a third of them hostile, leave no process, descriptor,
// goroutine, mount or file, and do not make the parent grow.
func TestNothingIsLeft(t *testing.T) {
	runs := 200
	if testing.Short() {
		runs = 40
		t.Log("SKIPPED LOUDLY: 160 of 200 runs, since -short asks for less")
	}
	dir, g := openFolder(t), mustGrounds(t)
	before := mustMeasure(t, dir)
	p := mustPipeline(t, sandbox.Options{TempDir: dir})
	names, all := hostileNames(t), requirements()
	run := func(n int) {
		for i := range n {
			if i%3 != 0 {
				if s := p.shipped(t, harmless(i), "x", grader.Limits{}); s.outcome != grader.Observed || s.reply != "x" {
					t.Fatalf("run %d: %s (%s), %q", i, s.outcome, s.cause, s.reply)
				}
				continue
			}
			name := names[i/3%len(names)]
			text := g.source(hostileSource(t, name))
			var s seen
			if i%2 == 0 {
				s = p.shipped(t, text, g.input(), short)
			} else {
				s = p.full(t, g, text, sandbox.Scratch, short)
			}
			if strings.HasPrefix(s.reply, "LEAK") && !all[name].own {
				t.Errorf("run %d, %s: %.100q", i, name, s.reply)
			}
		}
	}
	run(30) // what the Go runtime grows to once
	warm := mustMeasure(t, dir)
	run(runs)
	now := mustMeasure(t, dir)
	t.Logf("resident: %d MiB after 30 runs, %d MiB after %d more", warm.Memory>>20, now.Memory>>20, runs)
	if now.Memory > warm.Memory+10<<20 {
		t.Error("the parent has grown")
	}
	if err := g.touched(); err != nil {
		t.Error(err)
	}
	p.pool.Close()
	if err := footprint.Gone(before, dir); err != nil {
		t.Error(err)
	}
}

// parentMain is the program that TestKilledParent kills: it sends programs through the pipeline, some of which do not end.
func parentMain() {
	p, err := newPipeline(sandbox.Options{Parallel: 4})
	if err != nil {
		panic(err)
	}
	texts := []string{
		harmless(0),
		"package main\n\nfunc Solve(in string) string { for {} }\n",
		"package main\n\nfunc Solve(in string) string {\n\tvar kept [][]byte\n\tfor { kept = append(kept, make([]byte, 1<<16)) }\n}\n",
	}
	for range 3 {
		go func() {
			for i := 0; ; i++ {
				prepared, found, err := p.checker.Prepare(context.Background(), solveProgram(texts[i%len(texts)]))
				if err != nil || len(found) > 0 {
					panic(fmt.Sprint(found, err))
				}
				_, _, err = p.runner.Table(context.Background(), probe.Run{
					Program: prepared, Limits: grader.Limits{Wall: 100 * time.Millisecond},
				}, [][]world.Value{{world.StringValue("x")}})
				if err != nil {
					panic(err)
				}
			}
		}()
	}
	select {}
}

// TestKilledParent holds that no worker, whatever its role, outlives a parent that is killed at any moment.
func TestKilledParent(t *testing.T) {
	moments := 8
	if testing.Short() {
		moments = 2
		t.Log("SKIPPED LOUDLY: six of eight moments, since -short asks for less")
	}
	for i := range moments {
		name := fmt.Sprintf("probe-parent-%d-%d", os.Getpid(), i) // workers take it over from their parent
		parent := exec.Command("/proc/self/exe")
		parent.Args = []string{name, parentArg}
		parent.Env = []string{"TMPDIR=" + openFolder(t)}
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		started, err := startedBy(name)
		time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
		if err := errors.Join(err, parent.Process.Kill()); err != nil {
			t.Fatal(err)
		}
		_ = parent.Wait()
		killed := time.Now()
		for {
			alive, err := footprint.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(alive) == 0 {
				break
			}
			if time.Since(killed) > 20*time.Second { // 10 ms, where the machine has nothing else to do
				t.Fatalf("after %v, processes %q are alive", time.Since(killed), alive)
			}
			time.Sleep(time.Millisecond)
		}
		t.Logf("%d workers at first, none left after %v", len(started)-1, time.Since(killed))
	}
}

// startedBy waits until a parent has a worker, however slow the machine, and returns the processes of both.
func startedBy(name string) ([]string, error) {
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		started, err := footprint.Named(name)
		if err != nil || len(started) > 1 {
			return started, err
		}
		if time.Since(begun) > time.Minute {
			return nil, fmt.Errorf("processes %q: the parent has started no worker", started)
		}
	}
}

// reader tries to read everything that its input names, a line each, in every way that there is.
const reader = `package main

import (
	"os"
	"strings"
)

func Solve(in string) string {
	found := ""
	for _, path := range strings.Split(in, "\n") {
		if data, err := os.ReadFile(path); err == nil {
			found += " read " + path + " " + string(data)
		}
		if entries, err := os.ReadDir(path); err == nil {
			found += " listed " + path
			for _, e := range entries {
				found += " " + e.Name()
			}
		}
		if to, err := os.Readlink(path); err == nil {
			found += " followed " + path + " " + to
		}
		if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
			found += " opened " + path
			f.Close()
		}
		if f, err := os.OpenFile(path+"/made", os.O_CREATE|os.O_WRONLY, 0600); err == nil {
			found += " made in " + path
			f.Close()
		}
	}
	for _, e := range os.Environ() {
		found += " environment " + e
	}
	if found != "" {
		return "LEAK" + found
	}
	return "DENIED"
}
`

// TestNothingOfTheMachineCanBeRead holds that neither the machine nor the learner's own work is open to a probe that has
// every package.
func TestNothingOfTheMachineCanBeRead(t *testing.T) {
	for _, level := range []struct {
		name    string
		without []string
	}{
		{"with namespaces", nil},
		{"without namespaces", []string{"namespaces"}},
	} {
		t.Run(level.name, func(t *testing.T) {
			g := mustGrounds(t)
			p := mustPipeline(t, sandbox.Options{Without: level.without, TempDir: openFolder(t)})
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			paths := []string{"/", "/etc", "/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/tmp", "/dev", "/dev/shm", "/proc", "/sys", self}
			for _, id := range []string{"self", "1", fmt.Sprint(os.Getpid()), fmt.Sprint(os.Getppid())} {
				files := []string{"environ", "cmdline", "mem", "maps", "fd"}
				if id != "self" { // in the machine's file tree, a process can follow its own links
					files = append(files, "fd/0", "cwd", "exe", "root")
				}
				for _, file := range files {
					paths = append(paths, "/proc/"+id+"/"+file)
				}
			}
			for _, name := range []string{"", "/workspace", "/workspace/.fieldbook", "/workspace/.fieldbook/state", "/workspace/attempts/first.go",
				"/workspace/handoffs", "/workspace/handoffs/a.handoff", "/workspace/predictions/restore", "/config/fieldbook/ed25519.key",
				"/holdout/expect.json", "/pub/victim", "/src/secretpkg/secretpkg.go"} {
				paths = append(paths, g.folder+name)
			}
			b := bare{Source: reader, Input: strings.Join(paths, "\n")}
			for _, profile := range []sandbox.Profile{sandbox.Pure, sandbox.Scratch} {
				r, err := p.pool.Run(t.Context(), sandbox.Job{Role: fullRole, Request: b.encode(), Profile: profile})
				if err != nil {
					t.Fatal(err)
				}
				r.Artifacts.Close()
				if r.Outcome != grader.Observed || string(r.Reply) != "DENIED" {
					t.Errorf("profile %s: %s (%s), %s", profile, r.Outcome, r.Cause, r.Reply)
				}
			}
			if err := g.touched(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLevelIsRecorded holds that a run says what kept it in, and that nothing is checked or run below the level that is
// asked for.
func TestLevelIsRecorded(t *testing.T) {
	for _, test := range []struct {
		without []string
		level   string
	}{
		{nil, sandbox.Strong},
		{[]string{"namespaces"}, sandbox.Standard},
		{[]string{"namespaces", "landlock"}, sandbox.Weak},
		{[]string{"seccomp"}, sandbox.Weak},
	} {
		t.Run(fmt.Sprintf("without %s", test.without), func(t *testing.T) {
			p, err := newPipeline(sandbox.Options{Without: test.without, TempDir: openFolder(t)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.pool.Close)
			level, layers, err := p.pool.Probe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if level != test.level {
				t.Skipf("SKIPPED LOUDLY: this machine's sandbox is %s where %s is expected: %s", level, test.level, sandbox.Notice(level, layers))
			}
			s := p.shipped(t, harmless(0), "x", grader.Limits{})
			if s.outcome != grader.Observed || s.level != test.level || len(s.layers) < 5 {
				t.Errorf("%s (%s) at level %q with the layers %q, want %q", s.outcome, s.cause, s.level, s.layers, test.level)
			}
			for _, layer := range test.without {
				if slices.Contains(s.layers, layer) {
					t.Errorf("%s is recorded as on", layer)
				}
			}
			strict, err := newPipeline(sandbox.Options{Without: test.without, Require: sandbox.Strong, TempDir: openFolder(t)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(strict.pool.Close)
			_, _, err = strict.checker.Prepare(t.Context(), solveProgram(harmless(1)))
			var refused *grader.Error
			if below := test.level != sandbox.Strong; below != (errors.As(err, &refused) && refused.Code == "sandbox_level") || !below && err != nil {
				t.Errorf("with strong required: %v", err)
			}
		})
	}
}

// solveProgram is a learner's file with a function Solve, called as a direct exercise does.
func solveProgram(text string) engine.Program {
	return engine.Program{
		Sources: []engine.Source{{
			Path: "main.go", Text: []byte(text + "\nfunc main() {}\n"), Learner: true,
			Functions: []engine.FunctionSpec{{Name: "Solve", Signature: "func(in string) string"}},
		}},
		Entry: engine.Entry{Package: "main", Function: "Solve"},
		Rules: engine.Rules{Main: true, RefuseInit: true},
	}
}
