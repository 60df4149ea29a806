package holdout_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fieldbook/exercises"
	"fieldbook/exercises/holdout"
	"fieldbook/exercises/strict"
	"fieldbook/grader"
	"fieldbook/runtime/world"
)

func TestAllAreValid(t *testing.T) {
	for _, s := range holdout.All() {
		if len(s.Variants) == 0 || len(s.Wrong) == 0 || len(s.Cases) == 0 {
			t.Errorf("%s: %d variants, %d wrong solutions, %d cases", s.Exercise.Name, len(s.Variants), len(s.Wrong), len(s.Cases))
		}
		digest, err := s.Digest()
		if err != nil || len(digest) != 64 {
			t.Errorf("%s: digest %q, %v", s.Exercise.Name, digest, err)
		}
	}
}

func TestEveryExerciseHasHoldouts(t *testing.T) {
	for _, e := range exercises.All() {
		if _, err := holdout.Named(e.Name); err != nil {
			t.Error(err)
		}
	}
	_, err := holdout.Named("nothing")
	var known *grader.Error
	if !errors.As(err, &known) || known.Code != "unknown_exercise" || known.Exit != grader.ExitUsage || !strings.Contains(known.Hint, "manifest, ") || !strings.Contains(known.Hint, ", restore") {
		t.Errorf("Named(nothing): %v", err)
	}
}

// TestEveryAnswerIsEmbedded holds that the set is what lies on the disk, and that each file has its canary once.
func TestEveryAnswerIsEmbedded(t *testing.T) {
	canaries := map[string]string{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(filepath.ToSlash(path), "/") || strings.HasPrefix(path, "testdata") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || strings.HasSuffix(path, ".yaml") {
			return err
		}
		lines := strings.SplitN(string(text), "\n", 4)
		if !strings.HasPrefix(lines[2], "// "+holdout.Canary) || strings.Count(string(text), holdout.Canary) != 1 {
			t.Errorf("%s: its third line is no canary: %q", path, lines[2])
		}
		if other := canaries[lines[2]]; other != "" {
			t.Errorf("%s has the canary of %s", path, other)
		}
		canaries[lines[2]] = path
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, s := range holdout.All() {
		for _, c := range slices.Concat([]holdout.Candidate{s.Solution}, s.Variants, s.Wrong) {
			found += bytes.Count(c.Text, []byte(holdout.Canary))
		}
		probes := map[string]bool{}
		for _, c := range s.Cases {
			if c.ProbeFile != "" && !probes[c.ProbeFile] {
				found += bytes.Count(c.Probe, []byte(holdout.Canary))
			}
			probes[c.ProbeFile] = true
		}
	}
	if found != len(canaries) {
		t.Errorf("%d canaries are in the sets, %d files have one", found, len(canaries))
	}
}

func TestNamesThatOthersRelyOn(t *testing.T) {
	s, err := holdout.Named("restore")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"marker-not-synced", "rename-before-sync", "copy-before-marker", "resume-early"} {
		if !slices.ContainsFunc(s.Wrong, func(c holdout.Candidate) bool { return c.Name == name && c.Mistake != "" }) {
			t.Errorf("there is no wrong solution %s", name)
		}
	}
}

func TestDraw(t *testing.T) {
	s, err := holdout.Named("restore")
	if err != nil {
		t.Fatal(err)
	}
	c := s.Cases[0]
	again, other := c.Draw(7), c.Draw(8)
	for name, v := range c.Draw(7) {
		if !v.Equal(again[name]) {
			t.Errorf("%s is %v and then %v for one seed", name, v, again[name])
		}
	}
	same := 0
	for name, v := range again {
		if v.Equal(other[name]) {
			same++
		}
	}
	if same == len(again) {
		t.Error("two seeds draw the same parameters")
	}
	// A change here changes every graded result: these values are for ever.
	for name, want := range map[string]string{"each": "4", "origin": "wgjwnylcz", "cents": "81873"} {
		if got := again[name].String(); got != want {
			t.Errorf("seed 7: %s = %s, want %s", name, got, want)
		}
	}
}

