package probe

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fieldbook/grader"
	"fieldbook/runtime/world"
)

// Reader reads the databases of one folder, a private copy of what a run left: with their logs applied, which changes the
// folder. A JSON file is read as a database with one table; see openDocument. Close the reader before the folder goes. It is
// not safe for concurrent use.
type Reader struct {
	folder string
	open   map[string]opened
}

// opened is a database, or why it is none.
type opened struct {
	db  *sql.DB
	err error
}

// NewReader returns a reader of folder. Databases are opened when they are first asked for.
func NewReader(folder string) *Reader { return &Reader{folder: folder, open: map[string]opened{}} }

// Value runs an author's query that gives one value; Absent when it gives no row. kind is the kind that is expected, or
// Absent for any: under Bool the numbers 0 and 1 are truth values. An artifact that is missing or cannot be read is an
// *UnreadableError.
func (r *Reader) Value(ctx context.Context, artifact, query string, kind world.Kind) (world.Value, error) {
	db, err := r.database(ctx, artifact)
	if err != nil {
		return world.Value{}, err
	}
	value, err := one(ctx, db, query, kind)
	return value, r.failure(ctx, artifact, err)
}

// Intact opens an artifact and has SQLite check it. A database that fails is an *UnreadableError.
func (r *Reader) Intact(ctx context.Context, artifact string) error {
	db, err := r.database(ctx, artifact)
	if err != nil {
		return err
	}
	var answer string
	err = db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&answer)
	if err == nil && answer != "ok" {
		err = fmt.Errorf("the integrity check says: %.200s", answer)
	}
	return r.failure(ctx, artifact, err)
}

// Database reads every table and row of an artifact.
func (r *Reader) Database(ctx context.Context, artifact string) (grader.DatabaseSnapshot, error) {
	db, err := r.database(ctx, artifact)
	if err != nil {
		return grader.DatabaseSnapshot{}, err
	}
	snapshot, err := readTables(ctx, db, artifact)
	return snapshot, r.failure(ctx, artifact, err)
}

// sqlite is Database of an artifact that begins as SQLite's files do, whatever it is called.
func (r *Reader) sqlite(ctx context.Context, artifact string) (grader.DatabaseSnapshot, error) {
	if _, seen := r.open[artifact]; !seen {
		db, err := untrusted(ctx, r.path(artifact))
		r.open[artifact] = opened{db, r.failure(ctx, artifact, err)}
	}
	return r.Database(ctx, artifact)
}

func (r *Reader) database(ctx context.Context, artifact string) (*sql.DB, error) {
	known, seen := r.open[artifact]
	if !seen {
		path := r.path(artifact)
		info, err := os.Lstat(path)
		switch {
		case err == nil && !info.Mode().IsRegular():
			err = fmt.Errorf("%s is not a regular file", artifact)
		case isDocument(artifact) && (err == nil || errors.Is(err, fs.ErrNotExist)):
			known.db, err = openDocument(ctx, path, artifact)
		case err == nil:
			known.db, err = untrusted(ctx, path)
		}
		known.err = r.failure(ctx, artifact, err)
		r.open[artifact] = known
	}
	return known.db, known.err
}

func (r *Reader) path(artifact string) string {
	return filepath.Join(r.folder, filepath.FromSlash(artifact))
}

// failure puts an error down to the artifact, unless the context has ended.
func (r *Reader) failure(ctx context.Context, artifact string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("read %s: %w", artifact, ctx.Err())
	default:
		return &UnreadableError{Artifact: artifact, Cause: err}
	}
}

// Close closes the databases.
func (r *Reader) Close() {
	for _, known := range r.open {
		if known.db != nil {
			known.db.Close()
		}
	}
}
