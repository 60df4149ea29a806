package lower_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	programs = flag.Int("programs", 40, "how many random programs TestRandomPrograms compares")
	seed     = flag.Uint64("seed", 1, "the seed of the first batch of random programs")
)

// batch is how many random programs one native build holds.
const batch = 100

// TestRandomPrograms compares random programs as the interpreter runs them lowered with what the toolchain builds.
func TestRandomPrograms(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED LOUDLY: no Go toolchain to compare with")
	}
	for done, s := 0, *seed; done < *programs; done, s = done+batch, s+1 {
		compareBatch(t, s, min(batch, *programs-done))
	}
}

func compareBatch(t *testing.T, seed uint64, n int) {
	dir := t.TempDir()
	if *keepDir != "" {
		dir = *keepDir
	}
	var all, main strings.Builder
	all.WriteString(prelude)
	parts := make([]string, n)
	files := make([]string, n)
	for i := range n {
		parts[i] = program(seed, i)
		all.WriteString(parts[i])
		call := fmt.Sprintf("guard(\"program\", program%d)\n", i)
		fmt.Fprintf(&main, "fmt.Println(\"==\", %d)\nglobal, globals, steps = 0, nil, 0\n%s", i, call)
		name := fmt.Sprintf("random%d_%d.go", seed, i)
		text := prelude + parts[i] + "func main() {\n_ = os.Args\n" + call + "}\n"
		file, refusals, err := lowerTo(t, dir, name, []byte(text))
		if err != nil || len(refusals) > 0 {
			t.Fatalf("seed %d program %d: %v %v\n%s", seed, i, err, refusals, parts[i])
		}
		files[i] = file
	}
	native := buildAndRun(t, dir, all.String()+"func main() {\n_ = os.Args\n"+main.String()+"}\n")
	stdout, stderr, err := interpretFiles(t, 3*time.Minute, files...)
	want, got := strings.Split(native, "== "), strings.Split(stdout, "== ")
	for i := 1; i < len(want); i++ {
		if i >= len(got) {
			t.Errorf("seed %d: program %d is missing: %v\n%.2000s", seed, i-1, err, stderr)
			return
		}
		if got[i] != want[i] {
			t.Errorf("seed %d program %d: %s\n%s", seed, i-1, difference(got[i], want[i]), parts[i-1])
			return
		}
	}
}

// buildAndRun is what a program prints when the toolchain builds it.
func buildAndRun(t *testing.T, dir, text string) string {
	file := filepath.Join(dir, "native.go")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	binary := filepath.Join(dir, "native")
	build := exec.CommandContext(ctx, "go", "build", "-gcflags=-N", "-o", binary, file)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building random programs: %v\n%.3000s", err, out)
	}
	var stdout, stderr bytes.Buffer
	run := exec.CommandContext(ctx, binary)
	run.Stdout, run.Stderr = &stdout, &stderr
	if err := run.Run(); err != nil {
		t.Fatalf("random programs: %v\n%.3000s", err, stderr.String())
	}
	return stdout.String()
}
