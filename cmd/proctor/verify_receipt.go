package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fieldbook/grader"
	"fieldbook/handoff"
)

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
