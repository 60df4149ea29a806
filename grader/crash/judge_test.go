package crash

import (
	"maps"
	"strings"
	"testing"

	"fieldbook/exercises"
	"fieldbook/grader/probe"
	"fieldbook/runtime/world"
)

// mustJudge judges the states of an exercise whose base has the given files.
func mustJudge(t *testing.T, e *exercises.Exercise, base Files) *judge {
	t.Helper()
	evaluator := probe.NewEvaluator()
	t.Cleanup(func() { evaluator.Close() })
	j := &judge{exercise: e, evaluator: evaluator, temp: t.TempDir(), base: base}
	var err error
	if j.before, err = j.read(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	j.after, j.known = j.before, ids(base, j.before)
	return j
}

func verdicts(t *testing.T, j *judge, state Files) map[string]Verdict {
	t.Helper()
	r, err := j.read(t.Context(), state)
	if err != nil {
		t.Fatal(err)
	}
	findings, err := j.findings(t.Context(), state, r)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Verdict{}
	for id, f := range findings {
		got[id] = f.Verdict
	}
	return got
}

// backedUp is a shop as it is when the learner's function is called.
func backedUp(t *testing.T) Files {
	t.Helper()
	n, s := mustNative(t, mustExercise(t, "restore"), restoring, restoring)
	x := newExploration(&Explorer{Runner: n}, s, &judge{exercise: s.Exercise})
	if ok, err := x.record(t.Context()); err != nil || !ok {
		t.Fatal(ok, err)
	}
	return filesOf(x.recording.base)
}

// TestFindings damages a shop in one way at a time.
func TestFindings(t *testing.T) {
	base := backedUp(t)
	j := mustJudge(t, mustExercise(t, "restore"), base)
	whole := map[string]Verdict{"I1": Holds, "I2": Holds, "I3": Holds, "I4": Holds, "I5": Holds, "I6": Holds, "I7": Holds}
	with := func(changes map[string]Verdict) map[string]Verdict {
		all := maps.Clone(whole)
		maps.Copy(all, changes)
		return all
	}
	garbage := []byte(strings.Repeat("no database. ", 1000))
	other := []byte(strings.Repeat("f0", 16))
	tests := map[string]struct {
		file string
		data []byte // nil: removed
		want map[string]Verdict
	}{
		"Nothing":              {"elsewhere", []byte("x"), whole},
		"MarkerGone":           {"shop.authority", nil, with(map[string]Verdict{"I2": Broken, "I3": Broken})},
		"MarkerEmpty":          {"shop.authority", []byte{}, with(map[string]Verdict{"I2": Broken, "I3": Broken})},
		"MarkerHalf":           {"shop.authority", other[:16], with(map[string]Verdict{"I2": Broken, "I3": Broken})},
		"MarkerOfAnother":      {"shop.authority", other, with(map[string]Verdict{"I3": Broken})},
		"MarkerWithNothing":    {"shop.authority", append(other[:31:31], 0), with(map[string]Verdict{"I2": Broken, "I3": Broken})},
		"MarkerTooLong":        {"shop.authority", append(other[:32:32], '0'), with(map[string]Verdict{"I2": Broken, "I3": Broken})},
		"BackupGone":           {"shop-backups/morning.sqlite", nil, with(map[string]Verdict{"I7": Broken})},
		"BackupChanged":        {"shop-backups/morning.sqlite", garbage, with(map[string]Verdict{"I7": Broken})},
		"LogGone":              {"shop.sqlite-wal", nil, map[string]Verdict{"I1": Holds, "I2": Holds, "I3": Unread, "I4": Unread, "I5": Unread, "I6": Unread, "I7": Holds}},
		"DatabaseGone":         {"shop.sqlite", nil, map[string]Verdict{"I1": Broken, "I2": Holds, "I3": Unread, "I4": Unread, "I5": Unread, "I6": Unread, "I7": Holds}},
		"LogCutAtItsLastFrame": {"shop.sqlite-wal", base.data["shop.sqlite-wal"][:len(base.data["shop.sqlite-wal"])-1], with(map[string]Verdict{"I6": Broken})},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			state := Files{folders: base.folders, data: maps.Clone(base.data)}
			state.data[test.file] = test.data
			if test.data == nil {
				delete(state.data, test.file)
			}
			if got := verdicts(t, j, state); !maps.Equal(got, test.want) {
				t.Errorf("got  %v\nwant %v", got, test.want)
			}
		})
	}
}

// TestValuesOfFiles reads text, JSON and what is no text.
func TestValuesOfFiles(t *testing.T) {
	e := &exercises.Exercise{Name: "point", Crash: &exercises.Crash{Values: []exercises.Reading{
		{Name: "text", File: "a.txt"},
		{Name: "phase", Artifact: "checkpoint.json", Query: "SELECT value ->> '$.phase' FROM document"},
		{Name: "lines", Artifact: "trace.jsonl", Query: "SELECT count(*) FROM document"},
		{Name: "binary", File: "b"}, {Name: "missing", File: "c"},
	}}}
	state := Files{data: map[string][]byte{
		"a.txt": []byte("text"), "checkpoint.json": []byte(`{"phase": "stopped"}`), "trace.jsonl": []byte("{}\n{}\n{"), "b": {0, 255},
	}}
	j := mustJudge(t, e, state)
	want := map[string]world.Value{
		"text": world.StringValue("text"), "phase": world.StringValue("stopped"), "lines": world.IntValue(2), "binary": world.StringValue("x'00ff'"), "missing": {},
	}
	for name, value := range want {
		if got := j.before.values[name]; !got.Equal(value) || j.before.unreadable[name] {
			t.Errorf("%s is %s, want %s", name, got, value)
		}
	}
}

func TestShort(t *testing.T) {
	tests := map[string]world.Value{
		"none":                      {},
		"12":                        world.IntValue(12),
		"b90f…":                     world.StringValue("b90f" + strings.Repeat("0", 28)),
		"abba":                      world.StringValue("abba"),
		"two words, and then ever…": world.StringValue("two words,\n and then everything that follows"),
	}
	for want, value := range tests {
		if got := short(value); got != want {
			t.Errorf("%s is told as %q, want %q", value, got, want)
		}
	}
}
