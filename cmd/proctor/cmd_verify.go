package main

import (
	"context"
	"errors"
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
		Short: "Verify handoffs and receipts, and execute them again",
		Long: `Verify checks the bytes, signature and digests of each handoff, and executes it again: a hash proves integrity, only
re-execution proves behaviour. A file may also be a receipt; the handoff that it is about must be among the files. Its
holdouts are run again from its seed, and what they give is compared with it byte for byte.

A name before a handoff says who handed it in; --roster or --first-use says whether the key is that student's. Without
either, it is said which key signed, and not whose it is.

JSON: files[{file, verdict, handoff, key, exercise, unit, same, identity, report, error}], receipts[{file, verdict, receipt,
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
		one, err := p.verifyFile(ctx, s, binder, handoffs)
		if err != nil {
			return err
		}
		files = append(files, one)
		if !p.json {
			p.printVerified(one)
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

func (p *program) verifyFile(ctx context.Context, s submission, binder identity.Binder, handoffs map[string]*handoff.Handoff) (verified, error) {
	v := verified{File: s.file}
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
func (p *program) reexecute(ctx context.Context, s submission, binder identity.Binder, handoffs map[string]*handoff.Handoff, v *verified) error {
	h, err := handoff.Load(s.file, handoff.Expect{})
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

// verifiedReceipt is what is known of one receipt.
type verifiedReceipt struct {
	File     string         `json:"file"`
	Verdict  grader.Verdict `json:"verdict"` // the receipt's, or INVALID
	Receipt  string         `json:"receipt,omitempty"`
	Handoff  string         `json:"handoff,omitempty"`
	Key      string         `json:"key,omitempty"`
	Trusted  bool           `json:"trusted"` // the key is the instructor's
	Student  string         `json:"student,omitempty"`
	Identity string         `json:"identity,omitempty"`
	Seed     int64          `json:"seed"`
	Seeds    int64          `json:"seeds"`
	Same     bool           `json:"same"` // executing again gave the receipt's bytes
	Error    *fileError     `json:"error,omitempty"`
}

func (p *program) verifyReceipt(ctx context.Context, path string, o verifyOptions, handoffs map[string]*handoff.Handoff) (verifiedReceipt, error) {
	v := verifiedReceipt{File: path}
	if err := p.rereceive(ctx, path, o, handoffs, &v); err != nil {
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

// rereceive fills in what one receipt is worth.
func (p *program) rereceive(ctx context.Context, path string, o verifyOptions, handoffs map[string]*handoff.Handoff, v *verifiedReceipt) error {
	data, err := handoff.ReadFile(path)
	if err != nil {
		return err
	}
	r, err := handoff.ReadReceipt(data)
	if err != nil {
		return err
	}
	v.Receipt, v.Handoff, v.Key, v.Student, v.Identity = r.Digest, r.Handoff, r.KeyID, r.Student, r.Identity
	v.Seed, v.Seeds = r.Seed, r.Seeds
	if v.Trusted, err = trusted(o, r.KeyID); err != nil {
		return err
	}
	h := handoffs[r.Handoff]
	if h == nil {
		return invalidReceipt("receipt_other_handoff", "Name the handoff too; its bytes must be those that the receipt is about.",
			"the receipt is about a handoff with digest %s, which is not among the files that verify", r.Handoff)
	}
	if r.Seeds < 1 || r.Seeds > maxSeeds {
		return invalidReceipt("receipt_seeds", "Another program wrote it.", "the receipt has %d seeds", r.Seeds)
	}
	again, err := p.regrade(ctx, h, seedRange{uint64(r.Seed), uint64(r.Seeds)})
	if err != nil {
		return err
	}
	if again.holdouts != r.Holdouts {
		return invalidReceipt("receipt_other_holdouts", "Verify it with the proctor that has the holdouts of that time.",
			"the receipt was made with holdout set %.16s…, and this program has %.16s…", r.Holdouts, again.holdouts)
	}
	v.Same = string(again.result) == string(r.Result) && string(again.verdict) == r.Verdict
	if v.Verdict = again.verdict; !v.Same {
		v.Verdict = grader.Invalid
	}
	return nil
}

// trusted reports whether a receipt's key is the instructor's. A key that was named and is not the receipt's makes it invalid.
func trusted(o verifyOptions, keyID string) (bool, error) {
	if o.instructor != "" {
		if !strings.EqualFold(o.instructor, keyID) {
			return false, invalidReceipt("receipt_other_instructor", "Ask who signed it.", "the receipt is signed with key %.16s…, and not with the instructor's", keyID)
		}
		return true, nil
	}
	store, err := instructorKey("")
	if err != nil {
		return false, nil //nolint:nilerr // a user without a key of their own has signed nothing
	}
	own, err := store.Load()
	if known := (*handoff.Error)(nil); errors.As(err, &known) {
		return false, nil
	}
	return err == nil && own.ID() == keyID, err
}

func invalidReceipt(code, hint, format string, args ...any) error {
	return &grader.Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint, Exit: grader.ExitInvalid}
}

func (p *program) printVerifiedReceipt(v verifiedReceipt) {
	switch {
	case v.Error != nil:
		fmt.Fprintf(p.out, "%s: %s\n  %s\n", v.File, strings.TrimSpace(string(v.Verdict)+" "+v.Error.Message), v.Error.Hint)
		return
	case v.Same:
		fmt.Fprintf(p.out, "%s: a receipt for %s, executed again from seed %d, the same result to the byte\n", v.File, v.Verdict, v.Seed)
	default:
		fmt.Fprintf(p.out, "%s: INVALID, executing again gives another result than the receipt holds\n", v.File)
	}
	whose := "whose key that is, this does not say"
	if v.Trusted {
		whose = "the instructor's"
	}
	fmt.Fprintf(p.out, "  handoff %s, student %s (%s), signed with key %s, %s\n", v.Handoff, v.Student, v.Identity, v.Key, whose)
}
