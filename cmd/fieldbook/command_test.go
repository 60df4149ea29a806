package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// everyCommand calls visit for the root and all that hangs from it.
func everyCommand(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		everyCommand(sub, visit)
	}
}

func TestEveryHelpEndsWithItsExitStatus(t *testing.T) {
	p := &program{}
	root := p.command()
	everyCommand(root, func(cmd *cobra.Command) {
		t.Run(cmd.CommandPath(), func(t *testing.T) {
			var out bytes.Buffer
			p.out = &out
			p.help(cmd, nil)
			_, codes, found := strings.Cut(out.String(), "\nEXIT STATUS\n")
			if !found {
				t.Fatalf("no exit status in\n%s", out.String())
			}
			for _, line := range strings.Split(strings.TrimSuffix(codes, "\n"), "\n") {
				if fields := strings.Fields(line); len(fields) < 2 || strings.Trim(fields[0], "0123456789") != "" {
					t.Errorf("%q does not begin with a code", line)
				}
			}
			if strings.TrimSpace(cmd.Long) == "" || cmd.Short == "" {
				t.Error("the command has no description")
			}
			for _, line := range strings.Split(cmd.Long, "\n") {
				if len([]rune(line)) > 128 {
					t.Errorf("a line of the description has %d columns: %s", len([]rune(line)), line)
				}
			}
		})
	})
}

// Every command that prints a result says in its help what the object holds.
func TestEveryHelpDocumentsItsJSON(t *testing.T) {
	without := []string{"fieldbook", "completion", "help", "key", "handoff"} // groups, and texts for a shell or a person
	everyCommand((&program{}).command(), func(cmd *cobra.Command) {
		if !slices.Contains(without, cmd.Name()) && !strings.Contains(cmd.Long, "\nJSON: ") {
			t.Errorf("%s does not say what --json prints", cmd.CommandPath())
		}
	})
}
