package task

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/fault"
	"fieldbook/grader/probe"
)

// Injection is what a search for a fault found and what the fault does.
type Injection struct {
	Fault       string             `json:"fault"`
	Found       bool               `json:"found"`
	Supplied    bool               `json:"supplied"` // SUPPLIED_FAULT: the author's broken function took the learner's place
	Path        string             `json:"path"`     // the file that was changed
	Edit        fault.Edit         `json:"edit"`
	Before      []string           `json:"before,omitempty"` // the learner's lines
	After       []string           `json:"after,omitempty"`  // the same lines, injected
	Candidate   int                `json:"candidate"`        // number of the edit that fits
	Candidates  int                `json:"candidates"`       // edits there are
	Elapsed     time.Duration      `json:"elapsed_ns"`
	Source      []byte             `json:"-"` // the changed file
	Good        grader.Report      `json:"good"`
	Broken      grader.Report      `json:"broken"`
	Differences []probe.Difference `json:"differences"` // of the two worlds when the function has returned
}

// InjectFault breaks what is installed in the way that the exercise declares under that name. The installed source stays as
// it is; the injected one is in the Injection. Found is false when no edit gives exactly the declared behaviour.
func (t *Task) InjectFault(ctx context.Context, name string) (Injection, error) {
	declared, err := t.fault(name)
	if err != nil {
		return Injection{}, err
	}
	if len(t.installed.sources) == 0 {
		return Injection{}, &grader.Error{Code: "not_installed", Exit: grader.ExitUsage, Message: "there is nothing to inject a fault into", Hint: "Install a source or load a handoff first."}
	}
	begun := time.Now()
	i := injector{task: t.searching(), fault: declared}
	injection, err := i.search(ctx)
	injection.Fault, injection.Elapsed = name, time.Since(begun)
	return injection, err
}

func (t *Task) fault(name string) (exercises.Fault, error) {
	known := ""
	for _, f := range t.exercise.Faults {
		if f.Name == name {
			return f, nil
		}
		known += " " + f.Name
	}
	return exercises.Fault{}, &grader.Error{
		Code: "unknown_fault", Exit: grader.ExitUsage,
		Message: fmt.Sprintf("the exercise %s has no fault %q", t.exercise.Name, name),
		Hint:    "The faults are:" + known,
	}
}

// searching is the task as it tries candidates: hundreds of them, so that one engine has to do. What the interpreter runs
// right it does not leave to a build because a candidate is something that it would run wrong.
func (t *Task) searching() *Task {
	one := *t
	one.options.Referee = false
	if v := t.installed.visible; v != nil && v.Binary == "" {
		one.options.Choice = Interpreter
	}
	if one.installed.visible != nil && one.installed.visible.Other != nil {
		first := *one.installed.visible
		first.Other = nil
		one.installed.visible = &first
	}
	return &one
}

// injector looks for one fault in what a task has installed.
type injector struct {
	task  *Task
	fault exercises.Fault
	probe program
	good  moment
	limit grader.Limits // of a candidate: one that loops must not hold up the search
}

// moment is a world right after the learner's function returned, and what the world probe said of it.
type moment struct {
	snapshot grader.Snapshot
	fields   map[string]string
	known    map[string]bool // ids from before the call
}

func (i *injector) search(ctx context.Context) (Injection, error) {
	var injection Injection
	var err error
	if injection.Good, _, err = i.task.visible(ctx, LabelBaseline, i.task.installed); err != nil || injection.Good.Verdict != grader.Pass {
		return injection, err
	}
	if i.fault.Kind == exercises.Swap { // there is no edit to look for
		return injection, i.swap(ctx, &injection)
	}
	if i.probe, err = i.task.supplied(i.fault.Probe); err != nil {
		return injection, err
	}
	begun := time.Now()
	good, ok, err := i.world(ctx, i.task.installed.sources)
	if err != nil || !ok {
		return injection, err
	}
	i.good = good
	i.limit = i.task.exercise.Limits
	i.limit.Wall = max(20*time.Since(begun), time.Second)
	for _, source := range i.task.installed.sources {
		found, err := fault.Search(ctx, source.Text, runtime.NumCPU(), func(ctx context.Context, candidate []byte) (bool, error) {
			return i.fits(ctx, i.with(source.Path, candidate))
		})
		if err != nil {
			return injection, err
		}
		if found == nil {
			continue
		}
		injection.Found, injection.Path, injection.Edit, injection.Source = true, source.Path, found.Edit, found.Source
		injection.Candidate, injection.Candidates = found.Number, found.Total
		injection.Before, injection.After = found.Edit.Lines(source.Text)
		return injection, i.describe(ctx, &injection)
	}
	return injection, i.swap(ctx, &injection)
}

