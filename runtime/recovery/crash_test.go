package recovery_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/recovery"
)

var errGone = errors.New("the process is gone")

// cut performs a scenario in folder as a process that ends at its durable operation n, counted from 1: before it is done,
// or, when torn is not negative, with that many bytes of a write done. It reports how many operations were reached.
func cut(t testing.TB, folder, scenario string, n, torn int) (reached int, err error) {
	t.Helper()
	recorder, err := operation.Record(folder, operation.Options{Intercept: func(e operation.Entry) error {
		reached++
		switch {
		case reached < n:
			return nil
		case reached == n && torn >= 0 && e.Kind == operation.Write:
			return operation.TornWrite{Bytes: torn}
		}
		return errGone
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer recorder.Stop()
	_, err = run(t, folder, scenario, 3)
	return reached, err
}

// TestACrashAtEveryDurableOperation ends a run before each of its durable operations, and in the middle of each write; the
// run after it must end accepted with exactly one effect. So must it when that run is cut short as well.
func TestACrashAtEveryDurableOperation(t *testing.T) {
	wanted := fieldnotes.Effect{Tenant: "shopping-a", OrderID: "742", Status: "written"}
	points := 0
	for _, torn := range []int{-1, 0, 5} {
		for n := 1; ; n++ {
			folder := t.TempDir()
			notes := filepath.Join(folder, "lab-output")
			if _, err := fieldnotes.Open(notes, fieldnotes.Options{}); err != nil {
				t.Fatal(err)
			}
			_, err := cut(t, notes, "happy", n, torn)
			if err == nil {
				break
			}
			points++
			if !errors.Is(err, errGone) && !errors.Is(err, operation.ErrNoSpace) {
				t.Fatalf("operation %d: %v", n, err)
			}
			if n%3 == 0 { // once more on the way back
				_, _ = cut(t, notes, "happy", n/2+1, torn)
			}
			result, err := run(t, notes, "happy", 3)
			got := read(t, notes)
			if err != nil || result.StopReason != "accepted" || len(got.effects) != 1 || got.effects[key] != wanted || got.checkpoint.Phase != fieldnotes.Stopped {
				t.Errorf("operation %d, torn %d: Run() = %+v, %v, left %+v", n, torn, result, err, got)
			}
		}
	}
	if points < 60 {
		t.Errorf("only %d points were reached: a run has more durable operations", points)
	}
	t.Logf("%d points", points)
}

// TestNoSecretIsLeft runs with models that write secrets into every detail, at any depth, and looks for them in every file.
func TestNoSecretIsLeft(t *testing.T) {
	const canary = "CANARY-51f0"
	folder := t.TempDir()
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		if runs++; runs > 25 { // the disk syncs
			return
		}
		var detail any = map[string]any{"token": canary, "nested": []any{map[string]any{"Secret": canary}}}
		for range rapid.IntRange(0, 6).Draw(r, "depth") {
			if rapid.Bool().Draw(r, "list") {
				detail = []any{detail}
			} else {
				detail = map[string]any{"inner": detail}
			}
		}
		s, _ := fieldnotes.ScenarioNamed(rapid.SampledFrom([]string{"happy", "deny-tenant", "deny-egress", "crash"}).Draw(r, "scenario"), 3)
		s.Task.Model.Says.Details = map[string]any{"headers": detail, "token": canary}
		_, err := recovery.Run(context.Background(), mustOpen(t, filepath.Join(folder, fmt.Sprint(runs)), s.Options), s.Task)
		if err != nil && !errors.Is(err, fieldnotes.ErrInjectedCrash) {
			r.Fatal(err)
		}
	})
	found := 0
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		found++
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), canary) {
			t.Errorf("%s holds a secret:\n%s", path, data)
		}
		return err
	})
	if err != nil || found < 10 {
		t.Errorf("%d files were looked at: %v", found, err)
	}
}

// TestTheCheckpointSuffices holds that a checkpoint has the declared fields and no others: nothing of the proposal.
func TestTheCheckpointSuffices(t *testing.T) {
	folder := t.TempDir()
	if _, err := run(t, folder, "crash", 3); !errors.Is(err, fieldnotes.ErrInjectedCrash) {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(folder, fieldnotes.CheckpointFile))
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	want := `map[budget_left:2 idempotency_key:run-os-742:write-report:v1 phase:prepared recovered:false run_id:run-os-742 step:1 stop_reason: version:1]`
	if got := fmt.Sprint(fields); got != want {
		t.Errorf("the checkpoint is %s, want %s", got, want)
	}
}
