package main

import (
	"context"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
)

// resetOptions are the flags of reset.
type resetOptions struct{ undo bool }

func (o *resetOptions) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.undo, "undo", false, "bring back what the latest reset replaced")
}

func (p *program) resetCommand() *cobra.Command {
	var o resetOptions
	cmd := &cobra.Command{
		Use:   "reset EXERCISE",
		Short: "Put the starter back, or undo that",
		Long: `Reset puts the starter of an exercise in the place of your file, after a backup of yours. Attempts and handoffs stay.
With --undo it brings back what the latest reset replaced; what stands there now is backed up first.

JSON: exercise, workspace, files[{path, backup, undone}].`,
		Args:              takes("EXERCISE"),
		Annotations:       exitStatus(6),
		ValidArgsFunction: completeExercises,
		RunE: p.does(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return p.reset(ctx, o, args[0], commandLine(cmd, args))
		}),
	}
	o.addFlags(cmd)
	return cmd
}

// resetResult is the object that reset prints.
type resetResult struct {
	Exercise  string      `json:"exercise"`
	Workspace string      `json:"workspace"`
	Files     []resetFile `json:"files"`
}

type resetFile struct {
	Path   string `json:"path"`
	Backup string `json:"backup"`           // of what stood there before
	Undone string `json:"undone,omitempty"` // the reset that was undone
}

func (p *program) reset(ctx context.Context, o resetOptions, name, command string) error {
	e, err := exercises.Named(name)
	if err != nil {
		return err
	}
	b, done, err := p.open(ctx, command)
	if err != nil {
		return err
	}
	defer done()
	starters, err := workbench.Starters(e)
	if err != nil {
		return err
	}
	result := resetResult{Exercise: name, Workspace: b.Work.Root()}
	for _, starter := range starters {
		file, err := resetOne(b.Work, starter, o.undo)
		if err != nil {
			return err
		}
		result.Files = append(result.Files, file)
	}
	return p.print(result, func(out printer) {
		for _, f := range result.Files {
			if o.undo {
				out.para("%s is back as it was before the reset %s. What stood there is in backup %s.", f.Path, f.Undone, f.Backup)
				continue
			}
			out.para("%s is the starter again. What stood there is in backup %s.", f.Path, f.Backup)
			out.para("To undo this: fieldbook reset %s --undo", name)
		}
	})
}

func resetOne(w *workspace.Workspace, starter workspace.File, undo bool) (resetFile, error) {
	if undo {
		undone, kept, err := w.UndoReset(starter.Path)
		return resetFile{Path: starter.Path, Backup: kept.ID, Undone: undone.ID}, err
	}
	backup, err := w.Reset(starter)
	return resetFile{Path: starter.Path, Backup: backup.ID}, err
}
