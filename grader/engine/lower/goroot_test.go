package lower_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"

	"fieldbook/grader/engine/lower"
)

var gorootTests = flag.Bool("goroot", false, "run the Go distribution's own test programs")

// TestGoroot runs the programs under GOROOT/test that say "// run" through lowering: they print nothing, or what their
// .out file holds, and panic when something is wrong.
func TestGoroot(t *testing.T) {
	if !*gorootTests {
		t.Skip("SKIPPED LOUDLY: needs -goroot and a Go distribution with its test folder")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("SKIPPED LOUDLY: no Go toolchain here")
	}
	var files []string
	for _, pattern := range []string{"*.go", "*/*.go"} {
		list, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "test", pattern))
		files = append(files, list...)
	}
	var mu sync.Mutex
	verdicts := map[string]verdict{}
	slots := make(chan bool, 3)
	var group sync.WaitGroup
	for _, file := range files {
		if *only != "" && !strings.Contains(file, *only) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(text), "// run\n") {
			continue
		}
		if outside(string(text)) {
			continue
		}
		if _, err := checkPackage("main", file, text); err != nil {
			continue
		}
		want, _ := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
		slots <- true
		group.Go(func() {
			defer func() { <-slots }()
			v := judge(t, file, text, want)
			mu.Lock()
			verdicts[file] = v
			mu.Unlock()
		})
	}
	group.Wait()
	var names []string
	counts := map[string]int{}
	for name, v := range verdicts {
		names = append(names, name)
		counts[v.outcome]++
	}
	sort.Strings(names)
	for _, name := range names {
		if v := verdicts[name]; v.outcome != "right" {
			t.Logf("%-11s %s: %s", v.outcome, name, v.detail)
		}
	}
	t.Logf("right %d, unsupported %d, WRONG %d", counts["right"], counts["unsupported"], counts["WRONG"])
}

// outside reports whether a program tests what learners are not offered.
func outside(text string) bool {
	for _, path := range []string{"os", "os/exec", "syscall", "unsafe", "reflect", "runtime", "runtime/debug", "runtime/metrics", "io/ioutil", "testing"} {
		if strings.Contains(text, "\""+path+"\"\n") || strings.Contains(text, "\""+path+"\";") {
			return true
		}
	}
	return false
}

// TestGorootLowers lowers every program of the Go distribution's tests that type-checks: none may fail.
func TestGorootLowers(t *testing.T) {
	if !*gorootTests {
		t.Skip("SKIPPED LOUDLY: needs -goroot and a Go distribution with its test folder")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("SKIPPED LOUDLY: no Go toolchain here")
	}
	var files []string
	for _, pattern := range []string{"*.go", "*/*.go"} {
		list, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "test", pattern))
		files = append(files, list...)
	}
	lowered := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || outside(string(text)) || *only != "" && !strings.Contains(file, *only) {
			continue
		}
		p, err := checkPackage("main", file, text)
		if err != nil {
			continue
		}
		if _, _, err := lower.Program([]*lower.Package{p}, lower.Options{}); err != nil {
			t.Errorf("%v", err)
		}
		lowered++
	}
	t.Logf("lowered %d", lowered)
}
