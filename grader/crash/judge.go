package crash

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/runtime/world"
)

// Verdict is whether an invariant holds in a state.
type Verdict string

// The verdicts. Unread is neither: the state cannot be read far enough to tell, which another invariant says.
const (
	Holds  Verdict = "holds"
	Broken Verdict = "broken"
	Unread Verdict = "unread"
)

// Finding is the verdict on one invariant in one state, and why, where it does not hold.
type Finding struct {
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
}

// Fact is what a state says about one thing, in words: "shop.authority", "b90f… 32 bytes".
type Fact struct {
	Of   string `json:"of"`
	Text string `json:"text"`
}

// judge judges states by an exercise's invariants, except those that ask for another run.
type judge struct {
	exercise  *exercises.Exercise
	evaluator *probe.Evaluator
	temp      string // folder for private copies

	base   Files
	before reading
	after  reading
	known  map[string]bool // ids that are there before the learner's call
}

// reading is what was read of a state.
type reading struct {
	values     map[string]world.Value
	unreadable map[string]bool                    // values that could not be read
	databases  map[string]grader.DatabaseSnapshot // those that an invariant compares
	damaged    map[string]string                  // databases that do not open or do not pass their check, and why
}

// read reads a state in a folder of its own, since reading a database applies its log.
func (j *judge) read(ctx context.Context, state Files) (reading, error) {
	r := reading{
		values: map[string]world.Value{}, unreadable: map[string]bool{},
		databases: map[string]grader.DatabaseSnapshot{}, damaged: map[string]string{},
	}
	folder, err := os.MkdirTemp(j.temp, "state-")
	if err != nil {
		return r, fmt.Errorf("make a folder for a state: %w", err)
	}
	defer os.RemoveAll(folder)
	if err := j.write(state, folder); err != nil {
		return r, fmt.Errorf("write a state: %w", err)
	}
	reader := probe.NewReader(folder)
	defer reader.Close()
	for _, v := range j.exercise.Crash.Invariants {
		if v.Intact != "" && !v.Again {
			if err := unreadable(reader.Intact(ctx, v.Intact), func(err error) { r.damaged[v.Intact] = err.Error() }); err != nil {
				return r, err
			}
		}
		if v.Unchanged != "" {
			snapshot, err := reader.Database(ctx, v.Unchanged)
			if err := unreadable(err, func(error) {}); err != nil {
				return r, err
			}
			if err == nil {
				r.databases[v.Unchanged] = snapshot
			}
		}
	}
	return r, j.readValues(ctx, reader, state, &r)
}

