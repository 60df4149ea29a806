package scenario

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldbook/runtime/fieldnotes"
)

// RecordFile is the tool's own record of the runs, beside the artifacts.
const RecordFile = "runs.json"

// recordFormat is the version of the format below.
const recordFormat = 1

// mostRuns bounds how many runs a record holds: a folder is cleaned long before.
const mostRuns = 1000

// Record is what the tool has recorded of the runs in a folder since it was clean. The artifacts are the evidence; the record
// alone knows what was called and how it ended.
type Record struct {
	Format int   `json:"format"`
	Runs   []Run `json:"runs"`
}

// Run is one run of a scenario.
type Run struct {
	Scenario string `json:"scenario"`
	Budget   int    `json:"budget"`
	Variant  string `json:"variant"` // "": the student's functions or the references; else Naive, or a fault's name
	Command  string `json:"command"`
	ExitCode int    `json:"exit_code"`
	Printed  string `json:"printed"`

	Sources []Source  `json:"sources"`        // what ran
	Digest  string    `json:"source_digest"`  // of them all
	Runtime string    `json:"runtime_digest"` // of the supplied sources
	Engine  string    `json:"engine"`
	Sandbox string    `json:"sandbox"`
	Tools   []Tool    `json:"tools"`
	Time    time.Time `json:"time"`

	Found      map[string]string `json:"found"` // digests of the artifacts before the run
	Left       map[string]string `json:"left"`  // and after it
	TraceLines int               `json:"trace_lines"`
}

// Naive is the variant of the baseline that looks at nothing.
const Naive = "naive"

// Source is a file that ran.
type Source struct {
	Path     string `json:"path"`     // "runtime/recovery/run.go"
	Function string `json:"function"` // "Run"
	Label    string `json:"label"`
	SHA256   string `json:"sha256"`
}

// The labels of sources.
const (
	Yours     = "YOURS"
	Reference = "SUPPLIED_REFERENCE"
	Baseline  = "NAIVE_BASELINE"
	Fault     = "SUPPLIED_FAULT"
)

// Tool is a program that the result depends on.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// CommandOf is the command line of a run, without the folder.
func CommandOf(scenario string, budget int, variant string) string {
	command := "fieldbook scenario " + scenario
	if budget != fieldnotes.DefaultBudget {
		command += fmt.Sprintf(" --budget %d", budget)
	}
	switch variant {
	case "":
		return command
	case Naive:
		return command + " --naive"
	default:
		return command + " --fault " + variant
	}
}

// Digests are the SHA-256 of files, in hexadecimal, by their names.
func Digests(files Files) map[string]string {
	digests := map[string]string{}
	for name, data := range files {
		sum := sha256.Sum256(data)
		digests[name] = hex.EncodeToString(sum[:])
	}
	return digests
}

// Lines counts the finished lines of a trace.
func Lines(trace []byte) int { return bytes.Count(trace, []byte("\n")) }

// Encode is the record as it stands in its file.
func (r Record) Encode() ([]byte, error) {
	r.Format = recordFormat
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(r)
	return b.Bytes(), err
}

// ParseRecord reads a record strictly.
func ParseRecord(data []byte) (Record, error) {
	fields, err := object(data)
	if err != nil {
		return Record{}, err
	}
	if extra := beside(fields, "format", "runs"); extra != nil {
		return Record{}, fmt.Errorf("it has the field %s, which no record has", extra[0])
	}
	var r Record
	if err := into(fields, &r); err != nil {
		return Record{}, err
	}
	if r.Format != recordFormat {
		return Record{}, fmt.Errorf("it has format %d, and this program reads %d", r.Format, recordFormat)
	}
	if len(r.Runs) > mostRuns {
		return Record{}, fmt.Errorf("it holds more than %d runs", mostRuns)
	}
	lines := 0
	for i, run := range r.Runs {
		if err := run.check(lines); err != nil {
			return Record{}, fmt.Errorf("run %d: %w", i+1, err)
		}
		lines = run.TraceLines
	}
	return r, nil
}

// check holds what the rest of the package relies on.
func (r Run) check(lines int) error {
	switch {
	case !slices.Contains(Scenarios(), r.Scenario):
		return fmt.Errorf("there is no scenario %q", r.Scenario)
	case r.TraceLines < lines:
		return errors.New("its trace is shorter than the one before it")
	case r.Command != CommandOf(r.Scenario, r.Budget, r.Variant):
		return errors.New("the command is not the one of its scenario, budget and variant")
	case strings.ContainsAny(r.Variant, "/\\ .\n"):
		return errors.New("the variant is no name")
	}
	for _, s := range r.Sources {
		if strings.Contains(s.Path, "..") || strings.HasPrefix(s.Path, "/") {
			return fmt.Errorf("%q is no path of the runtime", s.Path)
		}
	}
	return nil
}

// Scenarios are the scenarios that run something.
func Scenarios() []string {
	return slices.DeleteFunc(fieldnotes.ScenarioNames(), func(name string) bool {
		s, _ := fieldnotes.ScenarioNamed(name, 0)
		return s.Clean
	})
}
