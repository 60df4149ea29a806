package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/grader"
)

// command builds the whole command line.
func (p *program) command() *cobra.Command {
	root := p.appCommand()
	p.flags.addFlags(root)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpFunc(p.help)
	root.SetHelpCommand(p.helpCommand())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage("usage", "%s", "See `"+cmd.CommandPath()+" --help`.", err.Error())
	})
	root.AddCommand(
		p.tourCommand(), p.initCommand(), p.listCommand(), p.runCommand(), p.watchCommand(), p.tryCommand(),
		p.crashCommand(), p.scenarioCommand(), p.handoffCommand(), p.faultCommand(), p.repairCommand(), p.resetCommand(), p.sourceCommand(), p.keyCommand(),
		p.submitCommand(), p.openCommand(), p.exportCommand(), p.importCommand(),
		p.doctorCommand(), p.completionCommand(),
	)
	return root
}

// does wraps the work of a command: the global flags are checked, and from here on an error is no longer one of usage.
func (p *program) does(work func(ctx context.Context, cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p.begun = true
		if err := p.flags.check(); err != nil {
			return err
		}
		if err := p.chooseLanguage(); err != nil {
			return err
		}
		return work(cmd.Context(), cmd, args)
	}
}

// takes requires exactly the arguments that are named, "EXERCISE"; a name in brackets may be left out, and one with dots
// repeats.
func takes(names ...string) cobra.PositionalArgs {
	least, most := 0, len(names)
	for _, name := range names {
		if !strings.HasPrefix(name, "[") {
			least++
		}
		if strings.HasSuffix(strings.TrimSuffix(name, "]"), "...") {
			most = -1
		}
	}
	return func(cmd *cobra.Command, args []string) error {
		hint := "Use: " + cmd.UseLine()
		switch {
		case len(args) < least:
			return usage("usage", "%s needs %s", hint, cmd.CommandPath(), strings.Join(names, " "))
		case most >= 0 && len(args) > most:
			return usage("usage", "%s does not take %q", hint, cmd.CommandPath(), args[most])
		}
		return nil
	}
}

// exits is the annotation that holds a command's exit codes.
const exits = "exits"

// exitStatus annotates a command with the codes it can end with, beside 0, 2 and 130.
func exitStatus(codes ...int) map[string]string {
	return map[string]string{exits: strings.Trim(fmt.Sprint(codes), "[]")}
}

// ownExits is the annotation of a command with exit codes of its own: all of them with their meanings, a line each.
const ownExits = "own exits"

// meanings are the exit codes in words, the same for every command.
func meanings() []struct {
	code    int
	meaning string
} {
	return []struct {
		code    int
		meaning string
	}{
		{grader.ExitPass, lang.Key("done; where code was run: PASS")},
		{grader.ExitNeedsWork, lang.Key("NEEDS_WORK: differs, unfinished, does not compile, panics, gives no result, is unstable")},
		{grader.ExitUsage, lang.Key("wrong use of the command, or input that cannot be read")},
		{grader.ExitUnsupported, lang.Key("UNSUPPORTED: right Go that the interpreter would run wrong")},
		{grader.ExitInvalid, lang.Key("INVALID: a handoff that fails verification")},
		{grader.ExitLimit, lang.Key("LIMIT: time, memory or output used up, or the sandbox was tried")},
		{grader.ExitVoid, lang.Key("VOID: our machine or our program failed; nothing is scored")},
		{grader.ExitInterrupted, lang.Key("interrupted")},
	}
}

// jsonHelp begins the part of a command's help that describes its object; it is the same in every language.
const jsonHelp = "\n\nJSON: "

// help writes a command's help; it ends with the exit codes.
func (p *program) help(cmd *cobra.Command, _ []string) {
	text, object, _ := strings.Cut(cmd.Long, jsonHelp)
	if text = p.texts.Format(text); object != "" {
		text += jsonHelp + object
	}
	p.helpIn(cmd)
	fmt.Fprintf(p.out, "%s\n\n%s\n%s\n", strings.TrimSpace(text), cmd.UsageString(), p.texts.Say("EXIT STATUS"))
	if own := cmd.Annotations[ownExits]; own != "" {
		for _, line := range strings.Split(own, "\n") {
			code, meaning, _ := strings.Cut(line, " ")
			fmt.Fprintf(p.out, "%5s  %s\n", code, p.texts.Format(meaning))
		}
		return
	}
	can := strings.Fields(cmd.Annotations[exits])
	for _, m := range meanings() {
		always := m.code == grader.ExitPass || m.code == grader.ExitUsage || m.code == grader.ExitInterrupted
		if always || slices.Contains(can, fmt.Sprint(m.code)) {
			fmt.Fprintf(p.out, "%5d  %s\n", m.code, p.texts.Format(m.meaning))
		}
	}
}

func (p *program) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]...",
		Short: "Explain a command",
		Long:  "Help prints what a command does, its flags and its exit codes.",
		RunE: p.does(func(_ context.Context, cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usage("usage", "there is no command %q", "See `fieldbook --help`.", strings.Join(args, " "))
			}
			return found.Help()
		}),
	}
}

func (p *program) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:       "completion {bash|zsh|fish|powershell}",
		Short:     "Print a completion script for a shell",
		Long:      "Completion prints a script that completes fieldbook's commands and flags. For bash:\n\n  source <(fieldbook completion bash)",
		Args:      takes("SHELL"),
		ValidArgs: shells,
		RunE: p.does(func(_ context.Context, cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(p.out, true)
			case "zsh":
				return root.GenZshCompletion(p.out)
			case "fish":
				return root.GenFishCompletion(p.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(p.out)
			}
			return usage("usage", "no completion is known for the shell %q", "The shells are: "+strings.Join(shells, ", ")+".", args[0])
		}),
	}
}
