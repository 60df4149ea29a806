package main

import (
	"context"

	"github.com/spf13/cobra"
)

// appCommand is fieldbook without a command: the course itself.
func (p *program) appCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "fieldbook",
		Short: "A terminal course in building systems that survive failure",
		Long: `Fieldbook is a terminal course in building systems that survive failure. You write the missing function of a real runtime;
Fieldbook runs it in a sandbox, compares what it did with what it should have done, and keeps the evidence.

Without a command it opens the course in the terminal. With --plain it is a line mode with numbered choices, for screen
readers and plain terminals. Without a terminal it prints the units, where you stand, and what to do next.`,
		Args:        takes(),
		Annotations: exitStatus(6),
		RunE:        p.does(func(ctx context.Context, cmd *cobra.Command, _ []string) error { return p.app(ctx) }),
	}
}

func (p *program) app(context.Context) error {
	return p.list()
}
