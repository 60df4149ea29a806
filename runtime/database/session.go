package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"modernc.org/sqlite"

	"fieldbook/runtime/operation"
)

// session is one SQLite connection and the call it is working for. It goes without database/sql: a pool that drops its
// last connection checkpoints and deletes the WAL in the middle of a run, and rows that nobody closes block it.
type session struct {
	path   string
	number uintptr // in the VFS and in the URIs of its files
	conn   connection
	span   atomic.Pointer[operation.Span]
}

// connection is what the driver's connections implement.
type connection interface {
	driver.Conn
	driver.ExecerContext
	driver.QueryerContext
	NewBackup(destination string) (*sqlite.Backup, error)
	NewRestore(source string) (*sqlite.Backup, error)
}

// connect opens path with the given URI parameters, on behalf of the call span.
func connect(ctx context.Context, span *operation.Span, path string, parameters ...string) (*session, error) {
	if err := logged.register(); err != nil {
		return nil, err
	}
	s := &session{path: path}
	s.span.Store(span)
	s.number = logged.enter(s)
	connector, err := sqlite.NewConnector(s.uri(path, parameters...))
	if err != nil {
		logged.leave(s.number)
		return nil, err
	}
	opened, err := connector.Connect(ctx)
	if err != nil {
		logged.leave(s.number)
		return nil, err
	}
	conn, ok := opened.(connection)
	if !ok {
		_ = opened.Close()
		logged.leave(s.number)
		return nil, fmt.Errorf("the driver's connection is a %T, which cannot copy databases", opened)
	}
	s.conn = conn
	return s, nil
}

// uri names a file whose operations are put down to this session. Parameters are "key=value".
func (s *session) uri(path string, parameters ...string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // "C:/folder": SQLite wants file:///C:/folder
	}
	query := append([]string{"vfs=" + vfsName, "_error_rc=1", "_defensive=1", sessionParameter + "=" + strconv.FormatUint(uint64(s.number), 10)}, parameters...)
	return (&url.URL{Scheme: "file", Path: path, RawQuery: strings.Join(query, "&")}).String()
}

func (s *session) close() error {
	err := s.conn.Close()
	logged.leave(s.number)
	return err
}

// exec runs SQL text, one statement or several.
func (s *session) exec(ctx context.Context, text string, args ...driver.NamedValue) (changed int64, err error) {
	result, err := s.conn.ExecContext(ctx, text, args)
	if err != nil || result == nil {
		return 0, err
	}
	return result.RowsAffected()
}

// query runs one statement to its end and returns its columns and at most limit rows.
func (s *session) query(ctx context.Context, limit int, text string, args ...driver.NamedValue) (columns []string, rows [][]driver.Value, err error) {
	cursor, err := s.conn.QueryContext(ctx, text, args)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if closing := cursor.Close(); err == nil {
			err = closing
		}
	}()
	columns = cursor.Columns()
	for {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		row := make([]driver.Value, len(columns))
		switch err := cursor.Next(row); {
		case errors.Is(err, io.EOF):
			return columns, rows, nil
		case err != nil:
			return nil, nil, err
		case len(rows) == limit:
			return nil, nil, fmt.Errorf("%w: it has more than %d rows", ErrStatement, limit)
		}
		rows = append(rows, row)
	}
}

// text returns the first column of the first row as text.
func (s *session) text(ctx context.Context, statement string) (string, error) {
	_, rows, err := s.query(ctx, RowLimit, statement)
	if err != nil {
		return "", err
	}
	if len(rows) == 0 || len(rows[0]) == 0 {
		return "", ErrNoRows
	}
	return fmt.Sprint(rows[0][0]), nil
}
