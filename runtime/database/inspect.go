package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"fieldbook/runtime/operation"
)

// Format is what two databases must share before one can be copied into the other. Formats are compared with ==.
type Format struct {
	PageSize int    // bytes
	Encoding string // "UTF-8", "UTF-16le" or "UTF-16be"
}

func (f Format) String() string {
	return fmt.Sprintf("pages of %d bytes, text in %s", f.PageSize, f.Encoding)
}

// Integrity has SQLite check the whole database. Anything but "ok" is an ErrCorrupt.
func (d *Database) Integrity(ctx context.Context) error {
	return d.inspect(ctx, "database.Integrity", func(s *session) error {
		answer, err := s.text(ctx, "PRAGMA integrity_check(1)")
		if err == nil && answer != "ok" {
			return fmt.Errorf("%w: %s", ErrCorrupt, answer)
		}
		return err
	})
}

// Versions returns the applied migrations in ascending order. A database without the table is an ErrNoSchema.
func (d *Database) Versions(ctx context.Context) (versions []int, err error) {
	err = d.inspect(ctx, "database.Versions", func(s *session) error {
		versions, err = s.versions(ctx)
		return err
	})
	return versions, err
}

// Format returns the page size and the text encoding.
func (d *Database) Format(ctx context.Context) (format Format, err error) {
	err = d.inspect(ctx, "database.Format", func(s *session) error {
		format, err = s.format(ctx)
		return err
	})
	return format, err
}

func (d *Database) inspect(ctx context.Context, name string, look func(*session) error) (err error) {
	span := operation.For(d.path).Begin(name, d.path, "")
	defer func() { span.End(err, 0) }()
	leave, err := d.enter(ctx, span)
	if err != nil {
		return failure(ctx, name, "", err)
	}
	defer leave()
	return failure(ctx, name, "", look(d.session))
}

func (s *session) versions(ctx context.Context) ([]int, error) {
	_, found, err := s.query(ctx, RowLimit, "SELECT 1 FROM pragma_table_info('schema_migrations') WHERE name = 'version'")
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, ErrNoSchema
	}
	_, rows, err := s.query(ctx, RowLimit, "SELECT version FROM schema_migrations ORDER BY version")
	if err != nil {
		return nil, err
	}
	versions := make([]int, 0, len(rows))
	for _, row := range rows {
		version, ok := row[0].(int64)
		if !ok || int64(int(version)) != version {
			return nil, fmt.Errorf("%w: a version in schema_migrations is not a whole number", ErrNoSchema)
		}
		versions = append(versions, int(version))
	}
	return versions, nil
}

func isNoSchema(err error) bool { return errors.Is(err, ErrNoSchema) }

func (s *session) format(ctx context.Context) (f Format, err error) {
	size, err := s.text(ctx, "PRAGMA page_size")
	if err != nil {
		return f, err
	}
	if _, err := fmt.Sscan(size, &f.PageSize); err != nil {
		return f, fmt.Errorf("%w: page size %q", ErrCorrupt, size)
	}
	f.Encoding, err = s.text(ctx, "PRAGMA encoding")
	return f, err
}

// immediate runs fn in a transaction of the package's own, while no handle uses the session yet.
func (s *session) immediate(ctx context.Context, fn func() error) error {
	if _, err := s.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := fn(); err != nil {
		_, _ = s.exec(context.WithoutCancel(ctx), "ROLLBACK")
		return err
	}
	_, err := s.exec(ctx, "COMMIT")
	if err != nil {
		_, _ = s.exec(context.WithoutCancel(ctx), "ROLLBACK")
	}
	return err
}

// values numbers arguments that are SQLite's own types already.
func values(args ...driver.Value) []driver.NamedValue {
	named := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
	}
	return named
}
