package main

import (
	"context"
	"fmt"
	"os/exec"
	"slices"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/exercises"
	"fieldbook/grader"
)

// openOptions are the flags of open.
type openOptions struct{ print bool }

func (o *openOptions) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.print, "print", false, "print the paths, and open nothing")
}

func (p *program) openCommand() *cobra.Command {
	var o openOptions
	cmd := &cobra.Command{
		Use:   "open [EXERCISE]",
		Short: "Open your files in your editor, or print where they lie",
		Long: `Open starts your editor, VISUAL or EDITOR, on the files of an exercise that are yours to write; without EXERCISE on those of
the unit in which you are. The workspace is a Go module that builds offline: an editor with gopls opens it without errors.
With --print, or without a terminal, it prints the paths, one a line, which suits an editor of its own window:

  code $(fieldbook open restore --print)

JSON: workspace, exercise, files[].`,
		Args:              takes("[EXERCISE]"),
		Annotations:       exitStatus(6),
		ValidArgsFunction: completeExercises,
		RunE: p.does(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return p.openFiles(ctx, o, args, commandLine(cmd, args))
		}),
	}
	o.addFlags(cmd)
	return cmd
}

// openedFiles is the object that open prints.
type openedFiles struct {
	Workspace string   `json:"workspace"`
	Exercise  string   `json:"exercise"`
	Files     []string `json:"files"`
}

func (p *program) openFiles(ctx context.Context, o openOptions, args []string, command string) error {
	result, err := p.filesToOpen(ctx, args, command)
	if err != nil {
		return err
	}
	editor := p.editor()
	if o.print || !p.interact || p.flags.json || len(editor) == 0 {
		return p.print(result, func(out printer) { out.lines(result.Files...) })
	}
	return p.edit(ctx, editor, result)
}

// filesToOpen finds the files. The workspace is only read: an app may be open beside it, and commands run while the student edits.
func (p *program) filesToOpen(ctx context.Context, args []string, command string) (openedFiles, error) {
	b, err := p.reading(ctx, command)
	if err != nil {
		return openedFiles{}, err
	}
	name, err := exerciseToOpen(b, args)
	if err != nil {
		return openedFiles{}, err
	}
	e, err := exercises.Named(name)
	if err != nil {
		return openedFiles{}, err
	}
	result := openedFiles{Workspace: b.Work.Root(), Exercise: name}
	for _, place := range workbench.Places(e) {
		result.Files = append(result.Files, b.Work.Path(place))
	}
	return result, nil
}

// reading opens the workspace without taking it. Where there is none, one is made.
func (p *program) reading(ctx context.Context, command string) (*workbench.Bench, error) {
	place, err := p.find()
	if err != nil {
		return nil, err
	}
	if !place.Exists {
		_, done, err := p.open(ctx, command)
		if err != nil {
			return nil, err
		}
		done()
	}
	return p.readBench(place.Path)
}

// exerciseToOpen is the named exercise, else that of the step at which the student is.
func exerciseToOpen(b *workbench.Bench, args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	progress, err := b.Work.ReadProgress()
	if err != nil {
		return "", err
	}
	for _, u := range b.Units {
		if u.ID != progress.Unit {
			continue
		}
		if step := u.Step(progress.Step); step != nil {
			return u.ExerciseOf(step), nil
		}
		return u.Exercise, nil
	}
	return b.Units[0].Exercise, nil
}

// edit runs the editor in this terminal, in the workspace's folder: that is where its tools look for the module.
func (p *program) edit(ctx context.Context, editor []string, files openedFiles) error {
	cmd := exec.CommandContext(ctx, editor[0], append(slices.Clone(editor[1:]), files.Files...)...)
	cmd.Dir = files.Workspace
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.in, p.out, p.err
	if err := cmd.Run(); err != nil {
		return &grader.Error{
			Code: "editor", Message: fmt.Sprintf(lang.Key("the editor %s ended with an error: %v"), editor[0], err),
			Hint: "Set EDITOR to another one, or see where the files lie with --print.", Exit: grader.ExitUsage, Cause: err,
		}
	}
	return nil
}
