package world

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"fieldbook/runtime/clock"
	"fieldbook/runtime/database"
	"fieldbook/runtime/operation"
)

// Names of the files of a shop inside its world.
const (
	DatabaseFile = "shop.sqlite"
	MarkerFile   = "shop.authority"
)

// DefaultStart is the time at which a world begins unless its options say another: a Monday, 08:00 UTC.
func DefaultStart() time.Time { return time.Date(2026, time.March, 2, 8, 0, 0, 0, time.UTC) }

// Options are what a world begins with. Root alone is required.
type Options struct {
	Root    string           // scratch folder; made when it is missing, and not emptied
	Seed    uint64           // drawn by the parent; ids come from it
	Process int              // number of this process in the run, from the parent: a process after a crash has another
	Start   time.Time        // where the clock stands; zero: DefaultStart
	Case    map[string]Value // what the parent drew for this case
	Wait    time.Duration    // how long a statement waits for another handle's lock; zero: the database's default
	Learner []string         // files whose calls Before counts, "runtime/assistant/restore.go"; empty: calls from any file

	Position func() (file string, line int) // where a call comes from, see operation.Options; nil: the call stack says it

	Sink      func(operation.Entry) error // receives the operation log; nil: it is not kept
	Intercept func(operation.Entry) error // may refuse a durable operation, see operation.Options; nil: none is refused

	Synchronous string // of the database, see database.Options; "": a commit waits for the disk
}

// World is one shop in a scratch folder. Its methods are safe for concurrent use.
type World struct {
	options  Options
	root     string
	clock    *clock.Manual
	recorder *operation.Recorder

	mu          sync.Mutex
	opened      []*database.Database
	openings    int
	closed      bool
	competitors []*competitor
	competing   int // competitors that are running: their calls are not counted
}

// New prepares a world and begins its operation log. Close ends both.
func New(o Options) (*World, error) {
	if o.Root == "" {
		return nil, errors.New("a world needs a scratch folder")
	}
	root, err := filepath.Abs(o.Root)
	if err != nil {
		return nil, fmt.Errorf("find the scratch folder: %w", err)
	}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, fmt.Errorf("make the scratch folder: %w", err)
	}
	if o.Start.IsZero() {
		o.Start = DefaultStart()
	}
	w := &World{options: o, root: root, clock: clock.NewManual(o.Start)}
	w.recorder, err = operation.Record(root, operation.Options{
		Sink: o.Sink, Position: o.Position, Intercept: o.Intercept, BeforeCall: w.beforeCall,
	})
	if err != nil {
		return nil, fmt.Errorf("begin the operation log: %w", err)
	}
	return w, nil
}

// Open opens the shop's database, and makes it when it is missing. Each opening has ids of its own: no two handles of a
// run, before or after a crash, ever make the same one. The handle is closed with the world unless it was before.
func (w *World) Open(ctx context.Context) (*database.Database, error) {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil, errors.New("open the shop: the world is closed")
	}
	w.openings++
	ids := clock.NewSeeded(w.options.Seed, w.options.Process, w.openings)
	w.mu.Unlock()

	db, err := database.Open(ctx, w.Path(DatabaseFile), database.Options{Clock: w.clock, IDs: ids, Wait: w.options.Wait, Synchronous: w.options.Synchronous})
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opened = append(w.opened, db)
	return db, nil
}

// Path returns a path inside the scratch folder, whatever its elements are: ".." does not lead out of it.
func (w *World) Path(elem ...string) string {
	inside := filepath.Clean(string(filepath.Separator) + filepath.Join(elem...))
	return filepath.Join(w.root, inside)
}

// Clock returns the clock of every handle of this world.
func (w *World) Clock() *clock.Manual { return w.clock }

// Case returns a parameter that the parent drew for this case, Absent when it drew none of the name.
func (w *World) Case(name string) Value { return w.options.Case[name] }

// Mark writes a moment into the operation log: "at backup", "restored". The parent rebuilds the tables at each mark.
func (w *World) Mark(label string) { w.recorder.Mark(label) }

// Close closes every handle that is still open and ends the operation log. Closing again does nothing.
func (w *World) Close() error {
	w.mu.Lock()
	opened, closed := w.opened, w.closed
	w.opened, w.closed = nil, true
	w.mu.Unlock()
	if closed {
		return nil
	}
	var errs []error
	for _, db := range opened {
		if err := db.Close(); err != nil {
			errs = append(errs, err)
		}
	}
	w.recorder.Stop()
	return errors.Join(errs...)
}