func TestDrawKeepsItsBounds(t *testing.T) {
	c := holdout.Case{Name: "bounds", Parameters: []holdout.Parameter{
		{Name: "choice", Choose: []world.Value{world.BoolValue(true), world.IntValue(2), world.StringValue("three")}},
		{Name: "digits", Hex: 6}, {Name: "number", Int: [2]int64{-1, 1}}, {Name: "whole", Int: [2]int64{-1 << 63, 1<<63 - 1}}, {Name: "word", Word: 6},
	}}
	numbers, choices := map[int64]int{}, map[string]int{}
	const seeds = 600
	for seed := range uint64(seeds) {
		drawn := c.Draw(seed)
		n, ok := drawn["number"].AsInt()
		if !ok || n < -1 || n > 1 {
			t.Fatalf("seed %d: number = %v", seed, drawn["number"])
		}
		numbers[n]++
		choices[drawn["choice"].String()]++
		if w, _ := drawn["word"].AsString(); len(w) != 6 || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" {
			t.Fatalf("seed %d: word = %q", seed, w)
		}
		if h, _ := drawn["digits"].AsString(); len(h) != 6 || strings.Trim(h, "0123456789abcdef") != "" {
			t.Fatalf("seed %d: digits = %q", seed, h)
		}
		if _, ok := drawn["whole"].AsInt(); !ok {
			t.Fatalf("seed %d: whole = %v", seed, drawn["whole"])
		}
	}
	for _, counts := range []map[string]int{choices, {"-1": numbers[-1], "0": numbers[0], "1": numbers[1]}} {
		for what, n := range counts {
			if n < seeds/3-80 || n > seeds/3+80 {
				t.Errorf("%s was drawn %d times of %d", what, n, seeds)
			}
		}
		if len(counts) != 3 {
			t.Errorf("%d results of three", len(counts))
		}
	}
}

func TestDrawnWordsDiffer(t *testing.T) {
	var parameters []holdout.Parameter
	for _, name := range strings.Split("abcdefghijklmnop", "") {
		parameters = append(parameters, holdout.Parameter{Name: name, Hex: 1})
	}
	c := holdout.Case{Name: "crowded", Parameters: parameters}
	seen := map[string]bool{}
	for _, v := range c.Draw(1) {
		seen[v.String()] = true
	}
	if len(seen) != 16 {
		t.Errorf("16 parameters of one digit drew %d digits", len(seen))
	}
}

func TestDrawnCalls(t *testing.T) {
	text := world.StringValue
	c := holdout.Case{
		Name:       "calls",
		Parameters: []holdout.Parameter{{Name: "a", Word: 8}, {Name: "n", Int: [2]int64{3, 3}}},
		Calls: []exercises.TableCase{{
			Args:     []world.Value{world.MapValue(map[string]world.Value{"$a": text("$n"), "b": world.ListValue(text("$a"), text("$"))})},
			Expected: text("$a"),
		}},
	}
	a := c.Draw(1)["a"]
	name, _ := a.AsString()
	want := world.MapValue(map[string]world.Value{name: world.IntValue(3), "b": world.ListValue(a, text("$"))})
	got := c.Drawn(1)[0]
	if !got.Args[0].Equal(want) || !got.Expected.Equal(a) {
		t.Errorf("Drawn = %v, %v; want %v, %v", got.Args[0], got.Expected, want, a)
	}
}

func TestReadRefuses(t *testing.T) {
	restore, err := exercises.Named("restore")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, file, old, new string
		want                 string
	}{
		{"an unknown key", "cases.yaml", "weight: 3", "wait: 3", `unknown key "wait"`},
		{"a parameter of two kinds", "cases.yaml", "each: {int: [1, 4]}", "each: {int: [1, 4], word: 9}", "exactly one of int, word, hex and choose"},
		{"bounds in the wrong order", "cases.yaml", "each: {int: [1, 4]}", "each: {int: [4, 1]}", "its lowest and its highest value"},
		{"a word that can be guessed", "cases.yaml", "later: {word: 10}", "later: {word: 2}", "can be guessed"},
		{"a case without its purpose", "cases.yaml", "    holds: Of a shop with", "    # Of a shop with", "a case needs a name and, under holds, what it holds"},
		{"another way to compare", "cases.yaml", "compare: world", "compare: universe", `compare is "universe"`},
		{"a probe that is not there", "cases.yaml", "probe: rows.go", "probe: row.go", "the probe cannot be read"},
		{"a rule before no other", "cases.yaml", "before: folder", "before: folders", "a rule of log names under before a rule that is not there"},
		{"a probe without its canary", "cases/rows.go", "// FIELDBOOK-HOLDOUT-CANARY", "// CANARY", "holdout/restore/cases/rows.go:3: the third line must be the canary"},
		{"a probe of another package", "cases/rows.go", "package probe", "package main", "the package is main; it must be probe"},
		{"a wrong solution without its mistake", "wrong/no-marker.go", "// Mistake: ", "// ", `the comment of the function must begin with "Mistake: "`},
		{"a variant of another signature", "variants/helpers.go", "db *database.Database, source string) error {\n\tbackup, err := usable", "source string) error {\n\tbackup, err := usable", "Restore has the type func(context.Context, string) error"},
		{"a solution that is not formatted", "solution/restore.go", "\tbackup, err := openChecked", "  backup, err := openChecked", "the file is not formatted"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folder := copied(t, "restore")
			text := string(folder[test.file].Data)
			if !strings.Contains(text, test.old) {
				t.Fatalf("%s does not hold %q", test.file, test.old)
			}
			folder[test.file].Data = []byte(strings.Replace(text, test.old, test.new, 1))
			_, err := holdout.Read(folder, restore)
			var list *strict.Error
			if !errors.As(err, &list) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v\nwant one with %s", err, test.want)
			}
		})
	}
}
