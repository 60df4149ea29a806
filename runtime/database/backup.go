package database

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fieldbook/runtime/operation"
)

// The header of a database file: https://www.sqlite.org/fileformat.html, section 1.3.
const (
	headerLength = 100
	headerMagic  = "SQLite format 3\x00"
	writeVersion = 18 // byte 18: 1 for a rollback journal, 2 for a WAL
	readVersion  = 19 // byte 19: likewise
	walVersion   = 2
)

// OpenBackup opens a finished backup for reading, as a file that nobody changes. Before that it refuses what would be
// read wrong: ErrNotDatabase for a missing, irregular or empty file and one without SQLite's header, ErrUnfinished for a
// database in WAL mode or with a -wal or -journal beside it, of which an immutable opening shows old rows. It does not
// check the pages: Integrity does.
func OpenBackup(ctx context.Context, path string) (db *Database, err error) {
	const name = "database.OpenBackup"
	span := operation.For(path).Begin(name, path, "")
	defer func() { span.End(err, 0) }()
	defer func() { err = failure(ctx, name, "", err) }()
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("%w: the path %q is not absolute; take paths from the world", ErrArgument, path)
	}
	if err := finished(path); err != nil {
		return nil, err
	}
	s, err := connect(ctx, span, path, "mode=ro", "immutable=1")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = s.close()
		}
	}()
	if err := s.configure(ctx, 0); err != nil {
		return nil, err
	}
	if _, err := s.text(ctx, "PRAGMA schema_version"); err != nil {
		return nil, err
	}
	s.span.Store(nil)
	return &Database{session: s, path: path, marker: markerOf(path), source: "mode=ro&immutable=1", turn: make(chan struct{}, 1)}, nil
}

// finished refuses a file that is not one finished database.
func finished(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: there is no file %s", ErrNotDatabase, filepath.Base(path))
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a regular file", ErrNotDatabase, filepath.Base(path))
	}
	// Read nothing of a database that this process writes to: closing the descriptor would end SQLite's locks where they
	// are POSIX locks.
	if logged.writes(info) {
		return fmt.Errorf("%w: it is a database in use", ErrUnfinished)
	}
	header, err := readHeader(path)
	if err != nil {
		return err
	}
	if header[writeVersion] == walVersion || header[readVersion] == walVersion {
		return fmt.Errorf("%w: its header says that changes may be in a write-ahead log", ErrUnfinished)
	}
	names := []string{path}
	if resolved, err := filepath.EvalSymlinks(path); err == nil && resolved != path {
		names = append(names, resolved)
	}
	for _, name := range names {
		for _, suffix := range []string{"-wal", "-journal"} {
			if _, err := os.Lstat(name + suffix); err == nil {
				return fmt.Errorf("%w: %s lies beside it", ErrUnfinished, filepath.Base(name)+suffix)
			}
		}
	}
	return nil
}

func readHeader(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	header := make([]byte, headerLength)
	n, err := io.ReadFull(f, header)
	switch {
	case n == 0 && errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%w: the file is empty", ErrNotDatabase)
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, err
	case n < headerLength || !bytes.HasPrefix(header, []byte(headerMagic)):
		return nil, fmt.Errorf("%w: it does not begin with SQLite's header", ErrNotDatabase)
	}
	return header, nil
}