// swap puts the author's broken function in the learner's place, labelled as supplied, when no edit of the learner's own
// gives the fault.
func (i *injector) swap(ctx context.Context, injection *Injection) error {
	if i.fault.Supplied == "" {
		return nil
	}
	text, err := i.task.exercise.File(i.fault.Supplied)
	if err != nil {
		return fmt.Errorf("read the supplied fault %s: %w", i.fault.Name, err)
	}
	path := i.task.installed.sources[0].Path
	fits, err := i.fits(ctx, i.with(path, text))
	if err != nil || !fits {
		return err
	}
	injection.Found, injection.Supplied, injection.Path, injection.Source = true, true, path, text
	return i.describe(ctx, injection)
}

// with is the installed set with one file's text replaced.
func (i *injector) with(path string, text []byte) []Source {
	set := i.task.Installed()
	for n := range set {
		if set[n].Path == path {
			set[n].Text = text
		}
	}
	return set
}

// fits reports whether a candidate is the fault: it type-checks, the function succeeds as before, its world differs in the
// declared cells alone, and the visible probe then shows what is declared to be broken. Of an author's function only the
// last is asked: no cells are declared for it.
func (i *injector) fits(ctx context.Context, candidate []Source) (bool, error) {
	if i.fault.Kind != exercises.Swap {
		broken, ok, err := i.world(ctx, candidate)
		if err != nil || !ok || !i.declared(i.differences(broken)) {
			return false, err
		}
		for name, value := range i.good.fields {
			if broken.fields[name] != value {
				return false, nil
			}
		}
	}
	report, _, err := i.task.visible(ctx, LabelInjected, set{sources: candidate})
	if err != nil {
		return false, err
	}
	return i.shows(report), nil
}

// world runs the fault's world probe; false when the source does not run to an observation.
func (i *injector) world(ctx context.Context, sources []Source) (moment, bool, error) {
	prepared, diagnostics, err := i.task.prepare(ctx, sources, i.probe)
	if err != nil || len(diagnostics) > 0 {
		return moment{}, false, err
	}
	run := i.task.run(prepared)
	if i.limit.Wall > 0 {
		run.Limits = i.limit
	}
	execution, err := i.task.runner.Probe(ctx, run)
	if err != nil {
		return moment{}, false, err
	}
	defer execution.Close()
	if execution.Outcome != grader.Observed {
		return moment{}, false, nil
	}
	m := moment{fields: map[string]string{}}
	for name, value := range execution.Observation.Fields() {
		m.fields[name] = string(value.Kind()) + " " + value.String()
	}
	if m.snapshot, err = probe.ReadSnapshot(ctx, execution.Folder); err != nil {
		var unreadable *probe.UnreadableError
		if errors.As(err, &unreadable) {
			return moment{}, false, nil
		}
		return moment{}, false, err
	}
	m.known, err = probe.KnownBefore(ctx, execution.Operations)
	return m, err == nil, err
}

func (i *injector) differences(broken moment) []probe.Difference {
	return probe.Comparison{Known: i.good.known, Events: i.task.exercise.Events}.Compare(i.good.snapshot, broken.snapshot)
}

// declared reports whether the differences are the declared cells, all of them and nothing else.
func (i *injector) declared(found []probe.Difference) bool {
	if len(found) != len(i.fault.Differs) {
		return false
	}
	for _, want := range i.fault.Differs {
		matched := false
		for _, d := range found {
			matched = matched || d.Cell.Database == want.Database && d.Cell.Table == want.Table && d.Cell.Column == want.Column && d.Got.Equal(want.Value)
		}
		if !matched {
			return false
		}
	}
	return true
}

// shows reports whether the visible probe observed exactly what is declared to be broken; the other fields are as expected.
func (i *injector) shows(report grader.Report) bool {
	if report.Outcome != grader.Observed {
		return false
	}
	broken := map[string]exercises.BrokenField{}
	for _, b := range i.fault.Broken {
		broken[b.Field] = b
	}
	for _, f := range report.Fields {
		want := f.Expected
		if b, ok := broken[f.Name]; ok {
			want = b.Value
		}
		if !f.Observed.Equal(want) {
			return false
		}
	}
	return true
}

// describe runs the injected source once more for its report and the cells that differ.
func (i *injector) describe(ctx context.Context, injection *Injection) error {
	injected := i.with(injection.Path, injection.Source)
	report, _, err := i.task.visible(ctx, LabelInjected, set{sources: injected})
	if err != nil {
		return err
	}
	injection.Broken = report
	if i.fault.Kind == exercises.Swap {
		return nil
	}
	broken, ok, err := i.world(ctx, injected)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("the injected fault %s did not run a second time", i.fault.Name)
	}
	injection.Differences = i.differences(broken)
	return nil
}
