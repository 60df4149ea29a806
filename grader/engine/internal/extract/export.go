package extract

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"go/token"
	"io"

	"golang.org/x/tools/go/gcexportdata"
)

// Export returns a zip archive with one member a package, named by its import path: the package's types as
// gcexportdata.Write writes them, without positions. The same packages give the same bytes on every machine. dir is a
// folder of the module that requires the packages.
func Export(dir string, paths []string) ([]byte, error) {
	loaded, err := load(dir, paths)
	if err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	for _, p := range loaded {
		member, err := w.CreateHeader(&zip.FileHeader{Name: p.Path(), Method: zip.Deflate})
		if err != nil {
			return nil, fmt.Errorf("adding %s: %w", p.Path(), err)
		}
		// An empty file set leaves positions out: they would name files of this machine.
		if err := gcexportdata.Write(member, token.NewFileSet(), p); err != nil {
			return nil, fmt.Errorf("writing export data of %s: %w", p.Path(), err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("closing the archive of export data: %w", err)
	}
	return archive.Bytes(), nil
}

// membersOf returns the members of an archive by name.
func membersOf(archive []byte) (map[string][]byte, error) {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fmt.Errorf("opening the archive of export data: %w", err)
	}
	members := map[string][]byte{}
	for _, file := range r.File {
		member, err := file.Open()
		if err != nil {
			return nil, err
		}
		if members[file.Name], err = io.ReadAll(member); err != nil {
			return nil, fmt.Errorf("reading %s: %w", file.Name, err)
		}
	}
	return members, nil
}
