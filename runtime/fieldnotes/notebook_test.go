package fieldnotes_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/operation"
)

func mustOpen(t testing.TB, folder string, o fieldnotes.Options) *fieldnotes.Notebook {
	t.Helper()
	notes, err := fieldnotes.Open(folder, o)
	if err != nil {
		t.Fatal(err)
	}
	return notes
}

func mustWrite(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mustRead(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func happy(t testing.TB) fieldnotes.Task {
	t.Helper()
	s, ok := fieldnotes.ScenarioNamed("happy", fieldnotes.DefaultBudget)
	if !ok {
		t.Fatal("there is no scenario happy")
	}
	return s.Task
}

func TestLoadBeginsWhereNothingIs(t *testing.T) {
	notes := mustOpen(t, t.TempDir(), fieldnotes.Options{})
	got, err := notes.Load(happy(t))
	want := fieldnotes.Checkpoint{Version: 1, RunID: "run-os-742", Phase: fieldnotes.New, BudgetLeft: 3, IdempotencyKey: "run-os-742:write-report:v1"}
	if err != nil || got != want {
		t.Errorf("Load() = %+v, %v, want %+v", got, err, want)
	}
	if _, err := os.Stat(notes.Path(fieldnotes.CheckpointFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("loading made a file: %v", err)
	}
}

func TestSaveAndLoad(t *testing.T) {
	notes := mustOpen(t, t.TempDir(), fieldnotes.Options{})
	saved := fieldnotes.Checkpoint{
		Version: 1, RunID: "run-os-742", Phase: fieldnotes.Stopped, Step: 1, BudgetLeft: 2,
		IdempotencyKey: "run-os-742:write-report:v1", StopReason: fieldnotes.Accepted, Recovered: true,
	}
	if err := notes.Save(saved); err != nil {
		t.Fatal(err)
	}
	if got, err := notes.Load(happy(t)); err != nil || got != saved {
		t.Errorf("Load() = %+v, %v, want what was saved", got, err)
	}
	want := `{"event":"checkpoint","phase":"stopped","step":1,"stop_reason":"accepted"}` + "\n"
	if got := mustRead(t, notes.Path(fieldnotes.TraceFile)); got != want {
		t.Errorf("the trace is %s, want %s", got, want)
	}
}

func TestLoadRefuses(t *testing.T) {
	whole := `{"version":1,"run_id":"run-os-742","phase":"prepared","step":1,"budget_left":2,"idempotency_key":"k","stop_reason":"","recovered":false}`
	for _, test := range []struct {
		name, text string
		want       error
	}{
		{"empty", "", fieldnotes.ErrBroken},
		{"torn", whole[:40], fieldnotes.ErrBroken},
		{"two values", whole + whole, fieldnotes.ErrBroken},
		{"undeclared field", strings.Replace(whole, `"step"`, `"note"`, 1), fieldnotes.ErrBroken},
		{"null", "null", fieldnotes.ErrBroken},
		{"phase", strings.Replace(whole, "prepared", "running", 1), fieldnotes.ErrBroken},
		{"version", strings.Replace(whole, `"version":1`, `"version":2`, 1), fieldnotes.ErrBroken},
		{"no key", strings.Replace(whole, `"k"`, `""`, 1), fieldnotes.ErrBroken},
		{"another run", strings.Replace(whole, "742", "743", 1), fieldnotes.ErrOtherRun},
	} {
		t.Run(test.name, func(t *testing.T) {
			notes := mustOpen(t, t.TempDir(), fieldnotes.Options{})
			mustWrite(t, notes.Path(fieldnotes.CheckpointFile), test.text)
			if got, err := notes.Load(happy(t)); !errors.Is(err, test.want) {
				t.Errorf("Load() = %+v, %v, want %v", got, err, test.want)
			}
		})
	}
}

func TestEffects(t *testing.T) {
	notes := mustOpen(t, t.TempDir(), fieldnotes.Options{})
	effects, err := notes.Effects()
	if err != nil || effects == nil || len(effects) != 0 {
		t.Fatalf("without a file: %v, %v", effects, err)
	}
	effects["k"] = fieldnotes.Effect{Tenant: "a", OrderID: "1", Status: fieldnotes.Written}
	if err := notes.WriteEffects(effects); err != nil {
		t.Fatal(err)
	}
	again, err := notes.Effects()
	if err != nil || len(again) != 1 || again["k"] != effects["k"] {
		t.Errorf("read again: %v, %v", again, err)
	}
	for _, broken := range []string{"", "null", "[]", "{} {}", `{"k":{"tenant":1}}`} {
		mustWrite(t, notes.Path(fieldnotes.EffectsFile), broken)
		if effects, err := notes.Effects(); !errors.Is(err, fieldnotes.ErrBroken) {
			t.Errorf("%q: %v, %v, want ErrBroken", broken, effects, err)
		}
	}
}

func TestNothingHappensAfterTheCrash(t *testing.T) {
	notes := mustOpen(t, t.TempDir(), fieldnotes.Options{CrashAfterEffect: true})
	task := happy(t)
	if err := notes.WriteEffects(map[string]fieldnotes.Effect{"k": {}}); err != nil {
		t.Fatalf("before the crash: %v", err)
	}
	if err := notes.AfterEffect(); !errors.Is(err, fieldnotes.ErrInjectedCrash) {
		t.Fatalf("AfterEffect() = %v", err)
	}
	_, load := notes.Load(task)
	_, effects := notes.Effects()
	_, trace := notes.Trace()
	for name, err := range map[string]error{
		"Load": load, "Effects": effects, "Trace": trace,
		"Save":         notes.Save(fieldnotes.Checkpoint{}),
		"WriteEffects": notes.WriteEffects(nil),
		"Record":       notes.Record("outcome", nil),
		"AfterEffect":  notes.AfterEffect(),
	} {
		if !errors.Is(err, fieldnotes.ErrInjectedCrash) {
			t.Errorf("%s after the crash: %v", name, err)
		}
	}
	if _, err := os.Stat(notes.Path(fieldnotes.TraceFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written after the crash: %v", err)
	}
	if err := mustOpen(t, t.TempDir(), fieldnotes.Options{}).AfterEffect(); err != nil {
		t.Errorf("without an injected crash: %v", err)
	}
}

func TestCleanRemovesExactlyTheNotebooksFiles(t *testing.T) {
	folder := t.TempDir()
	notes := mustOpen(t, folder, fieldnotes.Options{})
	if err := notes.Clean(); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
	for _, file := range []string{fieldnotes.CheckpointFile, fieldnotes.EffectsFile, fieldnotes.TraceFile, "mine.txt"} {
		mustWrite(t, notes.Path(file), "x")
	}
	if err := notes.Clean(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 || entries[0].Name() != "mine.txt" {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// TestDurableOperations holds that a JSON file is made by temporary, sync, rename and sync of the folder, and that a line
// of the trace is one write and one sync.
func TestDurableOperations(t *testing.T) {
	folder := t.TempDir()
	notes := mustOpen(t, filepath.Join(folder, "lab-output"), fieldnotes.Options{})
	var log []string
	recorder, err := operation.Record(folder, operation.Options{Sink: func(e operation.Entry) error {
		if e.Kind != operation.Call && e.Kind != operation.Return {
			log = append(log, string(e.Kind)+" "+e.Path)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer recorder.Stop()
	for range 2 {
		if err := notes.WriteEffects(map[string]fieldnotes.Effect{}); err != nil {
			t.Fatal(err)
		}
		if err := notes.Record("outcome", nil); err != nil {
			t.Fatal(err)
		}
	}
	replace := []string{
		"create lab-output/effects.json.tmp-1", "write lab-output/effects.json.tmp-1", "sync lab-output/effects.json.tmp-1",
		"rename lab-output/effects.json.tmp-1", "sync_folder lab-output",
	}
	line := []string{"write lab-output/trace.jsonl", "sync lab-output/trace.jsonl"}
	want := append([]string{}, replace...)
	want = append(append(append(want, "create lab-output/trace.jsonl"), line...), "sync_folder lab-output")
	want = append(append(want, replace...), line...)
	if strings.Join(log, "\n") != strings.Join(want, "\n") {
		t.Errorf("the operations are\n%s\nwant\n%s", strings.Join(log, "\n"), strings.Join(want, "\n"))
	}
}
