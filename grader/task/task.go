package task

import (
	"context"
	"fmt"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	teaching "fieldbook/runtime"
)

// Options are what a task works with. All of them are needed but for Engines and Require.
type Options struct {
	Engine Preparer // checks, and prepares for the interpreter
	Engines
	Pool    *sandbox.Pool    // of workers that interpret
	Require string           // sandbox level below which nothing is run, as the pool's own; "" is any
	Edition string           // of the course, "student"
	Now     func() time.Time // wall clock, for records alone

	// Decided, when set, is called with the report of a run of a probe as soon as its verdict is known, before the worlds at
	// the probe's marks are read.
	Decided func(grader.Report)
}

// Preparer checks programs and makes them ready to run: the engine in this process, or package check, which has a worker do
// it. See engine.Engine.Prepare.
type Preparer interface {
	Prepare(context.Context, engine.Program) (*engine.Prepared, []grader.Diagnostic, error)
}

// visibleSeed is the seed of the ids in visible runs. It is the same for everyone and for ever: whoever executes a handoff
// again gets the same bytes. Of its ids, the first begins with 7c1e and the third with b90f: a shop's first epoch, and the
// one drawn after one request was stored. The course's texts call these two histories by those digits.
const visibleSeed = 1758211051

// Task is one exercise with, at most, one installed set of a learner's files. Its methods may not be called concurrently.
type Task struct {
	options   Options
	exercise  *exercises.Exercise
	runner    *probe.Runner
	originals string // digest of the supplied files when the task was made

	installed set
	passed    *grader.Report // the visible report of this very install, when it was a PASS
	result    []byte         // its canonical result
}

// set is a set of files in their places and, when it was made already, the program in which the visible probe drives them.
type set struct {
	sources []Source // in the order in which the exercise lists their places
	visible *engine.Prepared
	check   time.Duration // what making it took
}

// New makes a task for an exercise with a private copy of the runtime.
func New(o Options, e *exercises.Exercise) (*Task, error) {
	return &Task{options: o, exercise: e, runner: o.runner(), originals: teaching.Digest()}, nil
}

func (o Options) runner() *probe.Runner { return &probe.Runner{Pool: o.Pool, Require: o.Require} }

// Exercise is the exercise that the task is about.
func (t *Task) Exercise() *exercises.Exercise { return t.exercise }

// Installed is the set of files that is installed, nil when none is.
func (t *Task) Installed() []Source { return append([]Source(nil), t.installed.sources...) }

// Close ends the task.
func (t *Task) Close() error {
	t.installed, t.passed, t.result = set{}, nil, nil
	return nil
}

// Install checks a learner's files and puts them in their places. When they do not fit, the report has the outcome and the
// diagnostics, and what was installed before stays; else its Outcome is "".
func (t *Task) Install(ctx context.Context, sources ...Source) (grader.Report, error) {
	report := t.blank("INSTALL")
	sources, err := t.arrange(sources)
	if err != nil {
		return report, err
	}
	visible, err := t.visibleProgram()
	if err != nil {
		return report, err
	}
	prepared, err := t.ready(ctx, &report, sources, visible)
	if err != nil || prepared == nil {
		return report, err
	}
	t.installed = set{sources: sources, visible: prepared, check: report.Environment.Elapsed.Check}
	t.passed, t.result = nil, nil
	return report, nil
}

// arrange orders sources as the exercise lists their places and completes the set with what is installed already.
func (t *Task) arrange(sources []Source) ([]Source, error) {
	given := map[string]Source{}
	for _, s := range append(t.Installed(), sources...) {
		given[s.Path] = s
	}
	var set []Source
	for _, r := range t.exercise.Replaces {
		if s, ok := given[r.File]; ok {
			set = append(set, s)
			delete(given, r.File)
		}
	}
	for path := range given {
		return nil, &grader.Error{
			Code: "source_place", Exit: grader.ExitUsage,
			Message: fmt.Sprintf("the exercise %s does not replace %s", t.exercise.Name, path),
			Hint:    "Install only the files that the exercise lists.",
		}
	}
	if len(set) == 0 {
		return nil, &grader.Error{Code: "source_none", Exit: grader.ExitUsage, Message: "no file was given to install", Hint: "Name a Go file with --file."}
	}
	return set, nil
}

// program is what drives the installed files: a probe's source, or the function itself.
type program struct {
	probe []byte // nil: a direct exercise
	own   bool   // the probe is the student's copy: its faults are diagnostics
	name  string // of the student's copy, in messages

	several [][]byte // probes in one program, instead of probe; see together
}

func (t *Task) visibleProgram() (program, error) {
	if t.exercise.Kind == exercises.Direct {
		return program{}, nil
	}
	return t.supplied(t.exercise.Probe)
}

// supplied is a probe out of the exercise's folder.
func (t *Task) supplied(file string) (program, error) {
	text, err := t.exercise.File(file)
	if err != nil {
		return program{}, fmt.Errorf("read the probe %s of %s: %w", file, t.exercise.Name, err)
	}
	return program{probe: text}, nil
}

// probePath is where a probe lies in the copy, beside the runtime.
const probePath = "probe/probe.go"

// prepare checks the copy with sources in their places and makes it ready to run.
func (t *Task) prepare(ctx context.Context, sources []Source, p program) (*engine.Prepared, []grader.Diagnostic, error) {
	if now := teaching.Digest(); now != t.originals {
		return nil, nil, fmt.Errorf("the supplied files have changed under this task: %s, then %s", t.originals, now)
	}
	e := t.exercise
	program := engine.Program{Rules: engine.Rules{RefuseClock: e.Kind == exercises.Source, RefuseInit: true}}
	for _, s := range sources {
		file := engine.Source{Path: s.Path, Name: s.Name, Text: s.Text, Learner: true}
		for _, r := range e.Replaces {
			if r.File == s.Path {
				for _, f := range r.Functions {
					file.Functions = append(file.Functions, engine.FunctionSpec{Name: f.Name, Signature: f.Signature})
				}
			}
		}
		program.Sources = append(program.Sources, file)
	}
	switch {
	case p.several != nil:
		program.Sources = append(program.Sources, together(p.several)...)
		program.Entry = engine.Entry{Package: engine.ImportPath(probePath), Function: "Probe"}
	case p.probe == nil:
		r := e.Replaces[0]
		program.Entry = engine.Entry{Package: engine.ImportPath(r.File), Function: r.Functions[0].Name}
	default:
		program.Sources = append(program.Sources, engine.Source{
			Path: probePath, Name: p.name, Text: p.probe, Learner: p.own,
			Functions: []engine.FunctionSpec{{Name: "Probe", Signature: "func(ctx context.Context, w *world.World) (world.Observation, error)"}},
		})
		program.Entry = engine.Entry{Package: engine.ImportPath(probePath), Function: "Probe"}
	}
	prepared, diagnostics, err := t.options.prepare(ctx, program)
	if err != nil {
		return nil, nil, fmt.Errorf("prepare %s: %w", e.Name, err)
	}
	return prepared, diagnostics, nil
}
