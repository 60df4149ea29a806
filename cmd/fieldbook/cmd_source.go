package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	teaching "fieldbook/runtime"
)

func (p *program) sourceCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "source [PATH]",
		Short: "Print a supplied source, or list them",
		Long: `Source prints the real source of a supplied file, runtime/database/backup.go for instance. Without PATH it lists the files.
A file that an exercise has you write opens after your first attempt at that exercise.

JSON: files[{path, label, bytes}] or path, label, text.`,
		Args:        takes("[PATH]"),
		Annotations: exitStatus(6),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return sourcePaths(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: p.does(func(_ context.Context, _ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return p.listSources()
			}
			return p.source(args[0])
		}),
	}
}

func sourcePaths() []string {
	paths := append(teaching.CopiedFiles(), teaching.SuppliedFiles()...)
	slices.Sort(paths)
	return paths
}

// The labels of files: what comes with the course, and what a student writes.
const (
	suppliedLabel  = "SUPPLIED"
	referenceLabel = workbench.SuppliedReference
)

func labelOf(path string) string {
	if workbench.IsReplaced(path) {
		return referenceLabel
	}
	return suppliedLabel
}

type sourceFile struct {
	Path  string `json:"path"`
	Label string `json:"label"`
	Bytes int    `json:"bytes"`
}

func (p *program) listSources() error {
	var result struct {
		Files []sourceFile `json:"files"`
	}
	for _, path := range sourcePaths() {
		text, err := teaching.Source(path)
		if err != nil {
			return err
		}
		result.Files = append(result.Files, sourceFile{Path: path, Label: labelOf(path), Bytes: len(text)})
	}
	return p.print(result, func(out printer) {
		for _, f := range result.Files {
			out.lines(f.Path + out.Faint.On("   "+f.Label))
		}
	})
}

type sourceText struct {
	Path  string `json:"path"`
	Label string `json:"label"`
	Text  string `json:"text"`
}

func (p *program) source(path string) error {
	path = strings.TrimPrefix(strings.ReplaceAll(path, "\\", "/"), "./")
	text, err := teaching.Source(path)
	if err != nil {
		return usage("unknown_source", "there is no supplied file %s", "`fieldbook source` lists them.", path)
	}
	if e := workbench.Replacing(path); e != nil {
		tried, err := p.tried(e.Name)
		if err != nil {
			return err
		}
		if !tried {
			return &grader.Error{
				Code:    "reference_closed",
				Message: path + " is yours to write: the reference opens after your first attempt",
				Hint:    "Run your own file first: fieldbook run " + e.Name,
				Exit:    grader.ExitUsage,
			}
		}
	}
	return p.print(sourceText{Path: path, Label: labelOf(path), Text: string(text)}, func(out printer) {
		out.lines(out.Faint.On("// " + labelOf(path) + "  " + path))
		out.lines(out.Go(string(text))...)
	})
}

// tried reports whether the workspace has an attempt at an exercise.
func (p *program) tried(exercise string) (bool, error) {
	place, err := p.find()
	if err != nil || !place.Exists {
		return false, err
	}
	w, err := workspace.Open(place.Path, p.now)
	if err != nil {
		return false, err
	}
	attempts, err := w.ListAttempts(exercise)
	return len(attempts) > 0, err
}
