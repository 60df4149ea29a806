package scenario

import (
	"fmt"
	"path"
	"strings"

	"fieldbook/grader"
	"fieldbook/runtime/fieldnotes"
)

// Evidence is one folder of artifacts with the record of what was run there.
type Evidence struct {
	Name   string // of the row that it is for: "crash"
	Folder string // what messages call it, with slashes: "evidence/crash"
	Artifacts
	Record Record
	// Kept are the sources that ran, by their paths in the runtime, where they were kept.
	Kept map[string][]byte
}

// NewEvidence parses artifacts and record. A record that cannot be read is among the problems.
func NewEvidence(name, folder string, files Files) Evidence {
	e := Evidence{Name: name, Folder: folder, Artifacts: Parse(files)}
	data, there := files[RecordFile]
	if !there {
		return e
	}
	var err error
	if e.Record, err = ParseRecord(data); err != nil {
		e.problem(RecordFile, 0, err.Error())
	}
	return e
}

// At is how messages call a file of the evidence.
func (e Evidence) At(file string) string { return path.Join(e.Folder, file) }

// Demonstrates reports whether a run was made on something that is wrong on purpose: what it shows is held against nobody.
func (e Evidence) Demonstrates() bool {
	for _, r := range e.Record.Runs {
		if r.Variant != "" {
			return true
		}
	}
	return false
}

// Episode is the part of a trace that one run wrote.
type Episode struct {
	Number int  // from 1
	Run    *Run // nil: nothing was recorded
	Events []Event
}

// Episodes divides the trace among the recorded runs. What follows the last recorded run, or all of it without a record, is
// an episode of no run.
func (e Evidence) Episodes() []Episode {
	var episodes []Episode
	next := 0
	for i := range e.Record.Runs {
		episode := Episode{Number: i + 1, Run: &e.Record.Runs[i]}
		for ; next < len(e.Trace) && e.Trace[next].Line <= episode.Run.TraceLines; next++ {
			episode.Events = append(episode.Events, e.Trace[next])
		}
		episodes = append(episodes, episode)
	}
	if next < len(e.Trace) {
		episodes = append(episodes, Episode{Number: len(episodes) + 1, Events: e.Trace[next:]})
	}
	return episodes
}

// last is the last event of a kind, in an episode or a trace; nil when there is none.
func last(events []Event, name string) *Event {
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Name == name {
			return &events[i]
		}
	}
	return nil
}

// Cell is a cell of the evidence table as the artifacts have it.
type Cell struct {
	Column   string `json:"column"`
	Value    string `json:"value"`
	Artifact string `json:"artifact"` // where it was read
}

// The columns of the evidence table.
const (
	ColumnScenario  = "scenario"
	ColumnCommand   = "command"
	ColumnExitCode  = "exit code"
	ColumnStop      = "stop reason"
	ColumnDecision  = "policy decision"
	ColumnEffects   = "effects"
	ColumnViolation = "violation_blocked"
	ColumnRecovered = "recovered"
)

// Columns are all of them, in their order.
func Columns() []string {
	return []string{ColumnScenario, ColumnCommand, ColumnExitCode, ColumnStop, ColumnDecision, ColumnEffects, ColumnViolation, ColumnRecovered}
}

// Values of cells that are words of ours.
const (
	NoValue   = "none"   // nothing says it
	NoFile    = "absent" // the file of effects is not there
	NotNeeded = "not applicable"
	Blocked   = "yes"
	NotHeld   = "no"
	Avoided   = "duplicate avoided"
)

// between separates the values of several runs in one cell.
const between = "; "

// Cells are the cells of the row, the scenario's name left out.
func (e Evidence) Cells() []Cell {
	var commands, codes []string
	for _, r := range e.Record.Runs {
		commands = append(commands, r.Command)
		codes = append(codes, fmt.Sprint(r.ExitCode))
	}
	cells := []Cell{
		{ColumnCommand, orNone(strings.Join(commands, between)), e.At(RecordFile)},
		{ColumnExitCode, orNone(strings.Join(codes, between)), e.At(RecordFile)},
		{ColumnStop, e.StopReason(), e.At(fieldnotes.TraceFile)},
		{ColumnDecision, e.decision(), e.At(fieldnotes.TraceFile)},
		{ColumnEffects, e.count(), e.At(fieldnotes.EffectsFile)},
		{ColumnViolation, e.violation(), e.At(fieldnotes.EffectsFile)},
		{ColumnRecovered, e.recovered(), e.At(fieldnotes.CheckpointFile)},
	}
	for i := range cells {
		cells[i].Value = shown(cells[i].Value)
	}
	return cells
}

// shown is text of an artifact on one line, safe for a terminal.
func shown(text string) string {
	return strings.Join(strings.Fields(grader.Visible([]byte(text))), " ")
}

func orNone(value string) string {
	if value == "" {
		return NoValue
	}
	return value
}

// StopReason is the one of the trace's last event, which every end has but a crash.
func (e Evidence) StopReason() string {
	if len(e.Trace) == 0 || e.Trace[len(e.Trace)-1].Name != Outcome {
		return NoValue
	}
	return orNone(e.Trace[len(e.Trace)-1].Word("stop_reason"))
}

func (e Evidence) decision() string {
	if d := last(e.Trace, Decision); d != nil {
		return orNone(d.Word("reason"))
	}
	return NoValue
}

func (e Evidence) count() string {
	switch {
	case !e.Has(fieldnotes.EffectsFile):
		return NoFile
	case e.Effects == nil:
		return NoValue
	}
	return fmt.Sprint(len(e.Effects))
}

func (e Evidence) recovered() string {
	if e.Checkpoint == nil {
		return NoValue
	}
	return fmt.Sprint(e.Checkpoint.Recovered)
}

// violation says whether something that must not be was kept from being: an effect that was denied, or one for the second time.
func (e Evidence) violation() string {
	episodes := e.Episodes()
	var events []Event
	if len(episodes) > 0 {
		events = episodes[len(episodes)-1].Events
	}
	denied := false
	if d := last(events, Decision); d != nil {
		denied = d.Word("allowed") == "false"
	}
	switch {
	case denied && (last(events, Committed) != nil || e.Has(fieldnotes.EffectsFile) && len(episodes) == 1), len(e.Effects) > 1:
		return NotHeld
	case denied:
		return Blocked
	case last(events, Reused) != nil && len(e.Effects) == 1:
		return Avoided
	}
	return NotNeeded
}
