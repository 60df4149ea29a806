package toolchain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine/offered"
	teaching "fieldbook/runtime"
)

// SourceVariable is the environment variable that names the source of this edition.
const SourceVariable = "FIELDBOOK_SOURCE"

// place is what a build needs of the machine.
type place struct {
	command string // go
	version string // "go1.26.8"
	modules string // the module cache, which is only read
	source  string // the module's root
	digest  string // of everything that programs are linked with, toolchain and system
}

// key identifies a binary: the program with everything that it is linked with.
func (p place) key(program string) string {
	sum := sha256.Sum256([]byte(p.digest + program))
	return hex.EncodeToString(sum[:])
}

func find(ctx context.Context, c Config) (place, error) {
	var p place
	var err error
	if c.Cache == "" {
		return p, missing("there is no cache folder to build in", "Set XDG_CACHE_HOME or HOME.")
	}
	if p.source, err = findSource(c); err != nil {
		return p, err
	}
	if p.command, err = findCommand(c); err != nil {
		return p, err
	}
	if err := p.ask(ctx); err != nil {
		return p, err
	}
	needed, err := languageOf(p.source)
	if err != nil {
		return p, err
	}
	if !version.IsValid(p.version) || version.Compare(p.version, needed) < 0 {
		return p, missing(fmt.Sprintf("the Go toolchain %s is %s; %s or newer is needed", p.command, p.version, needed), "Install a newer one.")
	}
	p.digest, err = p.identity()
	return p, err
}

func missing(message, hint string) error {
	return &grader.Error{Code: CodeMissing, Message: message, Hint: hint, Exit: grader.ExitUsage}
}

// findCommand looks for the go command in GOROOT, then along PATH.
func findCommand(c Config) (string, error) {
	name := "go"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	var folders []string
	if root := c.Getenv("GOROOT"); root != "" {
		folders = append(folders, filepath.Join(root, "bin"))
	}
	for _, folder := range append(folders, filepath.SplitList(c.Getenv("PATH"))...) {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && filepath.IsAbs(path) {
			return path, nil
		}
	}
	return "", missing("the Go toolchain is not installed: there is no go command in GOROOT or PATH", "Install Go from https://go.dev/dl.")
}

// findSource looks for the module's root: where the environment says, where this program was compiled, and around the
// working directory. A student's workspace has the same module path and is not it.
func findSource(c Config) (string, error) {
	if named := c.Getenv(SourceVariable); named != "" {
		if root, ok := isSource(named); ok {
			return root, nil
		}
		return "", missing(fmt.Sprintf("%s is %s, which does not hold Fieldbook's source", SourceVariable, named), "Set it to a checkout of this edition.")
	}
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) { // a trimmed path is relative
		if root, ok := isSource(filepath.Join(filepath.Dir(file), "..", "..", "..")); ok {
			return root, nil
		}
	}
	for folder := c.Folder; filepath.IsAbs(folder); folder = filepath.Dir(folder) {
		if root, ok := isSource(folder); ok {
			return root, nil
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	return "", missing("the source of Fieldbook is not here, and the Go toolchain builds with it",
		"Set "+SourceVariable+" to a checkout of this edition.")
}

// linkedFolders are the folders of the source that programs are linked with, besides the runtime.
func linkedFolders() []string { return []string{"grader/probe/worker", "grader/sandbox"} }

func isSource(folder string) (root string, ok bool) {
	root, err := filepath.Abs(folder)
	if err != nil {
		return "", false
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !strings.HasPrefix(strings.TrimSpace(string(text)), "module "+offered.Module+"\n") {
		return "", false
	}
	for _, needed := range linkedFolders() {
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(needed))); err != nil || !info.IsDir() {
			return "", false
		}
	}
	return root, true
}

// languageOf is the Go version that the module's go.mod asks for, "go1.26.7".
func languageOf(source string) (string, error) {
	text, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("read the source's go.mod: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if number, ok := strings.CutPrefix(line, "go "); ok {
			return "go" + strings.TrimSpace(number), nil
		}
	}
	return "", fmt.Errorf("the go.mod of %s names no Go version", source)
}

// askLimit bounds a question to the go command. It answers in milliseconds.
const askLimit = 30 * time.Second

// ask lets the go command say its version, where it lies itself and, from the user's own settings, where modules do.
func (p *place) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	command := exec.CommandContext(ctx, p.command, "env", "-json", "GOVERSION", "GOMODCACHE", "GOROOT")
	command.Dir = p.source
	command.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOFLAGS=", "GOWORK=off")
	out, err := command.Output()
	var answer struct{ GOVERSION, GOMODCACHE, GOROOT string }
	if err == nil {
		err = json.Unmarshal(out, &answer)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return &grader.Error{Code: CodeMissing, Message: p.command + " does not work", Exit: grader.ExitUsage, Cause: words(err),
			Hint: "Run `go version` by hand and see what it says."}
	}
	// A version may be followed by experiments: "go1.26.8 X:nodwarf5".
	p.version, _, _ = strings.Cut(answer.GOVERSION, " ")
	p.modules = answer.GOMODCACHE
	// What is on PATH may be a script that chooses a toolchain by the user's environment, which builds do not get.
	own := filepath.Join(answer.GOROOT, "bin", filepath.Base(p.command))
	if info, err := os.Stat(own); answer.GOROOT != "" && err == nil && info.Mode().IsRegular() {
		p.command = own
	}
	return nil
}

// words adds what a command wrote to its standard error.
func words(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return err
}

// identity is the digest of everything that decides what a program becomes, the program apart.
func (p place) identity() (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s/%s\n%s\n", p.version, runtime.GOOS, runtime.GOARCH, teaching.Digest())
	files := []string{"go.mod", "go.sum"}
	for _, folder := range linkedFolders() {
		err := filepath.WalkDir(filepath.Join(p.source, filepath.FromSlash(folder)), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				path, err = filepath.Rel(p.source, path)
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return "", fmt.Errorf("read the source: %w", err)
		}
	}
	above, err := filepath.Glob(filepath.Join(p.source, "grader", "*.go"))
	if err != nil {
		return "", fmt.Errorf("read the source: %w", err)
	}
	for _, path := range above {
		files = append(files, filepath.Join("grader", filepath.Base(path)))
	}
	for _, file := range files {
		f, err := os.Open(filepath.Join(p.source, file))
		if err != nil {
			return "", fmt.Errorf("read the source: %w", err)
		}
		size, err := io.Copy(sum, f)
		f.Close()
		if err != nil {
			return "", fmt.Errorf("read the source: %w", err)
		}
		fmt.Fprintf(sum, "\n%s %d\n", filepath.ToSlash(file), size)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
