package scenario_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
)

// call is a run that a test asks for: "crash", or "happy 0" with a budget of 0.
type call struct {
	scenario string
	budget   int
}

func calls(t *testing.T, words ...string) []call {
	t.Helper()
	var list []call
	for _, word := range words {
		name, zero := strings.CutSuffix(word, " 0")
		c := call{scenario: name, budget: fieldnotes.DefaultBudget}
		if zero {
			c.budget = 0
		}
		list = append(list, c)
	}
	return list
}

// made are the files that the reference leaves after these runs, one after the other in one folder, with their record.
func made(t *testing.T, words ...string) scenario.Files {
	t.Helper()
	folder := t.TempDir()
	record := scenario.Record{}
	for _, c := range calls(t, words...) {
		s, known := fieldnotes.ScenarioNamed(c.scenario, c.budget)
		if !known {
			t.Fatalf("there is no scenario %q", c.scenario)
		}
		found := artifacts(t, folder)
		notes, err := fieldnotes.Open(folder, s.Options)
		if err != nil {
			t.Fatal(err)
		}
		result, err := recovery.Run(context.Background(), notes, s.Task)
		code, known := fieldnotes.ExitCode(result, err)
		if !known {
			t.Fatalf("%s came to no end: %v", c.scenario, err)
		}
		run := scenario.Run{
			Scenario: c.scenario, Budget: c.budget, Command: scenario.CommandOf(c.scenario, c.budget, ""), ExitCode: code,
			Printed: result.StopReason, Time: time.Unix(0, 0).UTC(), Digest: scenario.SourcesDigest(nil),
		}
		if errors.Is(err, fieldnotes.ErrInjectedCrash) {
			run.Printed = fieldnotes.ErrInjectedCrash.Error()
		}
		left := artifacts(t, folder)
		run.Found, run.Left = scenario.Digests(found), scenario.Digests(left)
		run.TraceLines = scenario.Lines(left[fieldnotes.TraceFile])
		record.Runs = append(record.Runs, run)
	}
	files := artifacts(t, folder)
	files[scenario.RecordFile] = encoded(t, record)
	return files
}

func encoded(t *testing.T, record scenario.Record) []byte {
	t.Helper()
	data, err := record.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func artifacts(t *testing.T, folder string) scenario.Files {
	t.Helper()
	files, err := scenario.ReadFiles(folder, scenario.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// evidence parses files as the evidence of a name.
func evidence(name string, files scenario.Files) scenario.Evidence {
	return scenario.NewEvidence(name, "evidence/"+name, files)
}

// four is the evidence of the four scenarios, as it should be.
func four(t *testing.T) []scenario.Evidence {
	t.Helper()
	return []scenario.Evidence{
		evidence("happy", made(t, "happy")), evidence("deny-tenant", made(t, "deny-tenant")),
		evidence("deny-egress", made(t, "deny-egress")), evidence("crash", made(t, "crash", "happy")),
	}
}

// rewritten is evidence of the same runs with other files: the record is made to say that the last run left them.
func rewritten(t *testing.T, name string, files scenario.Files, change func(scenario.Files)) scenario.Evidence {
	t.Helper()
	change(files)
	record, err := scenario.ParseRecord(files[scenario.RecordFile])
	if err != nil {
		t.Fatal(err)
	}
	only := scenario.Files{}
	for _, file := range scenario.Names() {
		if data, there := files[file]; there {
			only[file] = data
		}
	}
	last := &record.Runs[len(record.Runs)-1]
	last.Left, last.TraceLines = scenario.Digests(only), scenario.Lines(only[fieldnotes.TraceFile])
	files[scenario.RecordFile] = encoded(t, record)
	return evidence(name, files)
}

// write puts files into a folder.
func write(t *testing.T, folder string, files scenario.Files) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