// write puts the databases that are read into a folder, with their logs and journals.
func (j *judge) write(state Files, folder string) error {
	var artifacts []string
	for _, v := range j.exercise.Crash.Invariants {
		artifacts = append(artifacts, v.Intact, v.Unchanged)
	}
	for _, v := range j.exercise.Crash.Values {
		artifacts = append(artifacts, v.Artifact)
	}
	for name, data := range state.data {
		database := strings.TrimSuffix(strings.TrimSuffix(name, "-wal"), "-journal")
		if !slices.Contains(artifacts, database) {
			continue
		}
		at := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (j *judge) readValues(ctx context.Context, reader *probe.Reader, state Files, r *reading) error {
	for _, v := range j.exercise.Crash.Values {
		if v.File != "" {
			r.values[v.Name] = fileValue(state, v.File)
			continue
		}
		value, err := reader.Value(ctx, v.Artifact, v.Query, world.Absent)
		if err := unreadable(err, func(error) { r.unreadable[v.Name] = true }); err != nil {
			return err
		}
		r.values[v.Name] = value
	}
	return nil
}

// unreadable passes an error about a state to told, and returns every other one.
func unreadable(err error, told func(error)) error {
	var state *probe.UnreadableError
	if errors.As(err, &state) {
		told(state.Cause)
		return nil
	}
	return err
}

// fileValue is a file's contents: absent when it is missing, and like a blob of SQLite, x'…', when they are no text.
func fileValue(state Files, name string) world.Value {
	data, ok := state.data[name]
	switch {
	case !ok:
		return world.Value{}
	case utf8.Valid(data) && !bytes.ContainsRune(data, 0):
		return world.StringValue(string(data))
	default:
		return world.StringValue(fmt.Sprintf("x'%x'", data))
	}
}

// findings judges what was read of a state by every invariant that is not about another run.
func (j *judge) findings(ctx context.Context, state Files, r reading) (map[string]Finding, error) {
	findings := map[string]Finding{}
	for _, v := range j.exercise.Crash.Invariants {
		if v.Again {
			continue
		}
		finding, err := j.finding(ctx, v, state, r)
		if err != nil {
			return nil, fmt.Errorf("judge %s: %w", v.ID, err)
		}
		findings[v.ID] = finding
	}
	return findings, nil
}

func (j *judge) finding(ctx context.Context, v exercises.Invariant, state Files, r reading) (Finding, error) {
	switch {
	case v.Intact != "":
		if reason, damaged := r.damaged[v.Intact]; damaged {
			return Finding{Broken, reason}, nil
		}
		return Finding{Verdict: Holds}, nil
	case v.Same != "":
		return j.same(v.Same, state), nil
	case v.Unchanged != "":
		return j.unchanged(ctx, v, r)
	default:
		return j.holds(ctx, v.Holds, r)
	}
}

func (j *judge) same(name string, state Files) Finding {
	data, ok := state.data[name]
	switch {
	case !ok:
		return Finding{Broken, name + " is missing"}
	case !bytes.Equal(data, j.base.data[name]):
		return Finding{Broken, name + " has other bytes"}
	}
	return Finding{Verdict: Holds}
}

// unchanged compares every row with the base.
func (j *judge) unchanged(ctx context.Context, v exercises.Invariant, r reading) (Finding, error) {
	if v.When != "" {
		truth, unread, err := j.truth(ctx, v.When, r)
		if err != nil || unread {
			return Finding{Verdict: Unread}, err
		}
		if truth != probe.True {
			return Finding{Verdict: Holds}, nil
		}
	}
	got, readable := r.databases[v.Unchanged]
	if !readable {
		return Finding{Verdict: Unread}, nil
	}
	want := grader.Snapshot{Databases: []grader.DatabaseSnapshot{j.before.databases[v.Unchanged]}}
	comparison := probe.Comparison{Known: j.known, Events: j.exercise.Events}
	for _, d := range comparison.Compare(want, grader.Snapshot{Databases: []grader.DatabaseSnapshot{got}}) {
		if !slices.Contains(v.Except, d.Cell.Table+"."+d.Cell.Column) {
			return Finding{Broken, d.String()}, nil
		}
	}
	return Finding{Verdict: Holds}, nil
}

func (j *judge) holds(ctx context.Context, expression string, r reading) (Finding, error) {
	truth, unread, err := j.truth(ctx, expression, r)
	switch {
	case err != nil:
		return Finding{}, err
	case unread:
		return Finding{Verdict: Unread}, nil
	case truth != probe.True:
		return Finding{Verdict: Broken}, nil
	}
	return Finding{Verdict: Holds}, nil
}

// truth evaluates an expression over what was read. It is unread when it says nothing because of a value that could not be.
func (j *judge) truth(ctx context.Context, expression string, r reading) (truth probe.Truth, unread bool, err error) {
	values := map[string]world.Value{}
	for name := range r.values {
		values[name] = r.values[name]
		values[exercises.BeforePrefix+name] = j.before.values[name]
		values[exercises.AfterPrefix+name] = j.after.values[name]
	}
	if truth, err = j.evaluator.Truth(ctx, expression, values); err != nil || truth != probe.Unknown {
		return truth, false, err
	}
	for _, word := range exercises.Words(expression) {
		unread = unread || r.unreadable[word]
	}
	return truth, unread, nil
}

// facts tells what a state says, one fact for each thing that values belong to.
func (j *judge) facts(state Files, r reading) []Fact {
	var facts []Fact
	for _, v := range j.exercise.Crash.Values {
		if v.Of == "" {
			continue
		}
		text := v.Name + " " + short(r.values[v.Name])
		switch {
		case v.File != "":
			text = fileWords(state, v.File)
		case r.unreadable[v.Name]:
			text = v.Name + " cannot be read"
		}
		if n := len(facts) - 1; n >= 0 && facts[n].Of == v.Of {
			facts[n].Text += "  " + text
		} else {
			facts = append(facts, Fact{Of: v.Of, Text: text})
		}
	}
	return facts
}

// fileWords tells what a file holds.
func fileWords(state Files, name string) string {
	data, ok := state.data[name]
	switch {
	case !ok:
		return "missing"
	case len(data) == 0:
		return "empty  0 bytes"
	case len(data) == 1:
		return short(fileValue(state, name)) + "  1 byte"
	default:
		return fmt.Sprintf("%s  %d bytes", short(fileValue(state, name)), len(data))
	}
}

// shortText is how much of a longer text is shown.
const shortText = 24

// short is a value for a reader: an identity by its first digits, a long text by its beginning.
func short(v world.Value) string {
	switch v.Kind() {
	case world.Absent, world.Null:
		return "none"
	}
	text := v.String()
	if s, ok := v.AsString(); ok {
		text = grader.Visible([]byte(strings.Join(strings.Fields(s), " ")))
	}
	switch {
	case len(text) >= 16 && len(text) <= 64 && strings.Trim(text, "0123456789abcdef") == "":
		return text[:4] + "…"
	case utf8.RuneCountInString(text) > shortText:
		return string([]rune(text)[:shortText]) + "…"
	}
	return text
}
