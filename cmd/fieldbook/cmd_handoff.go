package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/handoff"
	"fieldbook/handoff/archive"
	"fieldbook/handoff/submission"
	"fieldbook/units"
)

func (p *program) handoffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "handoff",
		Short: "Show, verify or execute a handoff",
		Long: `A handoff carries your implementation and its evidence from Unit A to Unit B and to your instructor. Its bytes are hashed
and signed. A hash proves integrity; only execution proves behaviour.`,
		Args:        takes("show|verify|run", "[FILE]"),
		Annotations: exitStatus(1, 4, 5, 6),
		RunE: p.does(func(_ context.Context, _ *cobra.Command, args []string) error {
			return usage("usage", "%q is not one of show, verify, run", "See `fieldbook handoff --help`.", args[0])
		}),
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "show FILE", Short: "Print what a handoff says", Args: takes("FILE"), Annotations: exitStatus(4, 6),
			Long: `Show verifies bytes, signature and digests, and prints what the handoff says, also when it is of another edition.

JSON: digest, key_id, implementation_digest, handoff{exercise, unit, edition, starting_evidence, runtime, probes, engine,
tools, sandbox, limits, prediction, attempts, implementation, result, verdict, previous, environment}.`,
			RunE: p.does(func(_ context.Context, _ *cobra.Command, args []string) error { return p.handoffShow(args[0]) }),
		},
		&cobra.Command{
			Use: "verify FILE", Short: "Check a handoff's bytes, signature and digests", Args: takes("FILE"), Annotations: exitStatus(4, 6),
			Long: `Verify checks that the file is byte for byte what was signed, and that it belongs to this edition and runtime. It
executes nothing: what the code does, ` + "`fieldbook handoff run`" + ` shows. FILE may also be the archive of a submission: then the
archive and each handoff in it are checked.

JSON: verdict, file, digest, key_id, exercise, unit, implementation_digest; for an archive verdict, file, digest, unit,
files[], handoffs[] (as for a handoff).`,
			RunE: p.does(func(_ context.Context, _ *cobra.Command, args []string) error { return p.handoffVerify(args[0]) }),
		},
		&cobra.Command{
			Use: "run FILE", Short: "Execute a handoff again and compare", Args: takes("FILE"), Annotations: exitStatus(1, 3, 4, 5, 6),
			Long: `Run verifies a handoff, installs the implementation that it holds and executes the visible probe twice. The result must
be the recorded one, byte for byte.

JSON: verdict, file, digest, key_id, exercise, unit, same_result, report (as in run).`,
			RunE: p.does(func(ctx context.Context, _ *cobra.Command, args []string) error { return p.handoffRun(ctx, args[0]) }),
		},
	)
	return cmd
}

// shownHandoff is the object that handoff show prints.
type shownHandoff struct {
	Digest         string          `json:"digest"`
	KeyID          string          `json:"key_id"`
	Implementation string          `json:"implementation_digest"`
	Handoff        json.RawMessage `json:"handoff"`
}

func (p *program) handoffShow(file string) error {
	h, err := handoff.Load(p.path(file), handoff.Expect{})
	if err != nil {
		return err
	}
	record, err := json.Marshal(h.Record)
	if err != nil {
		return err
	}
	result := shownHandoff{Digest: h.Digest, KeyID: h.KeyID, Implementation: h.ImplementationDigest, Handoff: record}
	return p.print(result, func(out printer) {
		out.lines(out.Title.On(out.Say("Handoff")) + "   " + h.Exercise + "   " + h.Unit + "   " + out.Verdict(grader.Verdict(h.Verdict)))
		out.lines(draw.Columns([][]string{
			{out.Say("digest"), h.Digest}, {out.Say("signed by key"), h.KeyID}, {out.Say("implementation"), h.ImplementationDigest},
			{out.Say("edition"), h.Edition}, {out.Say("runtime"), h.Runtime}, {out.Say("probes"), h.Probes},
			{out.Say("started from"), h.StartingEvidence}, {out.Say("prediction"), h.Prediction}, {out.Say("continues"), h.Previous},
			{out.Say("attempts"), fmt.Sprint(h.Attempts)}, {out.Say("engine"), h.Engine.Name + " " + h.Engine.Version}, {out.Say("sandbox"), h.Sandbox.Level},
			{out.Say("made"), out.Say("%s on %s", h.Environment.Created.Format("2006-01-02 15:04:05 MST"), h.Environment.OS+"/"+h.Environment.Arch)},
		}, 3, max(out.width, 90))...)
		for _, f := range h.Implementation {
			out.section(f.Path)
			out.lines(out.Go(f.Text)...)
		}
	})
}

// verified is the object that handoff verify and run print.
type verified struct {
	Verdict        grader.Verdict `json:"verdict"`
	File           string         `json:"file"`
	Digest         string         `json:"digest"`
	KeyID          string         `json:"key_id"`
	Exercise       string         `json:"exercise"`
	Unit           string         `json:"unit"`
	Implementation string         `json:"implementation_digest,omitempty"`
	Same           *bool          `json:"same_result,omitempty"`
	Report         *grader.Report `json:"report,omitempty"`
}

func newVerified(file string, h *handoff.Handoff) verified {
	return verified{Verdict: grader.Pass, File: file, Digest: h.Digest, KeyID: h.KeyID, Exercise: h.Exercise, Unit: h.Unit, Implementation: h.ImplementationDigest}
}

