package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fieldbook/runtime/files/lock"
	"fieldbook/runtime/operation"
)

// The authority marker is a file beside the database that names the history whose claims count. Restore publishes a new
// one before it replaces rows; the first opening publishes the first, here.
//
// The marker and the control row cannot be written in one step, so the first opening prepares the marker under the name
// <marker>.<epoch>, commits the control row and then renames. An opening that finds a prepared marker whose epoch is the
// control row's, and no marker, finishes that; any other prepared marker is left by a Restore that crashed, and removed.

// establish inserts the control row if there is none, and then publishes its epoch.
func (d *Database) establish(ctx context.Context, span *operation.Span) error {
	epoch, err := d.session.epoch(ctx)
	if err != nil || epoch != "" {
		return err
	}
	prepared := ""
	err = d.session.immediate(ctx, func() error {
		other, err := d.session.epoch(ctx)
		if err != nil || other != "" {
			return err // another opening was first
		}
		fresh := d.options.IDs.Next()
		if err := d.unmarked(fresh); err != nil {
			return err
		}
		name := d.marker + "." + fresh
		if err := prepareMarker(span, name, fresh); err != nil {
			return err
		}
		prepared = name
		_, err = d.session.exec(ctx, "INSERT INTO assistant_control (id, epoch, paused) VALUES (1, ?, 0)", values(fresh)...)
		return err
	})
	if prepared == "" {
		return err
	}
	if err != nil {
		return errors.Join(err, span.Remove(prepared))
	}
	return publishMarker(span, prepared, d.marker)
}

// unmarked refuses to begin a history beside the marker of another one: the database was removed or replaced, and claims
// of the other history would count again.
func (d *Database) unmarked(epoch string) error {
	there, err := readMarker(d.marker)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if there != epoch {
		return fmt.Errorf("%w: the database is new, but the authority marker %s names another history; "+
			"put the database back or move the marker away", ErrNoSchema, filepath.Base(d.marker))
	}
	return nil
}

// markerLength is the size of a whole marker in bytes: the epoch and nothing else.
const markerLength = 32

// readMarker returns what a marker says; "" when it is not an epoch.
func readMarker(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, markerLength+1))
	if err != nil {
		return "", err
	}
	if !isEpoch(string(text)) {
		return "", nil
	}
	return string(text), nil
}

func isEpoch(text string) bool {
	return len(text) == markerLength && strings.Trim(text, "0123456789abcdef") == ""
}

func prepareMarker(span *operation.Span, path, epoch string) error {
	f, err := span.Create(path, 0o600)
	if err != nil {
		return err
	}
	err = span.Write(path, 0, []byte(epoch), f.Write)
	if err == nil {
		err = span.Sync(path, f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, span.Remove(path))
	}
	return span.SyncFolder(filepath.Dir(path))
}

func publishMarker(span *operation.Span, prepared, marker string) error {
	if err := span.Rename(prepared, marker); err != nil {
		return err
	}
	return span.SyncFolder(filepath.Dir(marker))
}

func (s *session) epoch(ctx context.Context) (string, error) {
	epoch, err := s.text(ctx, "SELECT epoch FROM assistant_control WHERE id = 1")
	if errors.Is(err, ErrNoRows) {
		return "", nil
	}
	return epoch, err
}

// sweep removes what crashed runs left beside the database: images that nobody has locked and, when no image is in use,
// prepared markers. A Restore that runs on another handle has its image open, so its marker is left alone.
func (d *Database) sweep(ctx context.Context, span *operation.Span) error {
	entries, err := os.ReadDir(filepath.Dir(d.path))
	if err != nil {
		return err
	}
	inUse := false
	var prepared []string
	for _, entry := range entries {
		path := filepath.Join(filepath.Dir(d.path), entry.Name())
		if number, ok := strings.CutPrefix(path, imagePrefix(d.path)); ok && entry.IsDir() && isNumber(number) {
			swept, err := sweepImage(span, path)
			if err != nil {
				return err
			}
			inUse = inUse || !swept
		}
		if epoch, ok := strings.CutPrefix(path, d.marker+"."); ok && entry.Type().IsRegular() && isEpoch(epoch) {
			prepared = append(prepared, path)
		}
	}
	if inUse || len(prepared) == 0 {
		return nil
	}
	return d.sweepMarkers(ctx, span, prepared)
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// sweepImage removes an image folder unless someone holds its lock, and reports whether it is gone.
func sweepImage(span *operation.Span, folder string) (bool, error) {
	path := filepath.Join(folder, lockFile)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		// Made a moment ago, or left by a crash that lost the lock file. With a lock file that is ours the folder is
		// ours too: its maker, if there is one, takes another number.
		f, err = span.Create(path, 0o600)
	}
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	locked, err := lock.Try(f)
	if err != nil || !locked || !named(f, path) {
		f.Close()
		return false, err
	}
	if err := (&image{folder: folder, lock: f}).remove(span); err != nil {
		return false, err
	}
	return true, nil
}

// sweepMarkers finishes the first opening's marker and removes all others. The write lock keeps out an opening that is
// preparing its own.
func (d *Database) sweepMarkers(ctx context.Context, span *operation.Span, prepared []string) error {
	return d.session.immediate(ctx, func() error {
		epoch, err := d.session.epoch(ctx)
		if err != nil {
			return err
		}
		for _, path := range prepared {
			_, err := os.Lstat(d.marker)
			if errors.Is(err, os.ErrNotExist) && epoch != "" && path == d.marker+"."+epoch {
				if whole, err := readMarker(path); err == nil && whole == epoch {
					if err := publishMarker(span, path, d.marker); err != nil {
						return err
					}
					continue
				}
			}
			if err := span.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
		return nil
	})
}
