package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/cmd/proctor/identity"
	"fieldbook/grader"
	"fieldbook/grader/report"
	"fieldbook/handoff"
)

type verifyOptions struct {
	identityOptions
	instructor string
}

func (o *verifyOptions) addFlags(cmd *cobra.Command) {
	o.identityOptions.addFlags(cmd)
	cmd.Flags().StringVar(&o.instructor, "instructor", "", "the only `key` whose receipts count: its id; default: your own")
}

func (p *program) verifyCommand() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify [STUDENT=]FILE...",
		Short: "Verify handoffs, submissions and receipts, and execute them again",
		Long: `Verify checks the bytes, signature and digests of each handoff, and executes it again: a hash proves integrity, only
re-execution proves behaviour. A file may also be the archive of a submission: nothing of it is unpacked before the archive
agrees with itself, and each handoff in it is verified. Or it is a receipt; the handoff that it is about must be among the
files. Its holdouts are run again from its seed, and what they give is compared with it byte for byte.

A name before a handoff says who handed it in; --roster or --first-use says whether the key is that student's. Without
either, it is said which key signed, and not whose it is.

JSON: files[{file, entry, verdict, handoff, key, exercise, unit, same, identity, report, error}], receipts[{file, verdict, receipt,
handoff, key, trusted, student, identity, seed, seeds, same, error}].
` + exitStatus,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("proctor verify needs at least one file", "Use: proctor verify [STUDENT=]FILE...")
			}
			return o.check()
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.verify(cmd.Context(), args, o) },
	}
	o.addFlags(cmd)
	return cmd
}

// verified is what is known of one handoff.
type verified struct {
	File     string            `json:"file"`
	Entry    string            `json:"entry,omitempty"` // of an archive
	Verdict  grader.Verdict    `json:"verdict"`
	Handoff  string            `json:"handoff,omitempty"`
	Key      string            `json:"key,omitempty"`
	Exercise string            `json:"exercise,omitempty"`
	Unit     string            `json:"unit,omitempty"`
	Same     bool              `json:"same"` // re-execution gave the bytes of the handoff's result
	Identity *identity.Binding `json:"identity,omitempty"`
	Report   *grader.Report    `json:"report,omitempty"`
	Error    *fileError        `json:"error,omitempty"`
}

func (p *program) verify(ctx context.Context, args []string, o verifyOptions) error {
	binder, done, err := o.binder(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := p.begin(); err != nil {
		return err
	}
	files := []verified{}
	var receipts []submission
	handoffs := map[string]*handoff.Handoff{} // those that verify, by digest
	for _, arg := range args {
		s := parseSubmission(arg)
		if data, err := handoff.ReadFile(s.file); err == nil && handoff.IsReceipt(data) {
			receipts = append(receipts, s)
			continue
		}
		for _, part := range partsOf(s) {
			one, err := p.verifyPart(ctx, part, binder, handoffs)
			if err != nil {
				return err
			}
			files = append(files, one)
			if !p.json {
				p.printVerified(one)
			}
		}
	}
	checked := []verifiedReceipt{}
	for _, s := range receipts {
		one, err := p.verifyReceipt(ctx, s.file, o, handoffs)
		if err != nil {
			return err
		}
		checked = append(checked, one)
		if !p.json {
			p.printVerifiedReceipt(one)
		}
	}
	if p.json {
		p.write(map[string]any{"files": files, "receipts": checked})
	}
	return nil
}

func (p *program) verifyPart(ctx context.Context, s part, binder identity.Binder, handoffs map[string]*handoff.Handoff) (verified, error) {
	v := verified{File: s.file, Entry: s.entry}
	if err := p.reexecute(ctx, s, binder, handoffs, &v); err != nil {
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
func (p *program) reexecute(ctx context.Context, s part, binder identity.Binder, handoffs map[string]*handoff.Handoff, v *verified) error {
	h, err := s.handoff()
	if err != nil {
		return err
	}
	handoffs[h.Digest] = h
	v.Handoff, v.Key, v.Exercise, v.Unit = h.Digest, h.KeyID, h.Exercise, h.Unit
	bound, err := binder.Bind(h.KeyID, s.student)
	if err != nil {
		return err
	}
	v.Identity = &bound
	r, err := p.regrade(ctx, h, seedRange{})
	if err != nil {
		return err
	}
	v.Report, v.Verdict, v.Same = &r.report, r.verdict, r.same
	return nil
}

func (p *program) printVerified(v verified) {
	if v.Entry != "" {
		v.File += ": " + v.Entry
	}
	switch {
	case v.Error != nil:
		fmt.Fprintf(p.out, "%s: %s\n  %s\n", v.File, strings.TrimSpace(string(v.Verdict)+" "+v.Error.Message), v.Error.Hint)
		return
	case v.Verdict == grader.Pass:
		fmt.Fprintf(p.out, "%s: PASS, executed twice, the same result to the byte\n", v.File)
		for _, line := range (report.Student{Visible: report.Passed}).Lines() {
			fmt.Fprintf(p.out, "  %s\n", line)
		}
	case v.Report.Verdict == grader.Pass:
		fmt.Fprintf(p.out, "%s: INVALID, it passes, but with another result than the handoff holds\n", v.File)
	default:
		fmt.Fprintf(p.out, "%s: %s (%s) %s\n", v.File, v.Verdict, v.Report.Outcome, v.Report.Cause)
	}
	fmt.Fprintf(p.out, "  %s of %s, key %s\n  handed in by %s\n", v.Exercise, v.Unit, v.Key, v.Identity.Words())
}