func (p *program) handoffVerify(file string) error {
	if isArchive(p.path(file)) {
		return p.submissionVerify(file)
	}
	h, err := handoff.Load(p.path(file), handoff.Expect{})
	if err != nil {
		return err
	}
	if err := p.belongs(h); err != nil {
		return err
	}
	return p.finish(grader.Pass, newVerified(file, h), func(out printer) {
		out.lines(out.Pass.On(draw.PassSign) + " " + out.Say("bytes, one signature, key and digests are right"))
		out.lines(out.Pass.On(draw.PassSign) + " " + out.Say("exercise %s, unit %s, this edition and this runtime", h.Exercise, h.Unit))
		out.lines(out.identities(h.Digest, h.KeyID)...)
		out.para("A hash proves integrity. To see what the code does: fieldbook handoff run %s", file)
	})
}

// identities are the lines that name a handoff and who signed it.
func (out printer) identities(digest, key string) []string {
	return draw.Columns([][]string{{"  " + out.Say("digest"), digest}, {"  " + out.Say("key"), key}}, 1, unwrapped)
}

// isArchive reports whether the file at path begins as an archive. One that cannot be read is met by whoever reads it whole.
func isArchive(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 4)
	_, err = io.ReadFull(f, start)
	return err == nil && archive.Is(start)
}

// verifiedArchive is the object that handoff verify prints for the archive of a submission.
type verifiedArchive struct {
	Verdict  grader.Verdict `json:"verdict"`
	File     string         `json:"file"`
	Digest   string         `json:"digest"`
	Unit     string         `json:"unit"`
	Files    []string       `json:"files"`
	Handoffs []verified     `json:"handoffs"`
}

func (p *program) submissionVerify(file string) error {
	data, err := handoff.ReadFileUpTo(p.path(file), submission.MaxBytes)
	if err != nil {
		return err
	}
	s, err := submission.Read(data)
	if err != nil {
		return namedRefusal(file, err)
	}
	result := verifiedArchive{Verdict: grader.Pass, File: file, Digest: handoff.Digest(data), Unit: s.Unit}
	for _, f := range s.Files {
		result.Files = append(result.Files, f.Name)
	}
	for _, h := range s.Handoffs {
		if err := p.belongs(h.Handoff); err != nil {
			return namedRefusal(file+": "+h.Name, err)
		}
		result.Handoffs = append(result.Handoffs, newVerified(h.Name, h.Handoff))
	}
	return p.finish(grader.Pass, result, func(out printer) {
		out.lines(out.Pass.On(draw.PassSign) + " " + out.Say("the archive of a submission of %s, %d files, as it was written", s.Unit, len(s.Files)))
		for _, h := range result.Handoffs {
			out.lines(out.Pass.On(draw.PassSign) + " " + out.Say("%s: bytes, one signature, key and digests are right; exercise %s", h.File, h.Exercise))
			out.lines(out.identities(h.Digest, h.KeyID)...)
		}
		out.para("A hash proves integrity. What the code does, your instructor's program executes again.")
	})
}

// namedRefusal puts the name of a file before a refusal of it.
func namedRefusal(file string, err error) error {
	var refused *handoff.Error
	if !errors.As(err, &refused) {
		return err
	}
	named := *refused
	named.Message = file + ": " + refused.Message
	return &named
}

// belongs refuses a handoff that is sound and about something else: another edition, runtime, probe set or exercise.
func (p *program) belongs(h *handoff.Handoff) error {
	e, err := exercises.Named(h.Exercise)
	if err != nil {
		return &handoff.Error{Kind: handoff.Invalid, Code: handoff.CodeOtherExercise,
			Message: fmt.Sprintf("the handoff is for an exercise that this edition does not have: %s", h.Exercise), Hint: grader.AsError(err).Hint}
	}
	t, err := task.New(task.Options{Edition: units.Edition}, e)
	if err != nil {
		return err
	}
	if _, err := units.Named(units.All(), h.Unit); err != nil {
		return &handoff.Error{Kind: handoff.Invalid, Code: handoff.CodeOtherUnit,
			Message: fmt.Sprintf("the handoff is for a unit that this edition does not have: %s", h.Unit), Hint: grader.AsError(err).Hint}
	}
	return h.Matches(t.Expect())
}

func (p *program) handoffRun(ctx context.Context, file string) error {
	b, err := p.bench()
	if err != nil {
		return err
	}
	x, err := b.BreakHandoff(ctx, p.path(file), "")
	if err != nil {
		return err
	}
	defer x.Close()
	baseline, err := x.Baseline(ctx)
	if err != nil {
		return err
	}
	baseline.Report = workbench.WithoutData(baseline.Report)
	result := newVerified(file, x.Handoff)
	result.Verdict, result.Same, result.Report = baseline.Verdict(), &baseline.Same, &baseline.Report
	return p.finish(result.Verdict, result, func(out printer) {
		out.lines(out.Report(baseline.Report, draw.Detail{Learner: workbench.Places(x.Exercise)}, out.width)...)
		out.lines("")
		if baseline.Same {
			out.lines(out.Pass.On(draw.PassSign) + " " + out.Say("executed twice: the recorded result, byte for byte"))
		} else if baseline.Report.Verdict == grader.Pass {
			out.lines(out.Differ.On(draw.DifferSign+" INVALID") + ": " + out.Say("the code passes, and its result is not the recorded one"))
		}
	})
}
