package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/handoff"
	"fieldbook/handoff/archive"
	"fieldbook/handoff/key"
	"fieldbook/units"
)

// importOptions are the flags of import.
type importOptions struct{ key string }

// What import does with a key in the archive.
const (
	useKey  = "use"
	keepKey = "keep"
)

func (o *importOptions) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.key, "key", "", "when the archive and this machine have different keys: use the archive's, or keep this machine's (`use|keep`)")
}

func (p *program) importCommand() *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import FILE [FOLDER]",
		Short: "Make the workspace that another machine exported",
		Long: `Import makes a workspace of an archive that fieldbook export wrote. It appears complete or not at all, and nothing that is
there already is overwritten. Supplied files become this edition's; an older layout is upgraded, and what that changes is
backed up first. Without FOLDER it uses --workspace, or your data folder.

When the archive carries a key and this machine has none, it becomes this machine's. When both have one, --key decides.

JSON: workspace, file, files, upgraded{from, to, backup, changed}, setup (as in init), key_id, key_used, key_backup.`,
		Args:        takes("FILE", "[FOLDER]"),
		Annotations: exitStatus(4, 6),
		RunE: p.does(func(ctx context.Context, _ *cobra.Command, args []string) error {
			return p.importWorkspace(ctx, o, args)
		}),
	}
	o.addFlags(cmd)
	complete(cmd, "key", useKey, keepKey)
	return cmd
}

// importResult is the object that import prints.
type importResult struct {
	Workspace string             `json:"workspace"`
	File      string             `json:"file"`
	Files     int                `json:"files"`
	Upgraded  workspace.Upgraded `json:"upgraded"`
	Setup     workspace.Setup    `json:"setup"`
	KeyID     string             `json:"key_id,omitempty"` // of the key in the archive
	KeyUsed   bool               `json:"key_used"`
	KeyBackup string             `json:"key_backup,omitempty"` // of the key that it replaced
}

func (p *program) importWorkspace(ctx context.Context, o importOptions, args []string) error {
	if o.key != "" && o.key != useKey && o.key != keepKey {
		return usage("usage", "--key=%s is not known", "It is use or keep.", o.key)
	}
	root, err := p.importPlace(args[1:])
	if err != nil {
		return err
	}
	file := p.path(args[0])
	files, err := readArchive(archive.Workspace, file)
	if err != nil {
		return err
	}
	files, carried, err := takeKey(file, files)
	if err != nil {
		return err
	}
	if !workspace.Carried(files) {
		return &handoff.Error{Kind: handoff.Invalid, Code: "archive_no_workspace", Message: file + ": the archive does not hold a workspace", Hint: "Name the file that fieldbook export wrote."}
	}
	result := importResult{Workspace: root, File: file, Files: len(files)}
	if carried != nil {
		result.KeyID = carried.ID()
		if result.KeyUsed, err = p.usesKey(*carried, o); err != nil {
			return err
		}
	}
	if err := workspace.Unpack(root, files, func(temporary string) error { return p.settle(ctx, temporary, &result) }); err != nil {
		return err
	}
	if result.KeyUsed {
		if result.KeyBackup, err = p.keyStore().Adopt(ctx, *carried, p.now()); err != nil {
			return &failed{err: err, done: result}
		}
	}
	return p.print(result, func(out printer) { out.printImport(result) })
}

// importPlace is where the workspace is to be made. The folder in which the command was called is never meant by itself: it may
// be inside another workspace.
func (p *program) importPlace(named []string) (string, error) {
	if len(named) == 1 {
		return p.path(named[0]), nil
	}
	if p.flags.workspace != "" {
		return p.path(p.flags.workspace), nil
	}
	if p.data == "" {
		return "", errors.New("no data folder is known for this user")
	}
	return filepath.Join(p.data, "fieldbook", "workspace"), nil
}

// settle brings a workspace that was laid out to this edition.
func (p *program) settle(ctx context.Context, temporary string, result *importResult) error {
	var err error
	if result.Upgraded, err = workspace.Upgrade(ctx, temporary, units.Edition, p.now, p.holder("import")); err != nil {
		return err
	}
	w, err := workspace.Open(temporary, p.now)
	if err != nil {
		return err
	}
	result.Setup, err = (&workbench.Bench{Work: w, Units: units.All()}).SetUp()
	return err
}

// takeKey takes the key out of an archive's files, nil when there is none.
func takeKey(file string, files []archive.File) ([]archive.File, *key.Key, error) {
	i := slices.IndexFunc(files, func(f archive.File) bool { return f.Name == keyEntry })
	if i < 0 {
		return files, nil, nil
	}
	k, err := key.Parse(file+": "+keyEntry, files[i].Data)
	return slices.Delete(files, i, i+1), &k, err
}

// usesKey decides whether the archive's key becomes this machine's.
func (p *program) usesKey(carried key.Key, o importOptions) (bool, error) {
	own, err := p.keyStore().Load()
	var refused *handoff.Error
	switch {
	case errors.As(err, &refused) && refused.Code == key.CodeMissing:
		return o.key != keepKey, nil
	case err != nil:
		return false, err
	case own.ID() == carried.ID():
		return false, nil
	case o.key != "":
		return o.key == useKey, nil
	}
	return false, &grader.Error{
		Code:    "two_keys",
		Message: fmt.Sprintf("the archive carries the key %s, and this machine has another, %s", carried.ID(), own.ID()),
		Hint:    "Say --key=use to sign with the archive's from now on; this machine's is kept beside it. Say --key=keep to leave the archive's out. Nothing was written.",
		Exit:    grader.ExitUsage,
	}
}

func (out printer) printImport(r importResult) {
	out.lines(out.Say("Imported: %s", out.Accent.On(r.Workspace)))
	out.para("%d files of %s. Supplied files: tree %s…  %s", r.Files, r.File, r.Setup.Digest[:12], out.match(r.Setup.Matches))
	out.printUpgraded(r.Upgraded)
	for _, path := range r.Setup.Restored {
		out.para("restored   %s; what it had become is in backup %s", path, r.Setup.Backup)
	}
	switch {
	case r.KeyUsed:
		out.para("The key %s came along and signs from now on.", r.KeyID)
		if r.KeyBackup != "" {
			out.para("the key before it is kept in %s", r.KeyBackup)
		}
	case r.KeyID != "":
		out.para("The key in the archive, %s, is not used: this machine's stays.", r.KeyID)
	}
	out.lines("", out.Say("Next: %s", "fieldbook --workspace "+r.Workspace))
}

// printUpgraded says what an upgrade did, when it did something.
func (out printer) printUpgraded(u workspace.Upgraded) {
	if u.Changed {
		out.para("Upgraded from layout %d, %s edition, to layout %d, %s edition; what that changed is in backup %s.",
			u.From.Format, u.From.Edition, u.To.Format, u.To.Edition, u.Backup)
	}
}
