package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fieldbook/handoff/canonical"
	"fieldbook/runtime/fieldnotes"
)

// Most is the size of the largest artifact that is read, in bytes.
const Most = 1 << 20

// Files are the artifacts of a scenario by their names, as bytes. A file that is missing has no entry.
type Files map[string][]byte

// Names are the artifacts, in the order in which they are shown.
func Names() []string {
	return []string{fieldnotes.CheckpointFile, fieldnotes.EffectsFile, fieldnotes.TraceFile}
}

// ReadFiles reads those of the named files that are there: regular ones, through no link, of at most Most bytes.
func ReadFiles(folder string, names ...string) (Files, error) {
	files := Files{}
	root, err := os.OpenRoot(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	for _, name := range names {
		data, err := readFile(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(folder, name), err)
		}
		files[name] = data
	}
	return files, nil
}

func readFile(root *os.Root, name string) ([]byte, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("this is no regular file")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, Most+1))
	if err == nil && len(data) > Most {
		err = errors.New("the file is larger than 1 MiB")
	}
	return data, err
}

// Event is one line of a trace.
type Event struct {
	Line   int    // from 1
	Name   string // "policy_decision", …
	Fields map[string]any
	Text   string // the line
}

// Word is a field of an event as text; "" when it has none.
func (e Event) Word(field string) string {
	switch v := e.Fields[field].(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// The kinds of events that say something of a run's state.
const (
	Decision        = "policy_decision"
	CheckpointEvent = "checkpoint"
	Committed       = "effect_committed"
	Reused          = "effect_reused"
	Outcome         = "outcome"
)

// IsEffect reports whether the executor was at work.
func (e Event) IsEffect() bool { return e.Name == Committed || e.Name == Reused }

// Problem is what keeps an artifact from being read as what its name says, or part of it.
type Problem struct {
	File  string
	Line  int    // in a trace; 0: the file as a whole
	Cause string // a clause: "it is no JSON"
	Extra []string
}

// Artifacts are what the files of one folder say.
type Artifacts struct {
	Files      Files
	Checkpoint *fieldnotes.Checkpoint       // nil: absent or unreadable
	Effects    map[string]fieldnotes.Effect // nil: absent or unreadable
	Trace      []Event
	Unfinished bool // the trace ends in a line that was never finished
	Problems   []Problem
}

// Parse reads the artifacts. What cannot be read is among the problems.
func Parse(files Files) Artifacts {
	a := Artifacts{Files: files}
	if data, there := files[fieldnotes.CheckpointFile]; there {
		a.checkpoint(data)
	}
	if data, there := files[fieldnotes.EffectsFile]; there {
		a.effects(data)
	}
	if data, there := files[fieldnotes.TraceFile]; there {
		a.trace(data)
	}
	return a
}

// Has reports whether the folder has a file, readable or not.
func (a Artifacts) Has(name string) bool { _, there := a.Files[name]; return there }

// Keys are the idempotency keys of the effects, sorted.
func (a Artifacts) Keys() []string {
	keys := make([]string, 0, len(a.Effects))
	for key := range a.Effects {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (a *Artifacts) problem(file string, line int, cause string, extra ...string) {
	a.Problems = append(a.Problems, Problem{File: file, Line: line, Cause: cause, Extra: extra})
}

// checkpointFields are the fields that a checkpoint may have: nothing of the proposal or of a conversation.
func checkpointFields() []string {
	return []string{"version", "run_id", "phase", "step", "budget_left", "idempotency_key", "stop_reason", "recovered"}
}

func (a *Artifacts) checkpoint(data []byte) {
	fields, err := object(data)
	if err != nil {
		a.problem(fieldnotes.CheckpointFile, 0, err.Error())
		return
	}
	if extra := beside(fields, checkpointFields()...); extra != nil {
		a.problem(fieldnotes.CheckpointFile, 0, "it holds more than a checkpoint needs", extra...)
		for _, name := range extra {
			delete(fields, name)
		}
	}
	var c fieldnotes.Checkpoint
	if err := into(fields, &c); err != nil {
		a.problem(fieldnotes.CheckpointFile, 0, err.Error())
		return
	}
	a.Checkpoint = &c
}

func (a *Artifacts) effects(data []byte) {
	fields, err := object(data)
	if err != nil {
		a.problem(fieldnotes.EffectsFile, 0, err.Error())
		return
	}
	effects := map[string]fieldnotes.Effect{}
	for key, value := range fields {
		inner, err := object(value)
		var effect fieldnotes.Effect
		if extra := beside(inner, "tenant", "order_id", "status"); err == nil && extra != nil {
			err = fmt.Errorf("it has the field %s, which no effect has", extra[0])
		}
		if err == nil {
			err = into(inner, &effect)
		}
		if err != nil {
			a.problem(fieldnotes.EffectsFile, 0, fmt.Sprintf("the effect under %q: %v", key, err))
			return
		}
		effects[key] = effect
	}
	a.Effects = effects
}

func (a *Artifacts) trace(data []byte) {
	lines := bytes.Split(data, []byte("\n"))
	last := len(lines) - 1
	a.Unfinished = len(lines[last]) > 0
	for i, line := range lines[:last] { // what follows the last line's end was never finished
		event := Event{Line: i + 1, Text: string(line)}
		fields, err := object(line)
		if err == nil {
			err = into(fields, &event.Fields)
		}
		if err == nil {
			event.Name = event.Word("event")
			if event.Name == "" {
				err = errors.New("it names no event")
			}
		}
		if err != nil {
			a.problem(fieldnotes.TraceFile, event.Line, err.Error())
			continue
		}
		a.Trace = append(a.Trace, event)
	}
}

// object reads one JSON object, whose names it has once each.
func object(data []byte) (map[string]json.RawMessage, error) {
	if _, err := canonical.Format(data); err != nil {
		// A number with a fraction has no canonical form, and a trace may hold one.
		if problem := (*canonical.Error)(nil); !errors.As(err, &problem) || !json.Valid(data) || problem.Problem != canonical.Number {
			return nil, fmt.Errorf("it cannot be read as JSON: %w", err)
		}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil || fields == nil {
		return nil, errors.New("it holds no JSON object")
	}
	return fields, nil
}

// beside are the names of an object that are none of the known ones, letter for letter, sorted.
func beside(fields map[string]json.RawMessage, known ...string) []string {
	var extra []string
	for name := range fields {
		if !slices.Contains(known, name) {
			extra = append(extra, name)
		}
	}
	slices.Sort(extra)
	return extra
}

// into decodes an object whose fields were read into a value that has those fields.
func into(fields map[string]json.RawMessage, to any) error {
	data, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(to); err != nil {
		return errors.New("its fields are not those of the format: " + strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}
