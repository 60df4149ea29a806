// Package pack makes the student edition: a bundle of sources without holdouts, solutions and instructor's programs, the
// student's program built from exactly that bundle, checksums, and a commitment to the holdout sets. Packing the same sources
// twice gives the same bytes. Everything is scanned for what students must not have before anything is written.
//
// It runs in the parent of the instructor's command, reads the module's folder, and starts the go command.
package pack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// File is one file of the bundle; its path begins at the module's root.
type File struct {
	Path string
	Data []byte
}

// tops are the parts of the module that a student gets. What is new at the top is left out until somebody decides.
var tops = [...]string{"go.mod", "go.sum", "README.md", "CHANGELOG.md", "LICENSE", "cmd/fieldbook", "units", "exercises", "grader", "handoff", "runtime"}

// required must be there: without them the folder is no module of ours.
var required = [...]string{"go.mod", "go.sum", "cmd/fieldbook", "units", "exercises", "grader", "handoff", "runtime"}

// kept reports whether a file below the tops belongs to the bundle: no holdout, no test, nothing hidden, and nothing that is
// for authors. Test vectors of the handoff's format are for everyone.
func kept(name string) bool {
	if name == "exercises/holdout" || strings.HasPrefix(name, "exercises/holdout/") || name == "exercises/AUTHORING.md" || strings.HasPrefix(name, "grader/report/") {
		return false
	}
	for _, element := range strings.Split(name, "/") {
		if strings.HasPrefix(element, ".") || strings.HasPrefix(element, "_") {
			return false
		}
		if element == "testdata" && !strings.HasPrefix(name, "handoff/testdata/") {
			return false
		}
	}
	return !strings.HasSuffix(name, "_test.go")
}

// Bundle reads the files of the student edition from the module's folder, sorted by path. Links and devices are an error:
// what they lead to is not known.
func Bundle(module fs.FS) ([]File, error) {
	for _, top := range required {
		if _, err := fs.Stat(module, top); err != nil {
			return nil, fmt.Errorf("the folder is not the module's: %w", err)
		}
	}
	var files []File
	for _, top := range tops {
		err := fs.WalkDir(module, top, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist) && name == top:
				return nil
			case err != nil:
				return err
			case entry.IsDir() && !kept(name+"/x"):
				return fs.SkipDir
			case entry.IsDir() || !kept(name):
				return nil
			case !entry.Type().IsRegular():
				return fmt.Errorf("%s is a link or a device", name)
			}
			data, err := fs.ReadFile(module, name)
			files = append(files, File{Path: name, Data: data})
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read the sources: %w", err)
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// Archive writes files as a compressed tar below one folder. Every date is the given one and every owner the same, so that
// the same files give the same bytes.
func Archive(folder string, files []File, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	zip, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	archive := tar.NewWriter(zip)
	for _, f := range files {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: path.Join(folder, f.Path), Size: int64(len(f.Data)), Mode: 0o644,
			ModTime: date.UTC(), Format: tar.FormatPAX,
		}
		if err := archive.WriteHeader(header); err != nil {
			return nil, fmt.Errorf("add %s to the archive: %w", f.Path, err)
		}
		if _, err := archive.Write(f.Data); err != nil {
			return nil, fmt.Errorf("add %s to the archive: %w", f.Path, err)
		}
	}
	if err := errors.Join(archive.Close(), zip.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
