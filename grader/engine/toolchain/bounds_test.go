package toolchain

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine"
)

// TestTheGoCommandIsBounded holds each bound by a build that it ends. What ends so is never a *CompileError.
func TestTheGoCommandIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED LOUDLY: nothing is built natively with -short")
	}
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
	if err != nil {
		t.Skip("SKIPPED LOUDLY: no Go toolchain, so nothing can be built natively")
	}
	tc := New(Config{Getenv: os.Getenv, Cache: t.TempDir(), BuildCache: strings.TrimSpace(string(out))})
	p, err := tc.place(t.Context())
	if err != nil {
		t.Skipf("SKIPPED LOUDLY: %v", err)
	}
	c := &engine.Copy{Package: "main", Function: "learnerMain", Files: []engine.CopyFile{
		{Path: "main.go", Text: []byte("package main\n\nfunc learnerMain() { println(" + time.Now().Format("20060102150405.000000000") + ") }\n")},
	}}
	for _, test := range []struct {
		name   string
		limits bounds
		linux  bool
		want   string
	}{
		{"none reached", bounds{wall: time.Minute, cpu: time.Minute, memory: maxBuildMemory, file: maxBinary}, false, ""},
		{"time", bounds{wall: time.Millisecond}, false, "it took too long"},
		{"memory", bounds{wall: time.Minute, memory: 256 << 20}, true, "exit status"},
		{"size of a file", bounds{wall: time.Minute, file: 64 << 10}, true, "exit status"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.linux && runtime.GOOS != "linux" {
				t.Skip("SKIPPED LOUDLY: this system limits a process from inside only")
			}
			work, err := tc.work()
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(work)
			overlay, err := layOut(work, p.source, c)
			if err != nil {
				t.Fatal(err)
			}
			binary := filepath.Join(work, "program")
			output, err := tc.run(t.Context(), p, test.limits, work, "build", "-overlay", overlay, "-o", binary, "./"+folder)
			if test.want == "" {
				if err != nil {
					t.Fatalf("%v: %s", err, output)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || compileError(output, c) != nil {
				t.Errorf("got %v: %s", err, output)
			}
			if known := grader.AsError(failure("build", output, err)); known.Exit != grader.ExitVoid || known.Hint == "" {
				t.Errorf("got %+v", known)
			}
		})
	}
}

// TestTheGoCommandGetsNothingOfTheUsers holds what is in its environment.
func TestTheGoCommandGetsNothingOfTheUsers(t *testing.T) {
	tc := New(Config{Getenv: func(string) string { return "" }, Cache: "/cache"})
	environment := tc.environment(place{modules: "/modules"}, "/work")
	for _, want := range []string{"CGO_ENABLED=0", "GOPROXY=off", "GOTOOLCHAIN=local", "GOENV=off", "GOCACHE=" + filepath.Join("/cache", "build"), "GOMODCACHE=/modules"} {
		if !slices.Contains(environment, want) {
			t.Errorf("%s is missing in %v", want, environment)
		}
	}
	for _, entry := range environment {
		if strings.HasPrefix(entry, "HOME=") || strings.HasPrefix(entry, "PATH=") {
			t.Errorf("the go command gets %s", entry)
		}
	}
}

func TestCapped(t *testing.T) {
	c := &capped{room: 5}
	for _, text := range []string{"exa", "ctly", " enough"} {
		if n, err := c.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
	if got := string(c.bytes()); got != "exact" {
		t.Errorf("got %q", got)
	}
}

// TestPruneRemovesWhatWasNotUsedForLongest holds that the cache stays bounded, and that what is about to run stays.
func TestPruneRemovesWhatWasNotUsedForLongest(t *testing.T) {
	tc := New(Config{Cache: t.TempDir()})
	if err := os.MkdirAll(tc.binaries(), 0o700); err != nil {
		t.Fatal(err)
	}
	const small, large = maxKept / 8, maxKept * 3 / 4 // a large one and two small ones are exactly enough
	for name, age := range map[string]time.Duration{"oldest": time.Hour, "older": 30 * time.Minute, "running": 0} {
		path := filepath.Join(tc.binaries(), name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Truncate(small), f.Close()); err != nil { // sparse
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	left := func() string {
		entries, err := os.ReadDir(tc.binaries())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return strings.Join(names, " ")
	}
	if err := tc.prune("running"); err != nil {
		t.Fatal(err)
	}
	if got := left(); got != "older oldest running" {
		t.Fatalf("with room for all: %s", got)
	}
	work, err := tc.work()
	if err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(work, "program")
	f, err := os.Create(fresh)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(large), f.Close()); err != nil {
		t.Fatal(err)
	}
	path, err := tc.keep("new", fresh)
	if err != nil {
		t.Fatal(err)
	}
	if got := left(); got != "new older running" {
		t.Errorf("with one too many: %s", got)
	}
	for key, want := range map[string]string{"new": path, "oldest": ""} {
		if got, err := tc.kept(key); err != nil || got != want {
			t.Errorf("%s: %q, %v", key, got, err)
		}
	}
}

func FuzzDiagnostic(f *testing.F) {
	file := engine.CopyFile{Path: "runtime/assistant/restore.go", Text: []byte("package assistant\n\nvar x = y\n")}
	f.Add("../tmp/work-1/module/runtime/assistant/restore.go:3:9: undefined: y")
	f.Fuzz(func(t *testing.T, line string) {
		if d, ok := diagnostic(line, file); ok && (d.File != file.Path || !strings.Contains(line, "restore.go:")) {
			t.Errorf("got %+v", d)
		}
	})
}

// TestAScriptThatChoosesAToolchainIsPassedBy holds that builds, which get nothing of the user's environment, are made by the
// toolchain that such a script has chosen.
func TestAScriptThatChoosesAToolchainIsPassedBy(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED LOUDLY: the stand-in for go is a shell script")
	}
	script, root := t.TempDir(), t.TempDir()
	own := filepath.Join(root, "bin", "go")
	answer := `{"GOVERSION": "go1.999.0", "GOMODCACHE": "/modules", "GOROOT": "` + root + `"}`
	if err := errors.Join(
		os.Mkdir(filepath.Dir(own), 0o700),
		os.WriteFile(own, nil, 0o700),
		os.WriteFile(filepath.Join(script, "go"), []byte("#!/bin/sh\necho '"+answer+"'\n"), 0o700),
	); err != nil {
		t.Fatal(err)
	}
	tc := New(Config{Cache: t.TempDir(), Getenv: func(name string) string { return map[string]string{"PATH": script}[name] }})
	p, err := tc.place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if p.command != own || p.version != "go1.999.0" || p.modules != "/modules" || tc.Version() != p.version {
		t.Errorf("got %+v", p)
	}
}

// TestModulesThatAreMissingAreSaid holds that builds stay offline, and that what to do about it is said.
func TestModulesThatAreMissingAreSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED LOUDLY: nothing is built natively with -short")
	}
	tc := New(Config{Getenv: os.Getenv, Cache: t.TempDir()})
	p, err := tc.place(t.Context())
	if err != nil {
		t.Skipf("SKIPPED LOUDLY: %v", err)
	}
	tc.found.modules = t.TempDir()
	err = tc.Warm(t.Context())
	if known := grader.AsError(err); err == nil || known.Code != CodeMissing || !strings.Contains(known.Message, tc.found.modules) || !strings.Contains(known.Hint, p.source) {
		t.Errorf("got %v", err)
	}
}
