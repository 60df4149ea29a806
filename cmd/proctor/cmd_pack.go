package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/cmd/proctor/author"
	"fieldbook/cmd/proctor/pack"
	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/handoff"
)

type packOptions struct {
	out     string
	opening string
	source  string
	targets []string
}

func (o *packOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "`folder` that the edition is written to; made when it is missing, and it must be empty")
	f.StringVar(&o.opening, "opening", "", "`file` that opens the commitment to the holdouts; keep it, and publish it when the course is over. Made when it is missing")
	f.StringVar(&o.source, "source", "", "`folder` of the module; default: the one around the current folder")
	f.StringSliceVar(&o.targets, "targets", nil, "systems to build for, as in linux/amd64,darwin/arm64; default: four of them; none: the sources alone")
}

func (p *program) packCommand() *cobra.Command {
	var o packOptions
	cmd := &cobra.Command{
		Use:   "pack --out FOLDER --opening FILE",
		Short: "Make the student edition",
		Long: `Pack writes what students get: a bundle of sources without holdouts, solutions and instructor's programs; the student's
program for each system, built from exactly that bundle; checksums; and a commitment to the holdout sets. Every file is
scanned for what students must not have, and nothing is written when something is found. Packing the same sources twice with
the same Go gives the same bytes.

The commitment is the SHA-256 of the opening, a file with a salt and the digests of all sets. Publish the opening when the
course is over: anyone can then compute the commitment with sha256sum. An opening of other sets is refused: whoever changes a
holdout after publishing has to say so.

JSON: folder, commitment, go, files[{file, sha256, bytes}].
` + packExit,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.out == "" || o.opening == "" {
				return usage("proctor pack needs --out and --opening", "As in: proctor pack --out student --opening holdouts.opening")
			}
			return p.pack(cmd.Context(), o)
		},
	}
	o.addFlags(cmd)
	return cmd
}

const packExit = `
EXIT STATUS
    0  the edition is written
    1  something that students must not have was found; nothing is written
    2  wrong use of the command
    4  the opening commits to other holdouts than this program has
    6  our machine or our program failed
  130  interrupted`

func (p *program) pack(ctx context.Context, o packOptions) error {
	p.begun = true
	module, targets, err := packInput(o)
	if err != nil {
		return err
	}
	opening, made, err := openingOf(o.opening)
	if err != nil {
		return err
	}
	files, leaks, err := p.edition(ctx, module, targets, opening)
	if err != nil {
		return err
	}
	if len(leaks) > 0 {
		return p.refuseLeaks(leaks)
	}
	if made {
		if err := handoff.CreateFile(o.opening, opening.Text(), 0o600); err != nil {
			return err
		}
	}
	if err := writeEdition(o.out, files); err != nil {
		return err
	}
	if p.json {
		p.write(map[string]any{"folder": o.out, "commitment": opening.Commitment(), "go": runtime.Version(), "files": files})
		return nil
	}
	for _, f := range files {
		fmt.Fprintf(p.out, "%s  %s, %d bytes\n", f.SHA256, f.File, f.Bytes)
	}
	fmt.Fprintf(p.out, "Commitment to the holdouts: %s. Its opening is %s; keep it.\n", opening.Commitment(), o.opening)
	return nil
}

// packInput is the module's folder and the targets, once it is known that the edition can be written.
func packInput(o packOptions) (module string, targets []pack.Target, err error) {
	if module = o.source; module == "" {
		here, err := os.Getwd()
		if err != nil {
			return "", nil, fmt.Errorf("find the current folder: %w", err)
		}
		var ok bool
		if module, ok = author.Module(here); !ok {
			return "", nil, usage("no module with exercises is around "+here, "Name its folder with --source.")
		}
	}
	switch {
	case len(o.targets) == 0:
		targets = pack.Targets()
	case slices.Equal(o.targets, []string{"none"}):
	default:
		for _, text := range o.targets {
			t, err := pack.ParseTarget(text)
			if err != nil {
				return "", nil, err
			}
			targets = append(targets, t)
		}
	}
	entries, err := os.ReadDir(o.out)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return "", nil, &grader.Error{Code: "pack_folder", Exit: grader.ExitUsage, Message: o.out + " is no folder that can be read", Hint: "Name another one.", Cause: err}
	case len(entries) > 0:
		return "", nil, &grader.Error{Code: "pack_folder", Exit: grader.ExitUsage, Message: "the folder " + o.out + " is not empty, and nothing is overwritten", Hint: "Name another one, or empty it."}
	}
	return module, targets, nil
}

// openingOf reads the opening at path, or makes one of the sets in this program; made says so.
func openingOf(path string) (o pack.Opening, made bool, err error) {
	sets, err := holdoutSets()
	if err != nil {
		return o, false, err
	}
	data, err := handoff.ReadFile(path)
	if missing := (*handoff.Error)(nil); errors.As(err, &missing) && missing.Code == handoff.CodeFileMissing {
		return pack.NewOpening(sets), true, nil
	}
	if err != nil {
		return o, false, err
	}
	if o, err = pack.ParseOpening(path, data); err != nil {
		return o, false, err
	}
	if !o.Is(sets) {
		return o, false, &grader.Error{
			Code: "other_holdouts", Exit: grader.ExitInvalid, Message: path + ": the holdouts of this program are not those that the opening commits to",
			Hint: "Whoever changes a holdout after publishing has to say so: name a new file, and publish its commitment beside the old one.",
		}
	}
	return o, false, nil
}

func holdoutSets() ([]pack.Set, error) {
	var sets []pack.Set
	for _, s := range holdout.All() {
		digest, err := s.Digest()
		if err != nil {
			return nil, err
		}
		sets = append(sets, pack.Set{Name: s.Exercise.Name, Digest: digest})
	}
	return sets, nil
}

// refuseLeaks says what was found.
func (p *program) refuseLeaks(leaks []pack.Leak) error {
	lines := make([]string, len(leaks))
	for i, l := range leaks {
		lines[i] = l.String()
	}
	return &grader.Error{
		Code: "pack_leak", Exit: grader.ExitNeedsWork, Message: "the edition would hold what students must not have: " + strings.Join(lines, "; "),
		Hint: "Nothing is written. Take it out of these files.",
	}
}
