//go:build linux

package enter_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/sandbox"
)

// The program of these tests, as the toolchain engine would lay it out: main serves, the learner's package has a hostile
// initialiser, and one file more imports enter. The packages are in an overlay, not on disk. Their path sorts before
// enter's: without the import, Go would initialise the learner's package first.
const (
	mainSource = `package main

import (
	"os"

	"fieldbook/aanative/learner"
	"fieldbook/grader/sandbox"
)

func main() {
	if sandbox.IsWorker(os.Args) {
		sandbox.Serve(func() sandbox.Function {
			return func(s sandbox.Session) ([]byte, error) { return []byte(learner.Saw + "; then " + string(s.Request)), nil }
		})
	}
}
`
	learnerSource = `package learner

import (
	"os"
	"path/filepath"
	"syscall"
)

// Saw is computed before main, and before this package's own init functions.
var Saw = initialise()

// initialise does what the program's name says.
func initialise() string {
	switch filepath.Base(os.Args[0]) {
	case "read":
		data, err := os.ReadFile("@CANARY@")
		if err != nil {
			return "held"
		}
		return "LEAK " + string(data)
	case "environment":
		if len(os.Environ()) == 0 {
			return "held"
		}
		return "LEAK"
	case "loop":
		for {
		}
	case "exit":
		os.Exit(0)
	case "fork":
		syscall.RawSyscall(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0)
	case "panic":
		panic("in an initialiser")
	case "wait":
		select {}
	case "ready":
		for fd := 3; fd < 1000; fd++ {
			syscall.Write(fd, []byte{0, 0, 0, 1, 'R', 0, 0, 0, 1, 'R'})
		}
	case "allocate":
		var kept [][]byte
		for {
			block := make([]byte, 1<<20)
			for i := 0; i < len(block); i += 4096 {
				block[i] = 1
			}
			kept = append(kept, block)
		}
	}
	return "nothing to do"
}
`
	enterSource = `package learner

import _ "fieldbook/grader/sandbox/enter"
`
)

// build links the program under the first name and returns its path; other names are links to it.
func build(t *testing.T, dir, canary string, entering bool) string {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("SKIPPED LOUDLY: no Go toolchain, so nothing can be built natively")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{
		"aanative/main.go":            mainSource,
		"aanative/learner/learner.go": strings.ReplaceAll(learnerSource, "@CANARY@", canary),
	}
	if entering {
		sources["aanative/learner/enter.go"] = enterSource
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, source := range sources {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(root, filepath.FromSlash(name))] = file
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, data, 0o644); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "program")
	command := exec.CommandContext(t.Context(), tool, "build", "-overlay", list, "-o", binary, "./aanative")
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOTOOLCHAIN=local", "GOPROXY=off")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	return binary
}

// runAs runs the binary under a name, which its initialiser obeys.
func runAs(t *testing.T, binary, name string) sandbox.Result {
	t.Helper()
	command := filepath.Join(filepath.Dir(binary), name)
	if err := os.Link(binary, command); err != nil {
		t.Fatal(err)
	}
	p, err := sandbox.NewPool(sandbox.Options{Command: command, Native: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	limits := grader.Limits{}
	if name == "loop" {
		limits = grader.Limits{Wall: 400 * time.Millisecond, CPU: 300 * time.Millisecond}
	}
	r, err := p.Run(t.Context(), sandbox.Job{Request: []byte("the request"), Profile: sandbox.Scratch, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	r.Artifacts.Close()
	return r
}

// TestHostileInitialiser holds that the sandbox is entered before the learner's package is initialised, and that what an
// initialiser does ends as the same thing in the function would.
func TestHostileInitialiser(t *testing.T) {
	dir := t.TempDir()
	canary := filepath.Join(dir, "canary")
	if err := os.WriteFile(canary, []byte("canary"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := openTo(dir); err != nil {
		t.Fatal(err)
	}
	binary := build(t, dir, canary, true)
	for _, test := range []struct {
		name  string
		want  []grader.Outcome
		reply string
		cause string
	}{
		{"quiet", []grader.Outcome{grader.Observed}, "nothing to do; then the request", ""},
		{"read", []grader.Outcome{grader.Observed}, "held; then the request", ""},
		{"environment", []grader.Outcome{grader.Observed}, "held; then the request", ""},
		{"loop", []grader.Outcome{grader.CPULimit, grader.Timeout}, "", "limit: 0."},
		{"exit", []grader.Outcome{grader.NoResult}, "", "exit status 0"},
		{"fork", []grader.Outcome{grader.SandboxViolation}, "", "forbids"},
		{"panic", []grader.Outcome{grader.Panic}, "", "panic: in an initialiser"},
		{"wait", []grader.Outcome{grader.NoResult}, "", "deadlocked"},
		{"ready", []grader.Outcome{grader.Tampered}, "", ""},
		{"allocate", []grader.Outcome{grader.MemoryLimit}, "", "memory"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := runAs(t, binary, test.name)
			if !slices.Contains(test.want, r.Outcome) || string(r.Reply) != test.reply || !strings.Contains(r.Cause, test.cause) {
				t.Errorf("got %s (%s), %q; want %s (%s), %q", r.Outcome, r.Cause, r.Reply, test.want, test.cause, test.reply)
			}
		})
	}

	t.Run("without enter", func(t *testing.T) {
		// The same program without the added file reads the canary: that is what the file is for.
		other := filepath.Join(dir, "without")
		if err := os.Mkdir(other, 0o755); err != nil {
			t.Fatal(err)
		}
		r := runAs(t, build(t, other, canary, false), "read")
		if r.Outcome != grader.Observed || !strings.HasPrefix(string(r.Reply), "LEAK canary") {
			t.Errorf("got %s (%s), %q; want the leak that enter prevents", r.Outcome, r.Cause, r.Reply)
		}
	})
}

// openTo lets every user through to a test's temporary folder, so that only the sandbox is in the way.
func openTo(dir string) error {
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	return os.Chmod(dir, 0o755)
}
