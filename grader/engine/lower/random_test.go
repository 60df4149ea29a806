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
	var text strings.Builder
	text.WriteString(prelude)
	var parts []string
	for i := range n {
		parts = append(parts, program(seed, i))
		text.WriteString(parts[i])
	}
	text.WriteString("func main() {\n\t_ = os.Args\n")
	for i := range n {
		fmt.Fprintf(&text, "\tfmt.Println(\"== %d\")\n\tglobal, globals = 0, nil\n\tguard(\"program\", program%d)\n", i, i)
	}
	text.WriteString("}\n")
	source := []byte(text.String())
	dir := t.TempDir()
	if *keepDir != "" {
		dir = *keepDir
	}
	file := filepath.Join(dir, fmt.Sprintf("random%d.go", seed))
	if err := os.WriteFile(file, source, 0o644); err != nil {
		t.Fatal(err)
	}
	native := buildAndRun(t, dir, file)
	stdout, stderr, refusals, err := run(t, filepath.Join("lowered", filepath.Base(file)), source)
	if len(refusals) > 0 {
		t.Fatalf("seed %d: refused: %v", seed, refusals[0])
	}
	if err != nil {
		t.Errorf("seed %d: %v\n%.2000s", seed, err, stderr)
	}
	want, got := strings.Split(native, "== "), strings.Split(stdout, "== ")
	for i := 1; i < len(want); i++ {
		if i >= len(got) {
			t.Errorf("seed %d: program %d is missing", seed, i-1)
			return
		}
		if got[i] != want[i] {
			t.Errorf("seed %d program %d: %s\n%s", seed, i-1, difference(got[i], want[i]), parts[i-1])
			return
		}
	}
}

func buildAndRun(t *testing.T, dir, file string) string {
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
