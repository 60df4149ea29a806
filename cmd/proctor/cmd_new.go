package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/cmd/proctor/author"
	"fieldbook/cmd/proctor/scaffold"
	"fieldbook/exercises"
	teaching "fieldbook/runtime"
)

type newOptions struct {
	kind      string
	file      string
	function  string
	signature string
	folder    string
}

func (o *newOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.kind, "kind", string(exercises.Direct), "direct: a table of calls; source: a probe that drives the runtime")
	f.StringVar(&o.file, "file", "", "the runtime's `file` that the student writes; default: runtime/assistant/NAME.go")
	f.StringVar(&o.function, "function", "", "`name` of the function in it")
	f.StringVar(&o.signature, "signature", "", "its `type`, as in 'func(name string) bool'")
	f.StringVar(&o.folder, "exercises", "", "`folder` of the exercises; default: that of the module around the current folder")
}

func (p *program) newCommand() *cobra.Command {
	var o newOptions
	cmd := &cobra.Command{
		Use:   "new EXERCISE --function NAME --signature TYPE",
		Short: "Make the folders of a new exercise",
		Long: `New makes exercises/EXERCISE and exercises/holdout/EXERCISE with every file that an author must write. Wherever something
is to be written a line says WRITE: and what; proctor check EXERCISE lists these lines until none is left, and everything
else that is missing. exercises/AUTHORING.md tells the rest. Nothing is overwritten.

JSON: exercise, folder, files.
` + checkExit,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("proctor new needs the name of one exercise", "Use: proctor new EXERCISE --function NAME --signature TYPE")
			}
			if o.function == "" || o.signature == "" {
				return usage("proctor new needs --function and --signature", "As in: proctor new greeting --function Greeting --signature 'func(name string) string'")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return p.newExercise(args[0], o) },
	}
	o.addFlags(cmd)
	return cmd
}

func (p *program) newExercise(name string, o newOptions) error {
	root, err := moduleOf(o.folder)
	if err != nil {
		return err
	}
	if o.file == "" {
		o.file = "runtime/assistant/" + strings.ReplaceAll(name, "-", "_") + ".go"
	}
	_, err = teaching.Source(o.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	files, err := scaffold.Files(scaffold.Spec{
		Name: name, Kind: exercises.Kind(o.kind), File: o.file, Function: o.function, Signature: o.signature,
	}, err != nil)
	if err != nil {
		return err
	}
	if err := scaffold.Write(root, files); err != nil {
		return err
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	if p.json {
		p.write(map[string]any{"exercise": name, "folder": root, "files": paths})
		return nil
	}
	fmt.Fprintf(p.out, "Made in %s:\n", root)
	for _, f := range paths {
		fmt.Fprintf(p.out, "  %s\n", f)
	}
	fmt.Fprintf(p.out, "What is to be written: proctor check %s. How: exercises/AUTHORING.md.\n", name)
	return nil
}

// moduleOf is the folder that holds the folder exercises.
func moduleOf(folder string) (string, error) {
	if folder != "" {
		if _, err := author.OnDisk(folder); err != nil {
			return "", err
		}
		return filepath.Dir(filepath.Clean(folder)), nil
	}
	here, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the current folder: %w", err)
	}
	module, ok := author.Module(here)
	if !ok {
		return "", usage("no module with exercises is around "+here, "Go to a folder inside it, or name its folder exercises with --exercises.")
	}
	return module, nil
}
