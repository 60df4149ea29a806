package main

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/cmd/fieldbook/workbench"
)

// latestScenarioKill is the latest moment at which a scenario is killed: most have come to the swap of their folder by then.
const latestScenarioKill = 700 * time.Millisecond

// TestAKilledScenarioLeavesItsFolder kills scenarios at random moments. Whatever the moment, the folder is what one run left,
// as a whole: the record knows every artifact. A run whose line was shown is in it.
func TestAKilledScenarioLeavesItsFolder(t *testing.T) {
	t.Parallel()
	random := randomKills(t, 2)
	folder := t.TempDir()
	w := filepath.Join(folder, "w")
	if output, err := started(t, folder, "init", w).CombinedOutput(); err != nil {
		t.Fatalf("init: %v\n%s", err, output)
	}
	runs, killed := 0, 0
	for range *kills {
		name := scenario.Scenarios()[random.IntN(len(scenario.Scenarios()))]
		var out bytes.Buffer
		cmd := started(t, folder, "scenario", name, "--workspace", w)
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(random.Int64N(int64(latestScenarioKill))), func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // killed, or with the scenario's own exit code
		if !timer.Stop() {
			killed++
		}
		now := wholeFolder(t, filepath.Join(w, workbench.ScenarioFolder))
		least := runs
		if bytes.HasSuffix(out.Bytes(), []byte("\n")) {
			least++
		}
		if now < least || now > runs+1 {
			t.Fatalf("%s printed %q, and the folder has %d runs after %d", name, out.String(), now, runs)
		}
		runs = now
	}
	if output, err := started(t, folder, "scenario", "clean", "--workspace", w).CombinedOutput(); err != nil {
		t.Errorf("clean: %v\n%s", err, output)
	}
	t.Logf("%d of %d killed, %d runs recorded", killed, *kills, runs)
}

// wholeFolder counts the runs that a folder records, and holds that its artifacts are those of the last one.
func wholeFolder(t *testing.T, folder string) (runs int) {
	t.Helper()
	files, err := scenario.ReadFiles(folder, append(scenario.Names(), scenario.RecordFile)...)
	if err != nil {
		t.Fatal(err)
	}
	e := scenario.NewEvidence("x", "lab-output", files)
	for _, f := range e.Findings() {
		if f.Code == scenario.Changed || f.Code == scenario.Unreadable {
			t.Errorf("%s", f.Message)
		}
	}
	return len(e.Record.Runs)
}
