package toolchain

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine"
)

// Config says where a toolchain looks and what it may write.
type Config struct {
	Getenv func(name string) string // of the user: GOROOT, PATH, FIELDBOOK_SOURCE
	Folder string                   // working directory: a checkout around it is the source when nothing else says one
	Cache  string                   // folder that no other user can write to; made when it is needed. "": there is none
	// BuildCache is the go command's build cache; "" is a folder in Cache. Tests share the developer's own.
	BuildCache string
	// Warming is told, when it is set, before what programs are linked with is compiled for the first time.
	Warming func()
}

// Toolchain builds programs. It is safe for concurrent use; it builds one program at a time.
type Toolchain struct {
	config Config
	slot   chan struct{} // held by the one that builds

	mu     sync.Mutex
	found  *place
	warmed bool
}

// New makes a toolchain. It looks for nothing yet.
func New(c Config) *Toolchain { return &Toolchain{config: c, slot: make(chan struct{}, 1)} }

// Ready looks for the go command and the source. What is missing is a *grader.Error of code CodeMissing, with what to do.
func (t *Toolchain) Ready(ctx context.Context) error {
	_, err := t.place(ctx)
	return err
}

// Source is the folder of the source that programs are built with. Looking for it starts nothing; the error is that of Ready.
func (t *Toolchain) Source() (string, error) { return findSource(t.config) }

// Version names the toolchain that was found, "go1.26.8"; "" before Ready.
func (t *Toolchain) Version() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.found == nil {
		return ""
	}
	return t.found.version
}

// place finds what a build needs, once.
func (t *Toolchain) place(ctx context.Context) (place, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.found == nil {
		p, err := find(ctx, t.config)
		if err != nil {
			return place{}, err
		}
		t.found = &p
	}
	return *t.found, nil
}

// Build builds a program that was prepared as sources, or finds it among those that were built before. A *CompileError
// says that the compiler refuses what our checker accepts. Any other error is the machine's or ours.
func (t *Toolchain) Build(ctx context.Context, prepared *engine.Prepared) (*engine.Prepared, error) {
	p, err := t.place(ctx)
	if err != nil {
		return nil, err
	}
	built := &engine.Prepared{Digest: prepared.Digest, Copy: prepared.Copy, Lines: engine.LineMap{Files: paths(prepared.Copy)}}
	if built.Binary, err = t.kept(p.key(prepared.Digest)); err != nil || built.Binary != "" {
		return built, err
	}
	done, err := t.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if built.Binary, err = t.kept(p.key(prepared.Digest)); err != nil || built.Binary != "" {
		return built, err // another caller has built it meanwhile
	}
	if err := t.warm(ctx, p); err != nil {
		return nil, err
	}
	if built.Binary, err = t.build(ctx, p, prepared); err != nil {
		return nil, err
	}
	return built, nil
}

// Warm compiles everything that programs are linked with, which takes most of a minute the first time.
func (t *Toolchain) Warm(ctx context.Context) error {
	p, err := t.place(ctx)
	if err != nil {
		return err
	}
	done, err := t.begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	t.warmed = false
	return t.warm(ctx, p)
}

// begin waits until nothing else is being built.
func (t *Toolchain) begin(ctx context.Context) (done func(), err error) {
	select {
	case t.slot <- struct{}{}:
		return func() { <-t.slot }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// warm makes sure, once a process, that the build cache holds what programs are linked with. The go command looks for
// itself what is missing: it drops what was not used for days. The caller holds the slot.
func (t *Toolchain) warm(ctx context.Context, p place) error {
	if t.warmed {
		return nil
	}
	work, err := t.work()
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	overlay, err := layOut(work, p.source, nil)
	if err != nil {
		return err
	}
	sign := filepath.Join(t.config.Cache, "warm-"+p.digest[:16])
	if _, err := os.Stat(sign); err != nil && t.config.Warming != nil {
		t.config.Warming()
	}
	output, err := t.run(ctx, p, bounds{wall: maxWarm}, work, append([]string{"build", "-overlay", overlay}, linked()...)...)
	if err != nil {
		if bytes.Contains(output, []byte("disabled by GOPROXY=off")) {
			return missing("the modules that programs are linked with are not in the module cache "+p.modules, "Run `go mod download` in "+p.source+".")
		}
		return failure("compile what programs are linked with", output, err)
	}
	t.warmed = true
	_ = os.WriteFile(sign, nil, 0o600) // without it the next process says again that it compiles
	return nil
}

// build lays a program out, builds it and keeps the binary. The caller holds the slot.
func (t *Toolchain) build(ctx context.Context, p place, prepared *engine.Prepared) (string, error) {
	work, err := t.work()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	overlay, err := layOut(work, p.source, prepared.Copy)
	if err != nil {
		return "", err
	}
	binary := filepath.Join(work, "program")
	limits := bounds{wall: maxBuild, cpu: maxBuildCPU, memory: maxBuildMemory, file: maxBinary}
	output, err := t.run(ctx, p, limits, work, "build", "-overlay", overlay, "-ldflags=-s -w", "-o", binary, "./"+folder)
	if err != nil {
		if refused := compileError(output, prepared.Copy); refused != nil {
			return "", refused
		}
		return "", failure("build the program", output, err)
	}
	return t.keep(p.key(prepared.Digest), binary)
}

// Bounds of the go command. Compiling what programs are linked with is bounded by time alone: it is our own code. A
// learner's program of a few files takes a second.
const (
	maxWarm        = 15 * time.Minute
	maxBuild       = 2 * time.Minute
	maxBuildCPU    = time.Minute // of one process
	maxBuildMemory = 4 << 30     // address space of one process; a Go program reserves more than a gigabyte at its start
	maxBinary      = 128 << 20   // of any file that a build writes
	maxOutput      = 64 << 10    // of what the go command prints
)

// work makes a folder for one build, and removes those that a killed process has left.
func (t *Toolchain) work() (string, error) {
	if err := os.MkdirAll(t.config.Cache, 0o700); err != nil {
		return "", fmt.Errorf("make the toolchain's folder: %w", err)
	}
	const prefix = "work-"
	left, _ := filepath.Glob(filepath.Join(t.config.Cache, prefix+"*")) // the pattern is well formed
	for _, folder := range left {
		if info, err := os.Stat(folder); err == nil && time.Since(info.ModTime()) > maxWarm+time.Hour {
			_ = os.RemoveAll(folder) // it takes space and does no harm
		}
	}
	work, err := os.MkdirTemp(t.config.Cache, prefix)
	if err != nil {
		return "", fmt.Errorf("make a folder for a build: %w", err)
	}
	return work, nil
}

// failure is a build that failed for a reason that is not the program's.
func failure(doing string, output []byte, err error) error {
	return &grader.Error{
		Code:    CodeFailed,
		Message: fmt.Sprintf("the Go toolchain failed to %s: %s", doing, reason(output, err)),
		Hint:    "This is not a fault of your code. Run `fieldbook doctor --warm`: it tries again, and says what is wrong.",
		Exit:    grader.ExitVoid,
		Cause:   fmt.Errorf("%w: %s", err, output),
	}
}

// reason is the first thing that the go command says, or how it ended when it says nothing.
func reason(output []byte, err error) string {
	const most = 200
	for line := range strings.Lines(string(output)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "go: downloading ") {
			return strings.ToValidUTF8(line[:min(len(line), most)], "")
		}
	}
	return err.Error()
}

// Codes of errors.
const (
	CodeMissing = "toolchain_missing" // no go command, or no source
	CodeFailed  = "toolchain_failed"  // the go command failed for a reason that is not the program's
)
