package main

import (
	"context"
	"crypto/ed25519"
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

	"fieldbook/exercises"
	"fieldbook/exercises/holdout"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/task"
	"fieldbook/handoff"
	"fieldbook/handoff/archive"
	submissions "fieldbook/handoff/submission"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// TestMain makes the test binary the program itself: its own workers, and `proctor` in the scripts.
func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		probe.Serve()
	}
	testscript.Main(m, map[string]func(){"proctor": main})
}

// TestScripts runs testdata/script: each command of the program on good and on bad input, as a shell would.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		Setup:               setUpScript,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"json": checkJSON, "flip": flipByte, "bytes": writeBytes, "exits": expectExit, "secret": noHoldouts, "handoff": makeHandoff,
			"archive": makeArchive,
		},
	})
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
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
	folder := filepath.Join(env.WorkDir, "cache", "fieldbook", "toolchain")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return os.Symlink(caches[1], filepath.Join(folder, "build"))
}

// setUpScript gives a script folders of its own and some answers.
func setUpScript(env *testscript.Env) error {
	for name, folder := range map[string]string{"XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "HOME": "home"} {
		env.Setenv(name, filepath.Join(env.WorkDir, folder))
	}
	if err := shareBuilds(env); err != nil {
		return err
	}
	module, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	env.Setenv("MODULE", module)
	held := filepath.Join(module, "exercises", "holdout")
	env.Setenv("HELD", held)
	for to, from := range map[string]string{
		"restore.go":    filepath.Join(held, "restore", "solution", "restore.go"),
		"manifest.go":   filepath.Join(held, "manifest", "solution", "manifest.go"),
		"names-only.go": filepath.Join(held, "manifest", "wrong", "names-only.go"),
		"starter.go":    filepath.Join(module, "exercises", "restore", "starter.go"),
		"execute.go":    filepath.Join(held, "recovery-execute", "solution", "execute.go"),
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

// makeHandoff is `handoff EXERCISE SOURCE FILE KEY`: the handoff of a source that passes, signed with the key whose seed
// begins with that letter.
func makeHandoff(ts *testscript.TestScript, _ bool, args []string) {
	e, err := exercises.Named(args[0])
	ts.Check(err)
	pool, err := sandbox.NewPool(sandbox.Options{})
	ts.Check(err)
	defer pool.Close()
	now := func() time.Time { return time.Date(2026, 3, 3, 8, 0, 0, 0, time.UTC) }
	one, err := task.New(task.Options{Engine: engine.New(teaching.Tree()), Pool: pool, Edition: units.Edition, Now: now}, e)
	ts.Check(err)
	defer one.Close()
	source, err := task.ReadSource(ts.MkAbs(args[1]), e.Replaces[0])
	ts.Check(err)
	_, err = one.Install(context.Background(), source)
	ts.Check(err)
	_, err = one.Visible(context.Background())
	ts.Check(err)
	seed := make([]byte, ed25519.SeedSize)
	copy(seed, args[3])
	_, digest, err := one.Save(context.Background(), ts.MkAbs(args[2]), task.Provenance{
		Unit: "ch19-a", StartingEvidence: "INDEPENDENT_UNIT_A", Prediction: handoff.None, Previous: handoff.None, Attempts: 1,
	}, ed25519.NewKeyFromSeed(seed))
	ts.Check(err)
	if digest == "" {
		ts.Fatalf("%s does not pass", args[1])
	}
	ts.Setenv("KEY_"+args[3], handoff.KeyID(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)))
}

// makeArchive is `archive FILE UNIT HANDOFF PATH SOURCE`: the archive of a submission of a unit, with a handoff and the source
// that lies beside it, under its path in a workspace.
func makeArchive(ts *testscript.TestScript, _ bool, args []string) {
	document := archive.File{Name: submissions.DocumentName(args[1]), Data: []byte(`{"unit":"` + args[1] + `"}`)}
	signed := archive.File{Name: args[2], Data: []byte(ts.ReadFile(args[2]))}
	source := archive.File{Name: submissions.Sources + "/" + args[3], Data: []byte(ts.ReadFile(args[4]))}
	data, err := archive.Encode(archive.Submission, []archive.File{document, signed, source})
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}

// noHoldouts is `secret EXERCISE`: nothing of what the last command printed is a name or a sentence of a holdout case, or
// comes from a probe.
func noHoldouts(ts *testscript.TestScript, _ bool, args []string) {
	set, err := holdout.Named(args[0])
	ts.Check(err)
	shown := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	for _, c := range set.Cases {
		held := []string{c.Name, c.Holds}
		for _, e := range c.Expectation {
			held = append(held, e.Meaning)
			if !visibleField(set, e.Field) {
				held = append(held, e.Field)
			}
		}
		for _, call := range c.Calls {
			held = append(held, call.Name)
		}
		for _, line := range strings.Split(string(c.Probe), "\n") {
			if len(strings.TrimSpace(line)) > 30 {
				held = append(held, strings.TrimSpace(line))
			}
		}
		for _, text := range held {
			if text != "" && strings.Contains(shown, text) {
				ts.Fatalf("the output shows %q of the case %s:\n%s", text, c.Name, shown)
			}
		}
	}
}

func visibleField(set *holdout.Set, name string) bool {
	for _, e := range set.Exercise.Expectation {
		if e.Field == name {
			return true
		}
	}
	return false
}

// checkJSON is `json PATH VALUE`: the last command printed one JSON object, and what PATH leads to reads as VALUE. Steps
// of the path are joined by dots; a number is an index, and len the length of a list. Without VALUE, something is there.
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
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, v != nil
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
