package assistant_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/database"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// testShop is a seeded shop in a world of its own, with its operation log.
type testShop struct {
	*world.World
	t       *testing.T
	ctx     context.Context
	db      *database.Database
	root    string
	entries []operation.Entry
	refuse  func(operation.Entry) error // asked before each durable operation; nil: none is refused
	wait    time.Duration               // for another handle's lock; zero: the default
}

// openShop opens and seeds a shop in a fresh folder.
func openShop(t *testing.T) *testShop {
	t.Helper()
	return openShopThatWaits(t, 0)
}

// openShopThatWaits is openShop with a limit on the wait for another handle's lock.
func openShopThatWaits(t *testing.T, wait time.Duration) *testShop {
	t.Helper()
	s := &testShop{t: t, ctx: t.Context(), root: t.TempDir(), wait: wait}
	s.restart(1)
	if err := assistant.SeedLucy(s.ctx, s.db); err != nil {
		t.Fatal(err)
	}
	return s
}

// restart begins the next process on the same folder, as after a crash.
func (s *testShop) restart(process int) {
	s.t.Helper()
	s.entries = nil
	w, err := world.New(world.Options{
		Root: s.root, Seed: 19, Process: process, Wait: s.wait,
		Sink: func(e operation.Entry) error { s.entries = append(s.entries, e); return nil },
		Intercept: func(e operation.Entry) error {
			if s.refuse == nil {
				return nil
			}
			return s.refuse(e)
		},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		s.refuse = nil
		if err := w.Close(); err != nil {
			s.t.Errorf("closing the world: %v", err)
		}
	})
	s.World = w
	s.db = s.open()
}

// refuseOne refuses the nth durable operation from here on, from 1, and returns where that operation will stand.
func (s *testShop) refuseOne(n int, failure error) *operation.Entry {
	failed := &operation.Entry{}
	s.refuse = func(e operation.Entry) error {
		if n--; n != 0 {
			return nil
		}
		*failed = e
		return failure
	}
	return failed
}

// open opens one more handle on the shop.
func (s *testShop) open() *database.Database {
	s.t.Helper()
	db, err := s.Open(s.ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	return db
}

func (s *testShop) exec(query string, args ...any) {
	s.t.Helper()
	if _, err := s.db.Exec(s.ctx, query, args...); err != nil {
		s.t.Fatal(err)
	}
}

// text returns the one value of a query as text.
func (s *testShop) text(query string, args ...any) string {
	s.t.Helper()
	var value any
	if err := s.db.QueryRow(s.ctx, query, args...).Scan(&value); err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprint(value)
}

func (s *testShop) wantText(want, query string, args ...any) {
	s.t.Helper()
	if got := s.text(query, args...); got != want {
		s.t.Errorf("%s = %s, want %s", query, got, want)
	}
}

// enqueue stores a piece of work of this origin in a session of the same name.
func (s *testShop) enqueue(origin string) shop.Work {
	s.t.Helper()
	work, err := assistant.Enqueue(s.ctx, s.db, request(origin))
	if err != nil {
		s.t.Fatal(err)
	}
	return work
}

func request(origin string) shop.Request {
	return shop.Request{Origin: origin, Session: origin, Prompt: "What is short today?", Role: shop.Schedule}
}

// claim claims work for owner; there must be some.
func (s *testShop) claim(owner string) *shop.Claim {
	s.t.Helper()
	claim, err := assistant.Claim(s.ctx, s.db, owner, shop.DefaultLease)
	if err != nil {
		s.t.Fatal(err)
	}
	if claim == nil {
		s.t.Fatalf("%s got no work", owner)
	}
	return claim
}

func (s *testShop) backup(name string) string {
	s.t.Helper()
	path := s.Path("backups", name)
	if err := assistant.Backup(s.ctx, s.db, path); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func (s *testShop) restore(source string) {
	s.t.Helper()
	if err := assistant.Restore(s.ctx, s.db, source); err != nil {
		s.t.Fatal(err)
	}
}

func (s *testShop) epoch() string {
	s.t.Helper()
	return s.text("SELECT epoch FROM assistant_control WHERE id = 1")
}

func (s *testShop) marker() string {
	s.t.Helper()
	return string(readFile(s.t, s.db.Marker()))
}

func (s *testShop) resume() {
	s.t.Helper()
	if err := assistant.Resume(s.ctx, s.db, s.epoch()); err != nil {
		s.t.Fatal(err)
	}
}

// rows returns every row of every table, one line each, as "table: column=value …" in the order of rowid.
func (s *testShop) rows() []string {
	s.t.Helper()
	var lines []string
	for _, table := range s.tables() {
		rows, err := s.db.Query(s.ctx, "SELECT * FROM "+table+" ORDER BY rowid")
		if err != nil {
			s.t.Fatal(err)
		}
		columns := rows.Columns()
		for rows.Next() {
			values, places := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				places[i] = &values[i]
			}
			if err := rows.Scan(places...); err != nil {
				s.t.Fatal(err)
			}
			line := table + ":"
			for i, column := range columns {
				line += fmt.Sprintf(" %s=%v", column, values[i])
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func (s *testShop) tables() []string {
	s.t.Helper()
	rows, err := s.db.Query(s.ctx, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
	if err != nil {
		s.t.Fatal(err)
	}
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			s.t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// files lists every file below the world, without those that SQLite keeps beside an open database.
func (s *testShop) files() []string {
	s.t.Helper()
	var list []string
	err := filepath.WalkDir(s.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(s.root, path)
		if err == nil && name != "." && !strings.HasSuffix(name, "-wal") && !strings.HasSuffix(name, "-shm") {
			list = append(list, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

func (s *testShop) wantFiles(want ...string) {
	s.t.Helper()
	if got := s.files(); !slices.Equal(got, want) {
		s.t.Errorf("files: %v, want %v", got, want)
	}
}

// events returns the kinds of all events, oldest first.
func (s *testShop) events() []string {
	s.t.Helper()
	rows, err := s.db.Query(s.ctx, "SELECT kind FROM events ORDER BY id")
	if err != nil {
		s.t.Fatal(err)
	}
	var kinds []string
	for rows.Next() {
		var kind string
		if err := rows.Scan(&kind); err != nil {
			s.t.Fatal(err)
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

// wantRefusal fails the test unless err is of the class, by the word of shop.Refusal.
func wantRefusal(t *testing.T, err error, class string) {
	t.Helper()
	if got := shop.Refusal(err); got != class {
		t.Errorf("refusal %s (%v), want %s", got, err, class)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// symlink makes link point to target, or skips the test where that needs a privilege.
func symlink(t *testing.T, target, link string) {
	t.Helper()
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("SKIPPED LOUDLY: symbolic links cannot be made here: %v", err)
	}
}
