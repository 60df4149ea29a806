package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
)

// TestMain makes the test binary the program itself: its own workers, and `fieldbook` in the scripts.
func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		probe.Serve()
	}
	testscript.Main(m, map[string]func(){"fieldbook": main})
}

// TestScripts runs testdata/script: each command of the program on good and on bad input, as a shell would.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		Setup:               setUpScript,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"json": checkJSON, "flip": flipByte, "bytes": writeBytes, "exits": expectExit, "waitfor": waitFor,
		},
	})
}

// setUpScript gives a script its own user folders and the files that it may need: the reference, the starter, a first
// idea that restores and loses the pause, and a run that is right, one that asks its policy too late, and one that has its
// effect before its state is saved.
func setUpScript(env *testscript.Env) error {
	for name, folder := range map[string]string{"XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache"} {
		env.Setenv(name, filepath.Join(env.WorkDir, folder))
	}
	if err := shareBuilds(env); err != nil {
		return err
	}
	for from, to := range map[string]string{
		"../../runtime/assistant/restore.go":                    "reference.go",
		"../../runtime/assistant/manifest.go":                   "manifest.go",
		"../../exercises/restore/starter.go":                    "starter.go",
		"testdata/naive.go":                                     "naive.go",
		"../../runtime/recovery/run.go":                         "run.go",
		"../../exercises/recovery-run/fault_policy_too_late.go": "late.go",
		"../../exercises/recovery-run/fault_no_save_before.go":  "unsaved.go",
	} {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(env.WorkDir, to), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// goCaches are the module and build caches of the developer's toolchain; none where there is no toolchain.
var goCaches = sync.OnceValue(func() []string {
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
})

// shareBuilds gives a script the developer's caches: compiling SQLite for it alone would take most of a minute.
func shareBuilds(env *testscript.Env) error {
	caches := goCaches()
	if len(caches) != 2 {
		return nil
	}
	env.Setenv("GOMODCACHE", caches[0])
	folder := filepath.Join(env.WorkDir, "cache", "fieldbook", "toolchain")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return os.Symlink(caches[1], filepath.Join(folder, "build"))
}

// checkJSON is `json PATH VALUE`: the last command printed one JSON object, and what PATH leads to reads as VALUE. Steps
// of the path are joined by dots; in a list a number is an index, name=restore the first
// element whose name is restore, and len the length. Without VALUE, something is there.
func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("use: json PATH [VALUE]")
	}
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	decoder.UseNumber()
	var object any
	if err := decoder.Decode(&object); err != nil {
		ts.Fatalf("stdout is no JSON: %v", err)
	}
	if decoder.More() {
		ts.Fatalf("stdout is more than one JSON value")
	}
	found, ok := follow(object, strings.Split(args[0], "."))
	if len(args) == 1 {
		if ok == neg {
			ts.Fatalf("%s: there: %t", args[0], ok)
		}
		return
	}
	if text := fmt.Sprint(found); (ok && text == args[1]) == neg {
		ts.Fatalf("%s is %q (there: %t), and %q was asked for", args[0], text, ok, args[1])
	}
}

func follow(v any, path []string) (any, bool) {
	for _, step := range path {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[step]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			if step == "len" {
				return len(at), true
			}
			i, ok := element(at, step)
			if !ok {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, v != nil
}

// element finds the element of a list that a step of a path means.
func element(list []any, step string) (i int, ok bool) {
	key, value, named := strings.Cut(step, "=")
	if !named {
		i, err := strconv.Atoi(step)
		return i, err == nil && i < len(list)
	}
	for i, e := range list {
		if object, _ := e.(map[string]any); object != nil && fmt.Sprint(object[key]) == value {
			return i, true
		}
	}
	return 0, false
}

// flipByte is `flip FILE OFFSET`: one bit of one byte is turned over.
func flipByte(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	offset, err := strconv.Atoi(args[1])
	ts.Check(err)
	data, err := os.ReadFile(path)
	ts.Check(err)
	data[offset] ^= 1
	ts.Check(os.WriteFile(path, data, 0o644))
}

// writeBytes is `bytes FILE TEXT [TIMES]`: a Go string literal, repeated, is written as it is.
func writeBytes(ts *testscript.TestScript, _ bool, args []string) {
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	if len(args) == 3 {
		times, err := strconv.Atoi(args[2])
		ts.Check(err)
		text = strings.Repeat(text, times)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// stackTrace is how the Go runtime begins to show a stack.
var stackTrace = regexp.MustCompile(`goroutine \d+ \[|\.go:\d+ \+0x`)

// expectExit is `exits CODE COMMAND…`: the command ends with exactly this code, says no word of a stack, and its output is
// the script's stdout and stderr.
func expectExit(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	for _, stream := range []string{"stdout", "stderr"} {
		if text := ts.ReadFile(stream); stackTrace.MatchString(text) {
			ts.Fatalf("%s shows a stack:\n%s", stream, text)
		}
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s\n%s%s", code, args[0], ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// waitFor is `waitfor FILE`: it goes on when the file is there.
func waitFor(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
	ts.Fatalf("%s is not there after a minute", args[0])
}
