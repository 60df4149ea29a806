package main

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/handoff"
	"fieldbook/handoff/archive"
	"fieldbook/handoff/key"
)

// exportOptions are the flags of export.
type exportOptions struct{ withKey bool }

func (o *exportOptions) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.withKey, "with-key", false, "put your private key into the archive too")
}

func (p *program) exportCommand() *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write the whole workspace into one file, for another machine",
		Long: `Export writes every file of the workspace into one archive: sources, attempts, predictions, handoffs, backups and how far
you have come. There, fieldbook import makes the workspace again. An existing FILE is not overwritten. Your private key stays
here unless you ask for it: with another key you are another signer.

JSON: file, workspace, files, bytes, sha256, left_out[], key_id, warning.`,
		Args:        takes("FILE"),
		Annotations: exitStatus(6),
		RunE: p.does(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return p.export(ctx, o, args[0], commandLine(cmd, args))
		}),
	}
	o.addFlags(cmd)
	return cmd
}

// exportResult is the object that export prints.
type exportResult struct {
	File      string   `json:"file"`
	Workspace string   `json:"workspace"`
	Files     int      `json:"files"`
	Bytes     int      `json:"bytes"`
	SHA256    string   `json:"sha256"`
	LeftOut   []string `json:"left_out"` // links, devices, and names that some systems cannot store
	KeyID     string   `json:"key_id,omitempty"`
	Warning   string   `json:"warning,omitempty"`
}

// keyEntry is where an archive carries the student's key. It is no file of a workspace.
const keyEntry = workspace.Folder + "/exported-key.pem"

func (p *program) export(ctx context.Context, o exportOptions, file, command string) error {
	place, err := p.find()
	if err != nil {
		return err
	}
	if !place.Exists {
		return &grader.Error{
			Code: "no_workspace", Message: fmt.Sprintf("there is no workspace at %s, so there is nothing to export", place.Path),
			Hint: "Name one with --workspace.", Exit: grader.ExitUsage,
		}
	}
	b, done, err := p.open(ctx, command)
	if err != nil {
		return err
	}
	defer done()
	files, left, err := b.Work.Files()
	if err != nil {
		return err
	}
	result := exportResult{File: p.path(file), Workspace: b.Work.Root(), Files: len(files), LeftOut: append([]string{}, left...)}
	if o.withKey {
		k, err := b.Keys.Load()
		if err != nil {
			return err
		}
		files = append(files, archive.File{Name: keyEntry, Data: k.PEM()})
		result.KeyID, result.Warning = k.ID(), key.Unprotected
	}
	data, err := archive.Encode(archive.Workspace, files)
	if err != nil {
		return err
	}
	var mode fs.FileMode = archiveMode
	if o.withKey {
		mode = keyArchiveMode
	}
	if err := handoff.CreateFile(result.File, data, mode); err != nil {
		return err
	}
	result.Bytes, result.SHA256 = len(data), handoff.Digest(data)
	return p.print(result, func(out printer) { out.printExport(result) })
}

// The modes of an archive: one with a private key is readable for its owner alone.
const (
	archiveMode    = 0o644
	keyArchiveMode = 0o600
)

func (out printer) printExport(r exportResult) {
	out.lines(out.Say("Exported: %s", out.Accent.On(r.File)))
	out.para("%d files of the workspace %s, %d bytes, sha256 %s.", r.Files, r.Workspace, r.Bytes, r.SHA256)
	for _, name := range r.LeftOut {
		out.para("left out   %s: a link, a device, or a name that some systems cannot store", name)
	}
	if r.Warning != "" {
		out.para("Your key %s is in it. %s", r.KeyID, out.Message(r.Warning))
	} else {
		out.para("Your private key is not in it. To sign as the same person there, take it along: fieldbook export --with-key, or fieldbook key export.")
	}
	out.para("On the other machine: fieldbook import FILE")
}

// readArchive reads the file of an archive of a kind. Messages name the path.
func readArchive(kind archive.Kind, path string) ([]archive.File, error) {
	data, err := handoff.ReadFileUpTo(path, archive.MaxBytes)
	if err != nil {
		return nil, err
	}
	files, err := archive.Decode(kind, data)
	return files, namedRefusal(path, err)
}
