package toolchain

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// bounds are what one run of the go command may use. Zero is no bound, but for wall. The other three hold for each process
// and on Linux alone; elsewhere time and the output are what is bounded.
type bounds struct {
	wall   time.Duration
	cpu    time.Duration
	memory int64 // address space in bytes
	file   int64 // size of any file that is written, in bytes
}

// errTooLong is the cause of a build that was given up.
var errTooLong = errors.New("it took too long")

// run runs the go command in the source and returns the beginning of what it printed.
func (t *Toolchain) run(ctx context.Context, p place, b bounds, work string, args ...string) (output []byte, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, b.wall, errTooLong)
	defer cancel()
	printed := &capped{room: maxOutput}
	command := exec.CommandContext(ctx, p.command, args...)
	command.Dir, command.Env = p.source, t.environment(p, work)
	command.Stdout, command.Stderr = printed, printed
	command.WaitDelay = time.Second
	own(command)
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start the go command: %w", err)
	}
	// Before it starts a process of its own, which takes it milliseconds: limits are inherited.
	limited := limit(command.Process, b)
	if err = command.Wait(); err != nil {
		_ = endGroup(command) // in most cases nothing is left to end
	}
	switch {
	case errors.Is(context.Cause(ctx), errTooLong):
		err = fmt.Errorf("%w: more than %v", errTooLong, b.wall)
	case ctx.Err() != nil:
		err = ctx.Err()
	case err == nil && limited != nil:
		err = fmt.Errorf("limit the go command: %w", limited)
	}
	return printed.bytes(), err
}

// environment is all that the go command gets: where things lie, and that it stays offline, in pure Go, with the toolchain
// that it is.
func (t *Toolchain) environment(p place, work string) []string {
	cache := t.config.BuildCache
	if cache == "" {
		cache = filepath.Join(t.config.Cache, "build")
	}
	environment := []string{
		"GOCACHE=" + cache,
		"GOMODCACHE=" + p.modules,
		"GOPATH=" + filepath.Join(t.config.Cache, "path"),
		"GOTMPDIR=" + work, "TMPDIR=" + work, "TMP=" + work, "TEMP=" + work,
		"GOENV=off", "GOFLAGS=-buildvcs=false", "GOWORK=off", "GO111MODULE=on", "GOTOOLCHAIN=local",
		"GOPROXY=off", "GOSUMDB=off", "GOVCS=*:off", "GOAUTH=off",
		"CGO_ENABLED=0",
		"GOMAXPROCS=2", // a build is a guest on a student's machine
	}
	if root := t.config.Getenv("SystemRoot"); root != "" { // without it no program starts on Windows
		environment = append(environment, "SystemRoot="+root)
	}
	return environment
}

// capped keeps the first bytes that are written to it.
type capped struct {
	mu   sync.Mutex
	room int
	kept []byte
}

func (c *capped) Write(data []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(len(data), c.room-len(c.kept))
	c.kept = append(c.kept, data[:n]...)
	return len(data), nil
}

func (c *capped) bytes() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept
}
