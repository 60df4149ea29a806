package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/cmd/proctor/identity"
	"fieldbook/grader"
	"fieldbook/handoff"
	"fieldbook/handoff/canonical"
	"fieldbook/handoff/key"
)

type receiptOptions struct {
	identityOptions
	seed  uint64
	seeds uint64
	key   string
	out   string
}

func (o *receiptOptions) addFlags(cmd *cobra.Command) {
	o.identityOptions.addFlags(cmd)
	f := cmd.Flags()
	f.Uint64Var(&o.seed, "seed", 0, "draw the holdouts from this `number`; default: a new one, and the receipt says which")
	f.Uint64Var(&o.seeds, "seeds", 1, "draw each case this `many` times, from the seed and those that follow it")
	f.StringVar(&o.key, "key", "", "`folder` of the signing key; default: instructor, in fieldbook's configuration folder")
	f.StringVar(&o.out, "out", "", "`folder` for the receipts; default: beside each handoff")
}

func (o *receiptOptions) check() error {
	switch {
	case o.seeds == 0 || o.seeds > maxSeeds:
		return usage(fmt.Sprintf("--seeds=%d is not between 1 and %d", o.seeds, maxSeeds), "One seed is enough for a grade.")
	case o.seed > canonical.MaxInteger:
		return usage(fmt.Sprintf("--seed=%d is larger than a receipt can hold, 2^53-1", o.seed), "Choose a smaller one.")
	}
	return o.identityOptions.check()
}

// receiptSuffix is added to a handoff's name.
const receiptSuffix = ".receipt.json"

func (p *program) receiptCommand() *cobra.Command {
	var o receiptOptions
	cmd := &cobra.Command{
		Use:   "receipt [STUDENT=]HANDOFF...",
		Short: "Execute handoffs again and sign what they gave",
		Long: `Receipt verifies each handoff, executes it again, runs the holdouts, and writes a receipt beside it: the instructor's
signed statement over the handoff's digest, the digest of the holdout set, the seed and the results. It names no case, so it
can be given to the student. proctor verify checks it, byte for byte. Nothing is written for a handoff that is INVALID, or
when our machine failed. A receipt that is there already is not overwritten. HANDOFF may also be the archive of a submission:
each handoff in it gets its receipt.

A name before the file says who handed it in; --roster or --first-use says whether the key is that student's. Neither proves
who wrote the implementation: a roster says which key belongs to a name, first use which key came first with it.

JSON: key, files[{file, verdict, handoff, key, identity{student, how, since, new}, receipt, digest, error}].
` + exitStatus,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("proctor receipt needs at least one handoff", "Use: proctor receipt [STUDENT=]HANDOFF...")
			}
			return o.check()
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("seed") {
				o.seed = drawSeed()
			}
			return p.receipts(cmd.Context(), args, o)
		},
	}
	o.addFlags(cmd)
	return cmd
}

// receiptResult is what became of one handoff.
type receiptResult struct {
	File     string            `json:"file"`
	Verdict  grader.Verdict    `json:"verdict"`
	Handoff  string            `json:"handoff,omitempty"`
	Key      string            `json:"key,omitempty"`
	Identity *identity.Binding `json:"identity,omitempty"`
	Receipt  string            `json:"receipt,omitempty"` // its file
	Digest   string            `json:"digest,omitempty"`  // of that file
	Error    *fileError        `json:"error,omitempty"`
}

func (p *program) receipts(ctx context.Context, args []string, o receiptOptions) error {
	store, err := instructorKey(o.key)
	if err != nil {
		return err
	}
	signer, made, err := store.Open(ctx)
	if err != nil {
		return err
	}
	if made && !p.json {
		fmt.Fprintf(p.out, "A signing key was made: %s, id %s.\n", store.Path(), signer.ID())
	}
	binder, done, err := o.binder(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := p.begin(); err != nil {
		return err
	}
	var all []receiptResult
	for _, arg := range args {
		for _, s := range partsOf(parseSubmission(arg)) {
			one := receiptResult{File: s.name()}
			if err := p.receipt(ctx, s, o, signer, binder, &one); err != nil {
				if one.Error = fileErrorOf(ctx, err); one.Error == nil {
					return err
				}
				one.Verdict = one.Error.verdict()
				p.count(one.Error.exit)
			} else {
				p.count(one.Verdict.ExitCode())
			}
			all = append(all, one)
			if !p.json {
				p.printReceipt(one)
			}
		}
	}
	if p.json {
		p.write(map[string]any{"key": signer.ID(), "files": all})
	}
	return nil
}

// receipt makes the receipt of one handoff.
func (p *program) receipt(ctx context.Context, s part, o receiptOptions, signer key.Key, binder identity.Binder, one *receiptResult) error {
	h, err := s.handoff()
	if err != nil {
		return err
	}
	one.Handoff, one.Key = h.Digest, h.KeyID
	bound, err := binder.Bind(h.KeyID, s.student)
	if err != nil {
		return err
	}
	one.Identity = &bound
	r, err := p.regrade(ctx, h, seedRange{o.seed, o.seeds})
	if err != nil {
		return err
	}
	if one.Verdict = r.verdict; r.verdict == grader.Invalid || r.verdict == grader.Void || r.result == nil {
		return nil
	}
	data, err := handoff.SignReceipt(statement(r, bound, o), signer.Private())
	if err != nil {
		return err
	}
	path := s.file
	if s.entry != "" {
		path += "." + s.entry
	}
	path += receiptSuffix
	if o.out != "" {
		path = filepath.Join(o.out, filepath.Base(path))
	}
	if err := handoff.CreateFile(path, data, 0o644); err != nil {
		return err
	}
	one.Receipt, one.Digest = path, handoff.Digest(data)
	return nil
}

// statement is what a receipt says of a regrading.
func statement(r *regrading, bound identity.Binding, o receiptOptions) handoff.Receipt {
	student := bound.Student
	if student == "" {
		student = handoff.None
	}
	h := r.handoff
	return handoff.Receipt{
		Handoff: h.Digest, Exercise: h.Exercise, Unit: h.Unit, Edition: h.Edition, Runtime: h.Runtime, Probes: h.Probes,
		Signer: h.KeyID, Student: student, Identity: bound.How,
		Holdouts: r.holdouts, Seed: int64(o.seed), Seeds: int64(o.seeds), Result: r.result, Verdict: string(r.verdict),
		Engine: r.made.Engine, Tools: r.made.Tools, Sandbox: r.made.Sandbox, Environment: r.made.Environment,
	}
}

func (p *program) printReceipt(r receiptResult) {
	if r.Error != nil {
		fmt.Fprintf(p.out, "%s: %s\n  %s\n", r.File, strings.TrimSpace(string(r.Verdict)+" "+r.Error.Message), r.Error.Hint)
		return
	}
	fmt.Fprintf(p.out, "%s: %s\n", r.File, r.Verdict)
	fmt.Fprintf(p.out, "  handed in by %s\n", r.Identity.Words())
	if r.Receipt == "" {
		fmt.Fprintf(p.out, "  no receipt is written: %s\n", noReceipt(r.Verdict))
		return
	}
	fmt.Fprintf(p.out, "  receipt: %s\n", r.Receipt)
}

// noReceipt says why a handoff gets no receipt.
func noReceipt(v grader.Verdict) string {
	switch v {
	case grader.Invalid:
		return "it passes, but with another result than the handoff holds"
	case grader.Void:
		return "our machine failed, which says nothing about the handoff"
	default:
		return "the implementation cannot be run by this program"
	}
}
