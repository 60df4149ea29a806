package main

import (
	"context"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/handoff/key"
)

func (p *program) keyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Show, export or import your signing key",
		Long: `Key manages the key that signs your handoffs. It is made on first use, in your configuration folder, readable by you alone.
A handoff proves that the holder of its key made it; whose key that is, your instructor knows.`,
		Annotations: exitStatus(6),
		Args:        takes("show|export|import", "[FILE]"),
		RunE: p.does(func(_ context.Context, cmd *cobra.Command, args []string) error {
			return usage("usage", "%q is not one of show, export, import", "See `fieldbook key --help`.", args[0])
		}),
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "show", Short: "Print your key's id and public key", Args: takes(), Annotations: exitStatus(6),
			Long: "Show prints the id by which your instructor knows your key, and the public key. It makes the key on first use.\n\nJSON: key_id, public_key, path, made.",
			RunE: p.does(func(ctx context.Context, _ *cobra.Command, _ []string) error { return p.keyShow(ctx) }),
		},
		&cobra.Command{
			Use: "export FILE", Short: "Copy your private key to a new file", Args: takes("FILE"), Annotations: exitStatus(6),
			Long: "Export copies the private key to a new file, to take it to another machine. An existing file is not overwritten.\n\nJSON: key_id, public_key, path, file, warning.",
			RunE: p.does(func(_ context.Context, _ *cobra.Command, args []string) error { return p.keyExport(args[0]) }),
		},
		&cobra.Command{
			Use: "import FILE", Short: "Use a key from another machine", Args: takes("FILE"), Annotations: exitStatus(6),
			Long: "Import makes the key in FILE the one that signs from now on. The key that it replaces is kept beside it.\n\nJSON: key_id, public_key, path, backup.",
			RunE: p.does(func(ctx context.Context, _ *cobra.Command, args []string) error { return p.keyImport(ctx, args[0]) }),
		},
	)
	return cmd
}

// keyResult is the object that the key commands print.
type keyResult struct {
	key.Identity
	Made    bool   `json:"made,omitempty"`
	File    string `json:"file,omitempty"`
	Warning string `json:"warning,omitempty"`
	Backup  string `json:"backup,omitempty"`
}

func (p *program) keyStore() key.Store { return key.Store{Folder: p.config} }

func (p *program) keyShow(ctx context.Context) error {
	k, made, err := p.keyStore().Open(ctx)
	if err != nil {
		return err
	}
	return p.printKey(keyResult{Identity: p.keyStore().Identity(k), Made: made})
}

func (p *program) keyExport(file string) error {
	k, err := p.keyStore().Load()
	if err != nil {
		return err
	}
	path := p.path(file)
	if err := p.keyStore().Export(path); err != nil {
		return err
	}
	return p.printKey(keyResult{Identity: p.keyStore().Identity(k), File: path, Warning: key.Unprotected})
}

func (p *program) keyImport(ctx context.Context, file string) error {
	k, backup, err := p.keyStore().Import(ctx, p.path(file), p.now())
	if err != nil {
		return err
	}
	return p.printKey(keyResult{Identity: p.keyStore().Identity(k), Backup: backup})
}

func (p *program) printKey(r keyResult) error {
	return p.print(r, func(out printer) {
		rows := [][]string{{out.Say("key id"), r.KeyID}, {out.Say("kept in"), r.Path}}
		if r.File != "" {
			rows = append(rows, []string{out.Say("exported"), r.File})
		}
		out.lines(draw.Columns(rows, 2, unwrapped)...)
		if r.Made {
			out.para("It was made now. Give the id to your instructor.")
		}
		if r.File != "" {
			out.para("%s", out.Message(r.Warning))
			return
		}
		if r.Backup != "" {
			out.para("the key before it is kept in %s", r.Backup)
		}
		out.lines("", r.PublicKey)
	})
}
