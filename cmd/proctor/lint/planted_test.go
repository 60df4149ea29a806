package lint

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fieldbook/grader/engine"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// change replaces one part of a file, which stands there once.
type change struct{ file, part, with string }

// mustPlant is the first unit with changes.
func mustPlant(t *testing.T, changes ...change) *units.Unit {
	t.Helper()
	u := units.All()[0]
	folder := fstest.MapFS{}
	for _, name := range u.Names() {
		text, err := u.File(name)
		if err != nil {
			t.Fatal(err)
		}
		folder[name] = &fstest.MapFile{Data: text}
	}
	for _, c := range changes {
		file := folder[c.file]
		if n := strings.Count(string(file.Data), c.part); n != 1 {
			t.Fatalf("%q stands %d times in %s", c.part, n, c.file)
		}
		file.Data = []byte(strings.Replace(string(file.Data), c.part, c.with, 1))
	}
	planted, err := units.ReadFolder(folder, u.ID)
	if err != nil {
		t.Fatal(err)
	}
	return planted
}

func TestPlantedMistakesAreFound(t *testing.T) {
	for name, c := range map[string]struct{ file, part, with, want string }{
		"Word":         {"stop.md", "You can stop here", "You can simply stop here", `says "simply"`},
		"Exclamation":  {"stop.md", "is on the disk.", "is on the disk!", "says"},
		"Sentence":     {"stop.md", "is on the disk. Your", "is on the disk and your", "words; at most 25"},
		"NoQuestion":   {"stop.md", "and where did you see it last?", "and say it.", "does not end with a question"},
		"NoDay":        {"stop.md", "On Tuesday at 10:00", "Later", "does not begin with a dated event"},
		"Title":        {"stop.md", "# A place to stop", "# Pause", "must be the title"},
		"Tab":          {"stop.md", "Before you go", "Before\tyou go", "tab in it"},
		"Snippet":      {"interface.md", "    source string) error\n", "    source string,\n    a int,\n    b int,\n    c int,\n    d int,\n    e int) error\n", "a snippet of 7 lines"},
		"Width":        {"opening.md", "owner worker-1   generation 1", "owner worker-1                                     generation 1", "columns wide"},
		"Compiles":     {"concepts/order.md", "files.SyncFolder(", "files.SyncFolders(", "does not compile"},
		"CardCompiles": {"card.yaml", "refuse := err != nil || same", "refuse := err || same", "does not compile"},
		"CardLacks":    {"card.yaml", "call: files.Same", "call: files.Equal", "the call files.Same is not on the card"},
		"CardTwoLines": {"card.yaml", "      refuse := err != nil || same\n", "", "has 1 lines"},
		"Epoch":        {"recap.md", "`7c1e…`", "`5ab0…`", "no epoch of the card"},
		"Term":         {"stop.md", "the first milestone is", "the first *milestone* is", "the card has none"},
		"Quote":        {"interface.md", "38  w.Mark", "39  w.Mark", "line 39 of the probe is quoted as"},
		"RuntimeFile":  {"setup.md", "runtime/assistant/claim.go", "runtime/assistant/claims.go", "is not there"},
		"Link":         {"stop.md", "the notes.", "the [notes](notes.md).", "leads nowhere"},
		"YAML":         {"concepts.yaml", "Whether its pages are sound.", "Whether its pages are of course sound.", `says "of course"`},
		"Probe":        {"unit.yaml", "call: assistant.Restore(", "call: assistant.Restores(", "stands 0 times in the probe"},
		"Impostors":    {"unit.yaml", "impostors: manifest", "impostors: manifests", "which is not there"},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := Unit(mustPlant(t, change{c.file, c.part, c.with}))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(say(found), c.want) {
				t.Errorf("complaints:\n%s\nwant one with %q", say(found), c.want)
			}
			for _, d := range found {
				if !strings.HasPrefix(d.File, "ch19-a/") {
					t.Errorf("a complaint names no file of the unit: %v", d)
				}
			}
		})
	}
}

func TestPlantedMistakesAreFoundByRunning(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED LOUDLY: examples and challenges are not run with -short")
	}
	pool, err := sandbox.NewPool(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	o := task.Options{Engine: engine.New(teaching.Tree()), Pool: pool, Edition: units.Edition, Now: time.Now}
	found, err := Run(t.Context(), o, mustPlant(t,
		change{"examples/copies.out", "vanilla: 9", "vanilla: 2"},
		change{"examples/closures.go", "left := 10", "left := \"ten\""},
		change{"unit.yaml", "{field: epochs, value: 3,", "{field: epochs, value: 2,"},
		change{"unit.yaml", "- {field: restore_error, value: null,", "- {field: restore_error, value: none,"},
		change{"challenge/refused.go", `	seen.Bool("paused", health.Paused)`, `	seen.String("same_path", "separate_backup")
	seen.String("missing", "separate_backup")
	if _, err := db.Exec(ctx, "UPDATE assistant_control SET paused = 0"); err != nil {
		return seen, err
	}
	seen.Bool("paused", health.Paused && false)`},
	))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"examples/copies.out: the example prints",
		"examples/closures.go: the example does not run: compile_error",
		"challenge/again.go: the reference gives NEEDS_WORK",
		"challenge/refused.go: the demonstration gives PASS",
		"naive_restore.go: the demonstration gives NEEDS_WORK",
	} {
		if !strings.Contains(say(found), want) {
			t.Errorf("complaints:\n%s\nwant one with %q", say(found), want)
		}
	}
	if len(found) != 5 {
		t.Errorf("%d complaints for five mistakes:\n%s", len(found), say(found))
	}
}
