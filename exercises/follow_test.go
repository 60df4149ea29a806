package exercises_test

import (
	"testing"

	"fieldbook/exercises"
	"fieldbook/runtime/operation"
)

const (
	learner = "runtime/assistant/restore.go"
	runtime = "runtime/assistant/backup.go"
)

// log numbers entries as a recorder does.
func log(entries ...operation.Entry) []operation.Entry {
	for i := range entries {
		entries[i].Seq = i + 1
	}
	return entries
}

func call(file string, line int, name, subject, detail string) operation.Entry {
	return operation.Entry{Kind: operation.Call, File: file, Line: line, Name: name, Subject: subject, Detail: detail}
}

// inside is a durable operation that a call asked for.
func inside(call int, kind operation.Kind, path string) operation.Entry {
	return operation.Entry{Kind: kind, Call: call, Path: path}
}

func TestFollow(t *testing.T) {
	e := &exercises.Exercise{Replaces: []exercises.Replaced{{File: learner}}}
	rules := []exercises.Rule{
		{ID: "pause", Seen: []exercises.Match{{Kind: "call", Subject: "shop.sqlite", Detail: "update assistant_control"}}, Before: "publish"},
		{ID: "publish", Seen: []exercises.Match{{Kind: "rename", Path: ".authority"}}, Before: "arrive"},
		{ID: "arrive", Seen: []exercises.Match{{Kind: "call", Name: "database.CopyInto"}, {Kind: "call", Name: "database.Copy"}}},
	}
	type want struct {
		progress exercises.Progress
		line     int
	}
	notYet := want{exercises.NotYet, 0}
	pause := call(learner, 10, "database.Tx.Exec", "shop.sqlite", "UPDATE assistant_control SET paused = 1")
	replace := call(learner, 20, "files.Replace", "shop.authority", "32 bytes")
	arrive := call(learner, 30, "database.CopyInto", "shop.sqlite", "from image.db")

	tests := []struct {
		name string
		log  []operation.Entry
		want []want
	}{
		{"an empty log", nil, []want{notYet, notYet, notYet}},
		{"every rule in its order", log(pause, replace, inside(2, operation.Rename, "shop.authority.tmp-1"), arrive),
			[]want{{exercises.Seen, 10}, {exercises.Seen, 20}, {exercises.Seen, 30}}},
		{"only the first", log(pause), []want{{exercises.Seen, 10}, notYet, notYet}},
		{"a rule whose follower is not there is not late", log(arrive), []want{notYet, notYet, {exercises.Seen, 30}}},
		{"the rows before the marker", log(pause, arrive, replace, inside(3, operation.Rename, "shop.authority.tmp-1")),
			[]want{{exercises.Seen, 10}, {exercises.TooLate, 20}, {exercises.Seen, 30}}},
		{"the first match counts", log(pause, replace, inside(2, operation.Rename, "shop.authority.x"), arrive, pause),
			[]want{{exercises.Seen, 10}, {exercises.Seen, 20}, {exercises.Seen, 30}}},
		{"another way to write it", log(call(learner, 31, "database.Copy", "", "")), []want{notYet, notYet, {exercises.Seen, 31}}},
		{"a call that only begins", log(replace), []want{notYet, notYet, notYet}},
		{"calls of the runtime do not count", log(call(runtime, 5, "database.CopyInto", "", ""), inside(1, operation.Rename, "shop.authority")),
			[]want{notYet, notYet, notYet}},
		{"operations that no call asked for do not count", log(inside(0, operation.Rename, "shop.authority")), []want{notYet, notYet, notYet}},
		{"a call without a line belongs to its caller", log(replace, operation.Entry{Kind: operation.Call, Call: 1, Name: "database.CopyInto"}),
			[]want{notYet, notYet, {exercises.Seen, 20}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			steps := e.Follow(rules, test.log)
			if len(steps) != len(rules) {
				t.Fatalf("%d steps for %d rules", len(steps), len(rules))
			}
			for i, step := range steps {
				if step.Rule.ID != rules[i].ID || step.Progress != test.want[i].progress || step.Line != test.want[i].line {
					t.Errorf("%s: %s at line %d, want %s at line %d", rules[i].ID, step.Progress, step.Line, test.want[i].progress, test.want[i].line)
				}
				if (step.Seq == 0) != (step.Progress == exercises.NotYet) || (step.File == "") != (step.Seq == 0) {
					t.Errorf("%s: entry %d, file %q, %s", rules[i].ID, step.Seq, step.File, step.Progress)
				}
			}
		})
	}
}
