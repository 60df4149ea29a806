package pack

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"fieldbook/grader"
)

// Target is a system that a program is built for.
type Target struct{ OS, Arch string }

// Targets are those that a course ships for.
func Targets() []Target {
	return []Target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"windows", "amd64"}}
}

// ParseTarget reads "linux/amd64".
func ParseTarget(text string) (Target, error) {
	system, arch, ok := strings.Cut(text, "/")
	if !ok || system == "" || arch == "" || strings.ContainsAny(arch, "/ ") {
		return Target{}, &grader.Error{Code: "usage", Exit: grader.ExitUsage, Message: fmt.Sprintf("%q is no target", text), Hint: "Write linux/amd64, darwin/arm64, …; go tool dist list prints all of them."}
	}
	return Target{system, arch}, nil
}

// Name is the name of the program's file.
func (t Target) Name() string {
	name := fmt.Sprintf("fieldbook-%s-%s", t.OS, t.Arch)
	if t.OS == "windows" {
		name += ".exe"
	}
	return name
}

// LayOut writes files below a folder.
func LayOut(folder string, files []File) error {
	for _, f := range files {
		at := filepath.Join(folder, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return fmt.Errorf("lay out the bundle: %w", err)
		}
		if err := os.WriteFile(at, f.Data, 0o644); err != nil {
			return fmt.Errorf("lay out the bundle: %w", err)
		}
	}
	return nil
}

// Build builds the student's program for a target from a bundle that was laid out in folder, and returns its bytes. Nothing
// of the machine is in them: neither paths, nor times, nor the state of a repository.
func Build(ctx context.Context, folder string, t Target) ([]byte, error) {
	work, err := os.MkdirTemp("", "fieldbook-pack-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the program: %w", err)
	}
	defer os.RemoveAll(work)
	out := filepath.Join(work, t.Name())
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", out, "./cmd/fieldbook")
	command.Dir = folder
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.OS, "GOARCH="+t.Arch, "GOFLAGS=-mod=readonly",
		"GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=off", "GO111MODULE=on", "GOEXPERIMENT=")
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &grader.Error{
			Code: "pack_build", Exit: grader.ExitVoid, Message: fmt.Sprintf("the student's program does not build for %s/%s", t.OS, t.Arch),
			Hint: "The go command says: " + head(said.String()), Cause: err,
		}
	}
	return os.ReadFile(out)
}

// head is the beginning of what a command said, on one line.
func head(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		return text[:most] + " …"
	}
	return text
}
