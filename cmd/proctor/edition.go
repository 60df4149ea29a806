package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fieldbook/cmd/proctor/pack"
	"fieldbook/exercises"
	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/handoff"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// Names of the files of an edition.
const (
	commitmentName = "holdouts.commitment"
	sumsName       = "SHA256SUMS"
)

type packedFile struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
	data   []byte
	mode   os.FileMode
}

// edition makes the files of an edition and scans them.
func (p *program) edition(ctx context.Context, module string, targets []pack.Target, opening pack.Opening) ([]packedFile, []pack.Leak, error) {
	bundle, err := pack.Bundle(os.DirFS(module))
	if err != nil {
		return nil, nil, &grader.Error{Code: "pack_source", Exit: grader.ExitUsage, Message: "the sources cannot be packed: " + err.Error(), Hint: "Name the module's folder with --source.", Cause: err}
	}
	scanner, err := packScanner()
	if err != nil {
		return nil, nil, err
	}
	var leaks []pack.Leak
	for _, f := range bundle {
		leaks = append(leaks, scanner.Source(f)...)
	}
	if len(leaks) > 0 {
		return nil, leaks, nil
	}
	date, err := time.Parse(time.DateOnly, units.EditionDate)
	if err != nil {
		return nil, nil, fmt.Errorf("read the edition's date: %w", err)
	}
	name := "fieldbook-" + units.Edition + "-" + units.EditionDate
	archive, err := pack.Archive(name, bundle, date)
	if err != nil {
		return nil, nil, err
	}
	files := []packedFile{newPacked(name+".tar.gz", archive, 0o644), newPacked(commitmentName, []byte(opening.Commitment()+"\n"), 0o644)}
	built, leaks, err := p.buildAll(ctx, bundle, targets, scanner)
	if err != nil || len(leaks) > 0 {
		return nil, leaks, err
	}
	files = append(files, built...)
	slices.SortFunc(files, func(a, b packedFile) int { return strings.Compare(a.File, b.File) })
	var sums strings.Builder
	for _, f := range files {
		fmt.Fprintf(&sums, "%s  %s\n", f.SHA256, f.File)
	}
	return append(files, newPacked(sumsName, []byte(sums.String()), 0o644)), nil, nil
}

// packScanner knows the holdouts of this program, and the references that ship on purpose.
func packScanner() (*pack.Scanner, error) {
	var references [][]byte
	for _, e := range exercises.All() {
		for _, r := range e.Replaces {
			text, err := teaching.Source(r.File)
			if err != nil {
				return nil, fmt.Errorf("read the reference of %s: %w", e.Name, err)
			}
			references = append(references, text)
		}
	}
	return pack.NewScanner(holdout.Canary, holdout.Folders(), references)
}

// buildAll builds the student's program for each target from the bundle.
func (p *program) buildAll(ctx context.Context, bundle []pack.File, targets []pack.Target, scanner *pack.Scanner) (files []packedFile, leaks []pack.Leak, err error) {
	if len(targets) == 0 {
		return nil, nil, nil
	}
	folder, err := os.MkdirTemp("", "fieldbook-pack-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a folder for the bundle: %w", err)
	}
	defer os.RemoveAll(folder)
	if err := pack.LayOut(folder, bundle); err != nil {
		return nil, nil, err
	}
	p.progress.begin("build", len(targets))
	defer p.progress.end()
	for _, t := range targets {
		data, err := pack.Build(ctx, folder, t)
		if err != nil {
			return nil, nil, err
		}
		leaks = append(leaks, scanner.Binary(t.Name(), data)...)
		files = append(files, newPacked(t.Name(), data, 0o755))
		p.progress.step()
	}
	return files, leaks, nil
}

func newPacked(name string, data []byte, mode os.FileMode) packedFile {
	return packedFile{File: name, SHA256: handoff.Digest(data), Bytes: len(data), data: data, mode: mode}
}

// writeEdition puts the files into the folder, checksums last: without them an edition is not whole.
func writeEdition(folder string, files []packedFile) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("make the folder %s: %w", folder, err)
	}
	for _, f := range files {
		if err := handoff.CreateFile(filepath.Join(folder, f.File), f.data, f.mode); err != nil {
			return err
		}
	}
	return nil
}
