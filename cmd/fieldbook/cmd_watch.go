package main

import (
	"context"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/watch"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/exercises"
	"fieldbook/grader"
)

func (p *program) watchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "watch EXERCISE",
		Short: "Run your file again each time you save it",
		Long: `Watch runs the exercise on the workspace's file now and after each save, and prints each result below the last. It goes on
until it is interrupted (Ctrl-C). The text is append-only, as a screen reader needs it.

JSON: one object a run, as in run.`,
		Args:              takes("EXERCISE"),
		Annotations:       exitStatus(6),
		ValidArgsFunction: completeExercises,
		RunE: p.does(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return p.watch(ctx, args[0], commandLine(cmd, args))
		}),
	}
}

func (p *program) watch(ctx context.Context, name, command string) error {
	e, err := exercises.Named(name)
	if err != nil {
		return err
	}
	p.stays = true
	b, done, err := p.open(ctx, command)
	if err != nil {
		return err
	}
	defer done()
	var files []string
	for _, place := range workbench.Places(e) {
		files = append(files, b.Work.Path(place))
	}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	changes := watch.New(watching, files, watch.Options{}).Changes()
	for {
		if err := p.watchOnce(ctx, b, e); err != nil {
			return err
		}
		for _, f := range files {
			p.say("Waiting for a save of %s. Ctrl-C ends this.", f)
		}
		if _, open := <-changes; !open {
			return ctx.Err()
		}
	}
}

// watchOnce runs and prints once. What is wrong with the file is told and waited out; the rest ends the watch.
func (p *program) watchOnce(ctx context.Context, b *workbench.Bench, e *exercises.Exercise) error {
	run, err := b.Run(ctx, e)
	if err != nil {
		if p.explain(ctx, err).Exit != grader.ExitUsage {
			return err
		}
		p.fail(ctx, err)
		return nil
	}
	result := newRunResult(b, run)
	return p.print(result, func(out printer) {
		out.printRun(e, result, false)
		out.lines("")
	})
}
