package main

import (
	"context"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/units"
)

// initOptions are the flags of init.
type initOptions struct{ upgrade bool }

func (o *initOptions) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.upgrade, "upgrade", false, "bring a workspace of an older Fieldbook to this one, after a backup")
}

func (p *program) initCommand() *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Make a workspace, or restore the supplied files of one",
		Long: `Init lays out the supplied files of the course and puts a starter where you have written nothing yet.
It can be repeated: supplied files are restored after a backup, your own files are never touched.
Without FOLDER it uses --workspace, the nearest parent with .fieldbook, or your data folder.

A workspace of an older Fieldbook is upgraded with --upgrade; the files that this changes are backed up first. One of a newer
Fieldbook is left alone.

JSON: workspace, reason, edition, upgraded{from, to, backup, changed} or null, setup{supplied, written, restored, starters,
kept, tree_digest, tree_matches, backup}.`,
		Args:        takes("[FOLDER]"),
		Annotations: exitStatus(6),
		RunE: p.does(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				p.flags.workspace = args[0]
			}
			return p.init(ctx, o, commandLine(cmd, args))
		}),
	}
	o.addFlags(cmd)
	return cmd
}

// initResult is the object that init prints.
type initResult struct {
	Workspace string              `json:"workspace"`
	Reason    string              `json:"reason"`
	Edition   string              `json:"edition"`
	Upgraded  *workspace.Upgraded `json:"upgraded"`
	Setup     workspace.Setup     `json:"setup"`
}

func (p *program) init(ctx context.Context, o initOptions, command string) error {
	place, err := p.find()
	if err != nil {
		return err
	}
	upgraded, err := p.upgrade(ctx, o, place, command)
	if err != nil {
		return err
	}
	b, _, done, err := p.take(ctx, command)
	if err != nil {
		return err
	}
	defer done()
	setup, err := b.SetUp()
	if err != nil {
		return err
	}
	result := initResult{Workspace: b.Work.Root(), Reason: place.Reason, Edition: units.Edition, Upgraded: upgraded, Setup: setup}
	return p.print(result, func(out printer) {
		out.lines(out.Title.On(out.Say("Workspace")) + "   " + result.Workspace + "   (" + out.Message(place.Reason) + ")")
		out.para("Supplied files   %d, %d of them written now. Tree %s…  %s", setup.Supplied, setup.Written, setup.Digest[:12], out.match(setup.Matches))
		if upgraded != nil {
			out.printUpgraded(*upgraded)
		}
		for _, path := range setup.Restored {
			out.para("restored   %s; what it had become is in backup %s", path, setup.Backup)
		}
		for _, path := range setup.Starters {
			out.para("starter    %s, yours to write", path)
		}
		for _, path := range setup.Kept {
			out.para("kept       %s, yours", path)
		}
		out.para("Scratch folders of runs lie outside the workspace and are removed with each run.")
		out.para("Building against a supplied runtime proves nothing about its parts.")
		out.section("What to do next")
		out.lines(draw.Columns([][]string{{"  fieldbook", out.Say("opens the course")}, {"  fieldbook run restore", out.Say("runs your file once")}}, 3, out.width)...)
	})
}

// upgrade brings an older workspace to this program, when that was asked for.
func (p *program) upgrade(ctx context.Context, o initOptions, place workspace.Place, command string) (*workspace.Upgraded, error) {
	if !o.upgrade || !place.Exists {
		return nil, nil //nolint:nilnil // nothing was asked for, and the result says so with null
	}
	done, err := workspace.Upgrade(ctx, place.Path, units.Edition, p.now, p.holder(command))
	return &done, err
}

func (p printer) match(matches bool) string {
	if matches {
		return p.Pass.On(draw.PassSign + " " + p.Say("matches the edition"))
	}
	return p.Differ.On(draw.DifferSign + " " + p.Say("differs from the edition"))
}
