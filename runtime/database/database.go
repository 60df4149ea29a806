package database

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fieldbook/runtime/clock"
	"fieldbook/runtime/operation"
)

// defaultWait is how long a statement waits for another handle's lock unless Options say otherwise.
const defaultWait = 2 * time.Second

// Options are what a live database is given.
type Options struct {
	Clock clock.Clock
	IDs   clock.IDs
	Wait  time.Duration // for another handle's lock; 0: two seconds

	// Synchronous is what a commit waits for, FULL or NORMAL; "" is FULL. NORMAL gives up what the course teaches: it is for
	// tests that must see a power loss take a commit.
	Synchronous string
}

// Database is one handle on a database. Its methods are safe for concurrent use; the handle does one thing at a time.
type Database struct {
	session *session
	path    string
	marker  string
	options Options
	image   *image // of a handle made by OpenImage
	source  string // URI parameters with which another connection reads this database

	turn   chan struct{} // holds a token while something runs
	mu     sync.Mutex
	tx     *Tx // open transaction
	closed bool
}

// Open opens the live database at path, an absolute path, and creates what is missing: its folder, the tables, the
// control row and, in the opening that inserts that row, the authority marker. It sweeps what a crashed run left.
// Durability is SQLite's strictest for a WAL: a commit that returned survives a power loss.
func Open(ctx context.Context, path string, o Options) (db *Database, err error) {
	const name = "database.Open"
	span := operation.For(path).Begin(name, path, "")
	defer func() { span.End(err, 0) }()
	defer func() { err = failure(ctx, name, "", err) }()
	if o.Clock == nil || o.IDs == nil {
		return nil, fmt.Errorf("%w: it needs a clock and a source of ids; open databases through the world", ErrArgument)
	}
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("%w: the path %q is not absolute; take paths from the world", ErrArgument, path)
	}
	if markerOf(path) == path {
		return nil, fmt.Errorf("%w: %s is the name of the authority marker", ErrArgument, filepath.Base(path))
	}
	if o.Wait <= 0 {
		o.Wait = defaultWait
	}
	switch o.Synchronous {
	case "":
		o.Synchronous = "FULL"
	case "FULL", "NORMAL":
	default:
		return nil, fmt.Errorf("%w: synchronous is FULL or NORMAL, not %q", ErrArgument, o.Synchronous)
	}
	if err := span.MakeFolders(filepath.Dir(path)); err != nil {
		return nil, err
	}
	s, err := connect(ctx, span, path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = s.close()
		}
	}()
	if err := s.configure(ctx, o.Wait); err != nil {
		return nil, err
	}
	if err := s.durable(ctx, o.Synchronous); err != nil {
		return nil, err
	}
	db = &Database{session: s, path: path, marker: markerOf(path), options: o, source: o.source(), turn: make(chan struct{}, 1)}
	if err := db.migrate(ctx); err != nil {
		return nil, err
	}
	if err := db.establish(ctx, span); err != nil {
		return nil, err
	}
	if err := db.sweep(ctx, span); err != nil {
		return nil, err
	}
	s.span.Store(nil)
	return db, nil
}

// source returns the URI parameters with which a second connection reads the database that a handle with these options
// has open.
func (o Options) source() string {
	return fmt.Sprintf("mode=rw&_busy_timeout=%d", o.Wait.Milliseconds())
}

// configure sets what every connection has. The schema of a database that came from elsewhere is not trusted to call
// functions, and its cells are checked as they are read.
func (s *session) configure(ctx context.Context, wait time.Duration) error {
	_, err := s.exec(ctx, fmt.Sprintf(`
		PRAGMA busy_timeout = %d;
		PRAGMA foreign_keys = ON;
		PRAGMA recursive_triggers = ON;
		PRAGMA temp_store = MEMORY;
		PRAGMA trusted_schema = OFF;
		PRAGMA cell_size_check = ON`, wait.Milliseconds()))
	return err
}

// durable sets write-ahead logging and the sync at every commit. With synchronous = NORMAL a commit can be lost after it
// returned, and what Restore orders on the disk would no longer be in order.
func (s *session) durable(ctx context.Context, synchronous string) error {
	mode, err := s.text(ctx, "PRAGMA journal_mode = WAL")
	if err != nil {
		return err
	}
	if !strings.EqualFold(mode, "wal") {
		return fmt.Errorf("%w: SQLite refused write-ahead logging and kept journal mode %q", ErrDisk, mode)
	}
	_, err = s.exec(ctx, "PRAGMA synchronous = "+synchronous)
	return err
}

// Path returns the absolute path of the database file.
func (d *Database) Path() string { return d.path }

// Marker returns the path of the authority marker: the database's, with its suffix replaced by ".authority".
func (d *Database) Marker() string { return d.marker }

func markerOf(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".authority" }

// Now returns the injected time in UTC seconds.
func (d *Database) Now() int64 {
	if d.options.Clock == nil {
		panic("database: a backup has no clock: ask the live database for the time")
	}
	return d.options.Clock.Now().Unix()
}

// NewID returns a fresh id for a row: 32 lower-case hexadecimal digits, injected, never repeated.
func (d *Database) NewID() string {
	if d.options.IDs == nil {
		panic("database: a backup has no source of ids: ask the live database for one")
	}
	return d.options.IDs.Next()
}

// NewEpoch returns a fresh name for a history of the shop: 32 lower-case hexadecimal digits, injected, never repeated.
func (d *Database) NewEpoch() string {
	if d.options.IDs == nil {
		panic("database: a backup has no source of ids: ask the live database for an epoch")
	}
	return d.options.IDs.Next()
}

// Close closes the handle; closing it again does nothing. A transaction must be over first. Closing an image removes it.
func (d *Database) Close() (err error) {
	const name = "database.Close"
	ctx := context.Background()
	d.mu.Lock()
	closed := d.closed
	d.mu.Unlock()
	if closed {
		return nil
	}
	span := operation.For(d.path).Begin(name, d.path, "")
	defer func() { span.End(err, 0) }()
	leave, err := d.enter(ctx, span)
	if err != nil {
		return failure(ctx, name, "", err)
	}
	defer leave()
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	err = d.session.close()
	if d.image != nil {
		err = errors.Join(err, d.image.remove(span))
	}
	return failure(ctx, name, "", err)
}

// enter waits for the handle's turn and puts what follows down to span. It refuses while a transaction is open.
func (d *Database) enter(ctx context.Context, span *operation.Span) (leave func(), err error) {
	return d.take(ctx, span, func() error {
		switch {
		case d.closed:
			return ErrClosed
		case d.tx != nil:
			return ErrInTransaction
		}
		return nil
	})
}

// take waits for the turn as long as allowed says nil, before and after the wait.
func (d *Database) take(ctx context.Context, span *operation.Span, allowed func() error) (leave func(), err error) {
	check := func() error {
		d.mu.Lock()
		defer d.mu.Unlock()
		return allowed()
	}
	if err := check(); err != nil {
		return nil, err
	}
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := check(); err != nil {
		<-d.turn
		return nil, err
	}
	before := d.session.span.Swap(span)
	return func() {
		d.session.span.Store(before)
		<-d.turn
	}, nil
}
