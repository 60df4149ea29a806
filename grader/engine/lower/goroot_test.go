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

// notOurs are the programs of the distribution that do not come out as the toolchain's, each with why that is known.
func notOurs() map[string]string {
	return map[string]string{
		"deferprint.go":           "println goes to the standard error, which is not compared",
		"print.go":                "println goes to the standard error, which is not compared",
		"fixedbugs/issue21808.go": "println goes to the standard error, which is not compared",
		"fixedbugs/issue48898.go": "println goes to the standard error, which is not compared",
		"fixedbugs/bug514.go":     "imports runtime/cgo, which is not offered",
		"fixedbugs/issue42032.go": "imports runtime/cgo, which is not offered",
		"fixedbugs/issue46903.go": "imports runtime/cgo, which is not offered",
		"fixedbugs/issue27718.go": "passes a negative zero; package engine keeps its sign, after lowering",
		"fixedbugs/issue29190.go": "makes a slice without a size of more elements than there is memory for",
		"recover2.go":             "compares the text of a key that cannot be hashed",
	}
}

// distribution are the programs of the Go distribution's test folder, by their paths in it.
func distribution(t *testing.T) (folder string, names []string) {
	t.Helper()
	if !*gorootTests {
		t.Skip("SKIPPED LOUDLY: the Go distribution's own programs are run with the flag -goroot alone, as .ci/run does")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("SKIPPED LOUDLY: no Go toolchain here")
	}
	folder = filepath.Join(strings.TrimSpace(string(root)), "test")
	for _, pattern := range []string{"*.go", "*/*.go"} {
		list, _ := filepath.Glob(filepath.Join(folder, pattern))
		for _, file := range list {
			names = append(names, filepath.ToSlash(strings.TrimPrefix(file, folder+string(filepath.Separator))))
		}
	}
	if len(names) == 0 {
		t.Skipf("SKIPPED LOUDLY: this Go distribution came without its tests in %s", folder)
	}
	return folder, names
}

// TestGoroot runs the programs under GOROOT/test that say "// run" through lowering: they print nothing, or what their
// .out file holds, and panic when something is wrong. One that is too slow for the interpreter tells nothing.
func TestGoroot(t *testing.T) {
	folder, files := distribution(t)
	var mu sync.Mutex
	verdicts := map[string]verdict{}
	slots := make(chan bool, 3)
	var group sync.WaitGroup
	for _, name := range files {
		if *only != "" && !strings.Contains(name, *only) {
			continue
		}
		file := filepath.Join(folder, filepath.FromSlash(name))
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
			verdicts[name] = v
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
		v := verdicts[name]
		switch why, known := notOurs()[name]; {
		case v.outcome != "WRONG" && known && *only == "":
			t.Errorf("%s is %s now; it is listed as one that %s", name, v.outcome, why)
		case v.outcome == "WRONG" && !known && !strings.HasPrefix(v.detail, "hangs"):
			t.Errorf("%s: %s", name, v.detail)
		case v.outcome != "right":
			t.Logf("%-11s %s: %s%s", v.outcome, name, v.detail, why)
		}
	}
	if *only == "" && counts["right"]*100 < len(names)*95 {
		t.Errorf("%d of %d are right, fewer than 95 in a hundred", counts["right"], len(names))
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
	folder, files := distribution(t)
	lowered := 0
	for _, name := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
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
	if *only == "" && lowered < len(files)/4 {
		t.Errorf("only %d of %d programs were lowered", lowered, len(files))
	}
}
