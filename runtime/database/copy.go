package database

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"modernc.org/sqlite"

	"fieldbook/runtime/operation"
)

// CopyInto replaces the whole content of dest by that of d with SQLite's online backup, as one commit of dest: another
// handle on dest sees the old content or the new, its file stays the same file, and open handles stay valid. Both need
// the same Format, and d needs a schema: an image that nothing was copied into is refused.
func (d *Database) CopyInto(ctx context.Context, dest *Database) (err error) {
	const name = "database.CopyInto"
	if dest == nil {
		return failure(ctx, name, "", fmt.Errorf("%w: there is no destination", ErrArgument))
	}
	span := operation.For(dest.path).Begin(name, dest.path, "from "+filepath.Base(d.path))
	defer func() { span.End(err, 0) }()
	defer func() { err = failure(ctx, name, "", err) }()
	if d == dest {
		return fmt.Errorf("%w: a database cannot be copied into itself", ErrArgument)
	}
	// In one order, so that two copies in opposite directions do not wait for each other.
	first, second := d, dest
	if first.session.number > second.session.number {
		first, second = second, first
	}
	leaveFirst, err := first.enter(ctx, span)
	if err != nil {
		return err
	}
	defer leaveFirst()
	leaveSecond, err := second.enter(ctx, span)
	if err != nil {
		return err
	}
	defer leaveSecond()

	from, err := d.session.format(ctx)
	if err != nil {
		return err
	}
	to, err := dest.session.format(ctx)
	if err != nil {
		return err
	}
	if from != to {
		return fmt.Errorf("%w: %s has %s, %s has %s", ErrFormat, filepath.Base(d.path), from, filepath.Base(dest.path), to)
	}
	tables, err := d.session.text(ctx, "SELECT count(*) FROM sqlite_schema")
	if err != nil {
		return err
	}
	if tables == "0" {
		return fmt.Errorf("%w: %s is empty, and copying it would remove every table of %s", ErrNoSchema, filepath.Base(d.path), filepath.Base(dest.path))
	}
	copying, err := dest.session.conn.NewRestore(dest.session.uri(d.path, d.source))
	if err != nil {
		return err
	}
	return transfer(ctx, copying)
}

// BackupTo writes the whole database into dest, an existing empty file, with SQLite's online backup, and leaves that one
// file in journal mode DELETE. It syncs nothing on its own account, and leaves a partial file when it fails; the package
// comment has the whole procedure.
func (d *Database) BackupTo(ctx context.Context, dest string) (err error) {
	const name = "database.BackupTo"
	span := operation.For(d.path).Begin(name, d.path, "to "+filepath.Base(dest))
	defer func() { span.End(err, 0) }()
	defer func() { err = failure(ctx, name, "", err) }()
	if !filepath.IsAbs(dest) {
		return fmt.Errorf("%w: the path %q is not absolute; take paths from the world", ErrArgument, dest)
	}
	switch info, err := os.Lstat(dest); {
	case err != nil:
		return err
	case !info.Mode().IsRegular() || info.Size() != 0:
		return fmt.Errorf("%w: %s is not an empty file; create it exclusively first", ErrArgument, filepath.Base(dest))
	}
	leave, err := d.enter(ctx, span)
	if err != nil {
		return err
	}
	defer leave()
	return d.session.backup(ctx, dest)
}

func (s *session) backup(ctx context.Context, dest string) (err error) {
	copying, err := s.conn.NewBackup(s.uri(dest, "mode=rw"))
	if err != nil {
		return err
	}
	if more, err := copying.Step(-1); err != nil || more {
		return errors.Join(err, incomplete(more), copying.Finish())
	}
	written, err := copying.Commit()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, written.Close()) }()
	// A copy of a database in WAL mode says WAL in its header; whoever opens it would make a -wal beside it.
	finished, ok := written.(connection)
	if !ok {
		return fmt.Errorf("the driver's connection is a %T", written)
	}
	_, err = (&session{path: dest, conn: finished}).exec(ctx, "PRAGMA journal_mode = DELETE")
	return err
}

// transfer copies all pages in one step and ends the copy.
func transfer(ctx context.Context, copying *sqlite.Backup) error {
	if err := ctx.Err(); err != nil {
		return errors.Join(err, copying.Finish())
	}
	more, err := copying.Step(-1)
	return errors.Join(err, incomplete(more), copying.Finish())
}

func incomplete(more bool) error {
	if more {
		return fmt.Errorf("%w: not all pages were copied", ErrBusy)
	}
	return nil
}
