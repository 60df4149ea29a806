package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/handoff"
)

func (p *program) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE...",
		Short: "Verify handoffs and execute them again",
		Long: `Verify checks the bytes, signature and digests of each handoff, and executes it again: a hash proves integrity, only
re-execution proves behaviour. It says which key signed; whose key that is, it does not know.

JSON: files[{file, verdict, handoff, key, exercise, unit, same, report, error}].
` + exitStatus,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("proctor verify needs at least one file", "Use: proctor verify FILE...")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.verify(cmd.Context(), args) },
	}
}

// verified is what is known of one handoff.
type verified struct {
	File     string         `json:"file"`
	Verdict  grader.Verdict `json:"verdict"`
	Handoff  string         `json:"handoff,omitempty"`
	Key      string         `json:"key,omitempty"`
	Exercise string         `json:"exercise,omitempty"`
	Unit     string         `json:"unit,omitempty"`
	Same     bool           `json:"same"` // re-execution gave the bytes of the handoff's result
	Report   *grader.Report `json:"report,omitempty"`
	Error    *fileError     `json:"error,omitempty"`
}

func (p *program) verify(ctx context.Context, files []string) error {
	if err := p.begin(); err != nil {
		return err
	}
	var all []verified
	for _, file := range files {
		one, err := p.verifyFile(ctx, file)
		if err != nil {
			return err
		}
		all = append(all, one)
		if !p.json {
			p.printVerified(one)
		}
	}
	if p.json {
		p.write(map[string]any{"files": all})
	}
	return nil
}

func (p *program) verifyFile(ctx context.Context, path string) (verified, error) {
	v := verified{File: path}
	if err := p.reexecute(ctx, path, &v); err != nil {
		if v.Error = fileErrorOf(ctx, err); v.Error == nil {
			return v, err
		}
		v.Verdict = v.Error.verdict()
		p.count(v.Error.exit)
		return v, nil
	}
	p.count(v.Verdict.ExitCode())
	return v, nil
}

// reexecute fills in what one handoff shows.
func (p *program) reexecute(ctx context.Context, path string, v *verified) error {
	h, err := handoff.Load(path, handoff.Expect{})
	if err != nil {
		return err
	}
	v.Handoff, v.Key, v.Exercise, v.Unit = h.Digest, h.KeyID, h.Exercise, h.Unit
	e, err := exercises.Named(h.Exercise)
	if err != nil {
		return &grader.Error{Code: "handoff_other_exercise", Message: fmt.Sprintf("the handoff is for an exercise %q that this edition does not have", h.Exercise), Hint: "Use the edition that wrote it.", Exit: grader.ExitInvalid}
	}
	t, err := p.task(e)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := h.Matches(t.Expect()); err != nil {
		return err
	}
	report, err := t.Adopt(ctx, h)
	if err != nil {
		return err
	}
	if report.Outcome == "" {
		if report, v.Same, err = t.Reexecute(ctx, h); err != nil {
			return err
		}
	}
	v.Report, v.Verdict = &report, report.Verdict
	if report.Verdict == grader.Pass && !v.Same {
		v.Verdict = grader.Invalid
	}
	return nil
}

func (p *program) printVerified(v verified) {
	switch {
	case v.Error != nil:
		fmt.Fprintf(p.out, "%s: %s %s\n  %s\n", v.File, v.Verdict, v.Error.Message, v.Error.Hint)
	case v.Verdict == grader.Pass:
		fmt.Fprintf(p.out, "%s: PASS, executed twice, the same result to the byte\n  %s of %s, key %s\n", v.File, v.Exercise, v.Unit, v.Key)
	case v.Report.Verdict == grader.Pass:
		fmt.Fprintf(p.out, "%s: INVALID, it passes, but with another result than the handoff holds\n  %s of %s, key %s\n", v.File, v.Exercise, v.Unit, v.Key)
	default:
		fmt.Fprintf(p.out, "%s: %s (%s) %s\n  %s of %s, key %s\n", v.File, v.Verdict, v.Report.Outcome, v.Report.Cause, v.Exercise, v.Unit, v.Key)
	}
}
