package task

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"fieldbook/grader"
	"fieldbook/handoff"
	teaching "fieldbook/runtime"
)

// Provenance is what a handoff says of the work besides its result.
type Provenance struct {
	Unit             string // "ch19-a"
	StartingEvidence string // INDEPENDENT_UNIT_A, LEARNER_SELECTED, SUPPLIED_REFERENCE
	Prediction       string // digest of the prediction, or handoff.None
	Previous         string // digest of the handoff that this one continues, or handoff.None
	Attempts         int64  // executions of this exercise, the last one included
}

// Save writes a handoff of what is installed to path, replacing what is there. It needs a visible PASS of this very install,
// and executes a second time: the report is that of the second execution, and only when its verdict is PASS was a handoff
// written; its digest is returned then.
func (t *Task) Save(ctx context.Context, path string, p Provenance, key ed25519.PrivateKey) (grader.Report, string, error) {
	if t.passed == nil {
		return t.blank(LabelVisible), "", &grader.Error{
			Code: "handoff_not_ready", Exit: grader.ExitNeedsWork,
			Message: "no handoff is written: what is installed has not passed the visible probe",
			Hint:    "Run the exercise until its verdict is PASS.",
		}
	}
	report, agree, err := t.twice(ctx, LabelVisible, t.result)
	if err != nil || !agree || report.Verdict != grader.Pass {
		return report, "", err
	}
	data, err := handoff.Sign(t.record(p, report), key)
	if err != nil {
		return report, "", fmt.Errorf("sign the handoff: %w", err)
	}
	if err := handoff.WriteFile(path, data, 0o644); err != nil {
		return report, "", fmt.Errorf("write the handoff: %w", err)
	}
	return report, handoff.Digest(data), nil
}

func (t *Task) record(p Provenance, report grader.Report) handoff.Record {
	limits := t.exercise.Limits
	c := t.Circumstances(report)
	return handoff.Record{
		Exercise: t.exercise.Name, Unit: p.Unit, Edition: t.options.Edition, StartingEvidence: p.StartingEvidence,
		Runtime: teaching.Digest(), Probes: t.ProbeDigest(),
		Engine: c.Engine, Tools: c.Tools, Sandbox: c.Sandbox,
		Limits:     handoff.Limits{Wall: limits.Wall, CPU: limits.CPU, Memory: limits.Memory, Output: limits.Output, Disk: limits.Disk},
		Prediction: p.Prediction, Attempts: p.Attempts, Previous: p.Previous,
		Implementation: t.files(),
		Result:         t.result,
		Verdict:        string(report.Verdict),
		Environment:    c.Environment,
	}
}

// Circumstances are what a run was made with, as handoffs and receipts hold it.
type Circumstances struct {
	Engine      handoff.Component
	Tools       []handoff.Component
	Sandbox     handoff.Sandbox
	Environment handoff.Environment
}

// Circumstances are those of a report's run.
func (t *Task) Circumstances(report grader.Report) Circumstances {
	env := report.Environment
	return Circumstances{
		Engine: t.options.engineVersion(env.Engine), Tools: Tools(),
		Sandbox: handoff.Sandbox{Level: env.Sandbox, Layers: env.Layers},
		Environment: handoff.Environment{
			Created: t.options.Now(), Elapsed: env.Elapsed.Total(),
			OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: int64(runtime.NumCPU()),
		},
	}
}

// files are the installed files as a handoff holds them.
func (t *Task) files() []handoff.File {
	var files []handoff.File
	for _, s := range t.installed.sources {
		files = append(files, handoff.File{Path: s.Path, Text: string(s.Text)})
	}
	slices.SortFunc(files, func(a, b handoff.File) int { return strings.Compare(a.Path, b.Path) })
	return files
}

// ProbeDigest identifies what the visible result is made with: the exercise's declaration and its probe.
func (t *Task) ProbeDigest() string {
	var files []handoff.File
	for _, name := range []string{"exercise.yaml", t.exercise.Probe} {
		// Every embedded exercise has the files that it names: the registry checks that.
		if text, err := t.exercise.File(name); name != "" && err == nil {
			files = append(files, handoff.File{Path: name, Text: string(text)})
		}
	}
	return handoff.ImplementationDigest(files)
}

// Expect is what a handoff of this exercise must be about, whichever unit wrote it.
func (t *Task) Expect() handoff.Expect {
	return handoff.Expect{Exercise: t.exercise.Name, Edition: t.options.Edition, Runtime: teaching.Digest(), Probes: t.ProbeDigest()}
}

// Load verifies the handoff at path and installs what it holds. A handoff that fails is refused and nothing is installed.
// When the engine refuses the implementation, which a changed program alone can bring about, the report says why.
func (t *Task) Load(ctx context.Context, path string) (*handoff.Handoff, grader.Report, error) {
	h, err := handoff.Load(path, t.Expect())
	if err != nil {
		return nil, t.blank("LOAD"), err
	}
	report, err := t.Adopt(ctx, h)
	return h, report, err
}

// Adopt installs the implementation of a handoff that was verified already.
func (t *Task) Adopt(ctx context.Context, h *handoff.Handoff) (grader.Report, error) {
	var sources []Source
	for _, f := range h.Implementation {
		sources = append(sources, Source{Path: f.Path, Name: f.Path, Text: []byte(f.Text)})
	}
	t.installed = set{}
	return t.Install(ctx, sources...)
}

// Reexecute runs the visible probe on an adopted handoff, twice, and reports whether it gives the bytes that the handoff
// holds as its result: integrity is proved by the hash, behaviour only by this.
func (t *Task) Reexecute(ctx context.Context, h *handoff.Handoff) (report grader.Report, same bool, err error) {
	report, err = t.Visible(ctx)
	report.Label = LabelBaseline
	if err != nil || report.Verdict != grader.Pass {
		return report, false, err
	}
	first := t.result
	report, agree, err := t.twice(ctx, LabelBaseline, first)
	if err != nil || !agree {
		return report, false, err
	}
	return report, bytes.Equal(first, h.Result), nil
}
