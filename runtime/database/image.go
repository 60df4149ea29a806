package database

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"fieldbook/runtime/files/lock"
	"fieldbook/runtime/operation"
)

// imageLimit bounds how many images of one database may be open at once.
const imageLimit = 64

// Names inside the folder of an image.
const (
	imageFile = "image.db"
	lockFile  = "lock"
)

// image is the folder of a temporary database. Its lock file is locked while the image is open, so that a sweep can tell
// it from what a crashed run left.
type image struct {
	folder string
	lock   *os.File
}

// OpenImage creates an empty temporary database in a locked folder of its own beside live, with live's Format, clock and
// ids. Closing it removes it. Nothing in it survives a crash, and nothing in it is synced.
func OpenImage(ctx context.Context, live *Database) (db *Database, err error) {
	const name = "database.OpenImage"
	if live == nil || live.options.Clock == nil || live.image != nil {
		return nil, failure(ctx, name, "", fmt.Errorf("%w: an image is made beside the live database, from its handle", ErrArgument))
	}
	span := operation.For(live.path).Begin(name, live.path, "")
	defer func() { span.End(err, 0) }()
	defer func() { err = failure(ctx, name, "", err) }()
	format, err := live.formatFor(ctx, span)
	if err != nil {
		return nil, err
	}
	folder, err := newImage(span, live.path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, folder.remove(span))
		}
	}()
	path := filepath.Join(folder.folder, imageFile)
	s, err := connect(ctx, span, path)
	if err != nil {
		return nil, err
	}
	if err := s.prepareImage(ctx, format, live.options); err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.span.Store(nil)
	return &Database{
		session: s, path: path, marker: live.marker, options: live.options, image: folder, source: live.options.source(),
		turn: make(chan struct{}, 1),
	}, nil
}

func (d *Database) formatFor(ctx context.Context, span *operation.Span) (Format, error) {
	leave, err := d.enter(ctx, span)
	if err != nil {
		return Format{}, err
	}
	defer leave()
	return d.session.format(ctx)
}

// prepareImage sets the format, which an empty database takes over with its first write, and makes that write. The
// journal is in memory: a rollback works, a crash ends the image anyway.
func (s *session) prepareImage(ctx context.Context, format Format, o Options) error {
	if err := s.configure(ctx, o.Wait); err != nil {
		return err
	}
	_, err := s.exec(ctx, fmt.Sprintf(`
		PRAGMA journal_mode = MEMORY;
		PRAGMA synchronous = OFF;
		PRAGMA page_size = %d;
		PRAGMA encoding = '%s';
		PRAGMA user_version = 0`, format.PageSize, format.Encoding))
	return err
}

// imagePrefix is what the names of a database's image folders begin with.
func imagePrefix(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".image-" }

// newImage creates and locks the folder of an image under the first free number.
func newImage(span *operation.Span, live string) (*image, error) {
	for n := 1; n <= imageLimit; n++ {
		folder := imagePrefix(live) + strconv.Itoa(n)
		err := span.MakeFolder(folder)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		img, err := lockNew(span, folder)
		if err != nil {
			return nil, err
		}
		if img != nil {
			return img, nil
		}
	}
	return nil, fmt.Errorf("%w: %d images of it are open", ErrBusy, imageLimit)
}

// lockNew creates and locks the lock file of a new folder. A sweep that runs at this moment may take the folder for a
// leftover and remove it: then there is no image, and no error.
func lockNew(span *operation.Span, folder string) (*image, error) {
	path := filepath.Join(folder, lockFile)
	f, err := span.Create(path, 0o600)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrExist) {
		return nil, nil
	}
	if err != nil {
		return nil, errors.Join(err, span.Remove(folder))
	}
	locked, err := lock.Try(f)
	if err == nil && locked && named(f, path) {
		return &image{folder: folder, lock: f}, nil
	}
	f.Close()
	if err != nil {
		return nil, errors.Join(err, span.Remove(path), span.Remove(folder))
	}
	return nil, nil
}

// named reports whether the open file still has its name.
func named(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	current, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, current)
}

// remove removes the folder with its files, the lock file last and, where open files can be removed, while it is locked:
// until it is gone nobody else touches the folder.
func (img *image) remove(span *operation.Span) error {
	path := filepath.Join(img.folder, lockFile)
	entries, err := os.ReadDir(img.folder)
	for _, entry := range entries {
		if entry.Name() != lockFile {
			err = errors.Join(err, span.Remove(filepath.Join(img.folder, entry.Name())))
		}
	}
	switch {
	case err != nil:
		return errors.Join(err, img.lock.Close())
	case runtime.GOOS == "windows":
		err = errors.Join(img.lock.Close(), span.Remove(path))
	default:
		err = errors.Join(span.Remove(path), img.lock.Close())
	}
	if err != nil {
		return err
	}
	// Without its lock file the folder looks like a leftover, and a sweep may be removing it at this moment.
	err = span.Remove(img.folder)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}
