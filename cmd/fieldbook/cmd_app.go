package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/plain"
	"fieldbook/cmd/fieldbook/submit"
	"fieldbook/cmd/fieldbook/ui"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader/sandbox"
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
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			hint := "See `fieldbook --help`."
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = fmt.Sprintf(lang.Key("Did you mean %s?"), strings.Join(near, ", "))
			}
			return usage("usage", "unknown command %q", hint, args[0])
		},
		SuggestionsMinimumDistance: 2,
		Annotations:                exitStatus(6),
		RunE: p.does(func(ctx context.Context, cmd *cobra.Command, _ []string) error {
			return p.app(ctx, commands(cmd))
		}),
	}
}

func (p *program) app(ctx context.Context, known []ui.Command) error {
	if p.flags.json || !p.interact && !p.flags.plain {
		if err := p.list(); err != nil || p.flags.json {
			return err
		}
		p.printer().printNext()
		return nil
	}
	p.stays = true
	b, done, err := p.open(ctx, "")
	if err != nil {
		return err
	}
	defer done()
	session, err := course.Open(b, p.now)
	if err != nil {
		return err
	}
	session.Language, session.Words = p.language, p.texts
	level, layers, err := p.pool.Probe(ctx)
	if err != nil {
		return err
	}
	if p.flags.plain || p.getenv("TERM") == "dumb" {
		p.notice(level, layers)
		o := plain.Options{Session: session, Explain: p.explainer(ctx), In: p.in, Out: p.out, Width: p.printWidth(), Texts: p.texts, Courses: p.courses(b)}
		if p.interact {
			o.Editor = p.editor() // it needs the terminal
		}
		return plain.Run(ctx, o)
	}
	return ui.Run(ctx, ui.Options{
		Session: session, Theme: p.theme(), Explain: p.explainer(ctx), Editor: p.editor(), Sandbox: level,
		Notice: p.texts.Message(sandbox.Notice(level, layers)), Now: p.now, In: p.in, Out: p.out,
		Courses: p.courses(b), Commands: known,
	})
}

// printNext says what to do without a terminal.
func (out printer) printNext() {
	out.section("What to do next")
	out.lines(draw.Columns([][]string{
		{"  fieldbook tour", out.Say("see the whole course work once")}, {"  fieldbook init", out.Say("make a workspace")},
		{"  fieldbook run EXERCISE", out.Say("run your file")}, {"  fieldbook --plain", out.Say("take the course in lines, without a terminal")},
		{"  fieldbook --help", out.Say("all commands")},
	}, 3, out.width)...)
}

// courses are where an instructor's course.yaml may lie.
func (p *program) courses(b *workbench.Bench) []string {
	return []string{b.Work.Path(submit.CourseName), filepath.Join(p.config, submit.CourseName)}
}

// commands are the program's, for the app's search.
func commands(root *cobra.Command) []ui.Command {
	var list []ui.Command
	for _, c := range root.Commands() {
		list = append(list, ui.Command{Name: c.Name(), Short: c.Short})
	}
	return list
}

// editor is the command that edits a file: VISUAL, EDITOR, or what is found. It may have arguments of its own.
func (p *program) editor() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if command := strings.Fields(p.getenv(name)); len(command) > 0 {
			return command
		}
	}
	for _, command := range []string{"nano", "vi", "notepad"} {
		if path, err := exec.LookPath(command); err == nil {
			return []string{path}
		}
	}
	return nil
}
