package task_test

import (
	"context"
	"errors"
	"testing"

	"fieldbook/grader"
	"fieldbook/grader/task"
)

func TestWhatKeepsState(t *testing.T) {
	tests := map[string]bool{
		"func f() { x := 1; x++; _ = x }":                                           false,
		"const limit = 3\n\nfunc f() int { return limit }":                          false,
		"type t struct{ n int }\n\nfunc f(v *t) { v.n = 1 }":                        false,
		"func f(list []int) { list[0] = 1; go func() { list[0]++ }() }":             false,
		"var seen int\n\nfunc f() { seen++ }":                                       true,
		"var _ = 1":                                                                 true,
		"func f() { io.EOF = nil }":                                                 true,
		"func f() { e := &io.EOF; *e = nil }":                                       true,
		"func f() { files.Table[\"a\"] = 1 }":                                       true,
		"func f() { db.Rows++ }":                                                    true,
		"func f( {":                                                                 true,
		"func f(io []int) { _ = &io[0] }":                                           false,
		"func f() (int, error) { n, err := io.Copy(nil, nil); return int(n), err }": false,
	}
	for body, want := range tests {
		text := "package assistant\n\nimport (\n\t\"io\"\n\n\tdb \"fieldbook/runtime/database\"\n\t\"fieldbook/runtime/files\"\n)\n\n" + body + "\n"
		if got := task.Stateful([]task.Source{{Name: "a.go", Text: []byte(text)}}); got != want {
			t.Errorf("%q keeps state: %v, want %v", body, got, want)
		}
	}
}

func TestCrashRefuses(t *testing.T) {
	one := mustTask(t, "manifest")
	mustInstall(t, one, reference(t, one.Exercise()))
	var refused *grader.Error
	if _, _, err := one.Crash(context.Background(), task.Exploration{}); !errors.As(err, &refused) || refused.Code != "no_crash" {
		t.Errorf("an exercise that declares no crashes: %v", err)
	}
	one = mustTask(t, "restore")
	if _, _, err := one.Crash(context.Background(), task.Exploration{}); !errors.As(err, &refused) || refused.Code != "not_installed" {
		t.Errorf("nothing is installed: %v", err)
	}
}
