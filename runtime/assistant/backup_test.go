package assistant_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/database"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/shop"
)

func TestSeedLucy(t *testing.T) {
	s := openShop(t)
	s.wantText("CHOCOLATE 12 6 300 500, STRAWBERRY 1 5 275 500, VANILLA 2 8 250 500", `
		SELECT group_concat(line, ', ') FROM (
			SELECT sku || ' ' || on_hand || ' ' || reorder || ' ' || unit_cost_cents || ' ' || price_cents AS line FROM inventory ORDER BY sku)`)
	s.wantText("20000", "SELECT sum(amount_cents) FROM cash_ledger")

	s.exec("UPDATE inventory SET on_hand = 1 WHERE sku = 'VANILLA'")
	s.exec("INSERT INTO cash_ledger (at, amount_cents, reason, reference) VALUES (0, -250, 'vanilla', 'receipt:1')")
	before := s.rows()
	s.Clock().Advance(time.Hour)
	if err := assistant.SeedLucy(s.ctx, s.db); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.rows(), before) {
		t.Error("seeding again has changed rows")
	}
}

func TestBackup(t *testing.T) {
	s, _ := busyShop(t)
	path := s.backup("a/b/monday.sqlite")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode(); got != 0o600 {
		t.Errorf("mode %v, want -rw-------", got)
	}
	s.wantFiles("backups", "backups/a", "backups/a/b", "backups/a/b/monday.sqlite", "shop.authority", "shop.sqlite")
	if data := readFile(t, path); data[18] != 1 || data[19] != 1 {
		t.Errorf("write and read version %d, %d: the header does not say that it is one file", data[18], data[19])
	}

	backup, err := database.OpenBackup(s.ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer backup.Close()
	if err := backup.Integrity(s.ctx); err != nil {
		t.Error(err)
	}
	if got, want := (&testShop{t: t, ctx: s.ctx, db: backup}).rows(), s.rows(); !slices.Equal(got, want) {
		t.Errorf("the backup holds other rows than the shop:\n%v\n%v", got, want)
	}
}

func TestBackupHoldsTheLastCommit(t *testing.T) {
	s := openShop(t)
	s.enqueue("a moment ago") // still in the -wal alone
	path := s.backup("monday.sqlite")
	backup, err := database.OpenBackup(s.ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer backup.Close()
	(&testShop{t: t, ctx: s.ctx, db: backup}).wantText("a moment ago", "SELECT origin FROM assistant_work")
}

func TestBackupIsDurable(t *testing.T) {
	s := openShop(t)
	s.entries = nil
	s.backup("2026/march/monday.sqlite")
	last := func(kind operation.Kind, path string) int {
		found := -1
		for i, e := range s.entries {
			if e.Kind == kind && e.Path == path {
				found = i
			}
		}
		if found < 0 {
			t.Errorf("no %s of %s", kind, path)
		}
		return found
	}
	written := last(operation.Write, "backups/2026/march/monday.sqlite")
	synced := last(operation.Sync, "backups/2026/march/monday.sqlite")
	if written > synced {
		t.Errorf("last write at %d, sync at %d", written, synced)
	}
	for _, folder := range []string{"backups/2026/march", "backups/2026", "backups", "."} {
		if at := last(operation.SyncFolder, folder); at < synced {
			t.Errorf("%s is synced at %d, the file at %d", folder, at, synced)
		}
	}

	s.entries = nil
	s.backup("2026/march/tuesday.sqlite")
	for _, e := range s.entries {
		if e.Kind == operation.SyncFolder && e.Path != "backups/2026/march" {
			t.Errorf("%s is synced without need", e.Path)
		}
	}
}

func TestBackupRefusesWhatIsThere(t *testing.T) {
	for name, put := range map[string]func(s *testShop, path string){
		"a file":                        func(s *testShop, path string) { writeFile(s.t, path, []byte("Lucy's notes")) },
		"an empty file":                 func(s *testShop, path string) { writeFile(s.t, path, nil) },
		"a folder":                      func(s *testShop, path string) { mkdir(s.t, path) },
		"a link":                        func(s *testShop, path string) { symlink(s.t, s.db.Marker(), path) },
		"a link that leads nowhere":     func(s *testShop, path string) { symlink(s.t, s.Path("nowhere"), path) },
		"the live database by a link":   func(s *testShop, path string) { symlink(s.t, s.db.Path(), path) },
		"a backup that was made before": func(s *testShop, path string) { s.backup("monday.sqlite") },
	} {
		t.Run(name, func(t *testing.T) {
			s := openShop(t)
			mkdir(t, s.Path("backups"))
			path := s.Path("backups", "monday.sqlite")
			put(s, path)
			before, rows := s.files(), s.rows()
			content, contentErr := os.ReadFile(path)

			wantRefusal(t, assistant.Backup(s.ctx, s.db, path), "backup_exists")

			after, afterErr := os.ReadFile(path)
			if !bytes.Equal(after, content) || (afterErr == nil) != (contentErr == nil) {
				t.Errorf("what was there has changed (%v, %v)", contentErr, afterErr)
			}
			if !slices.Equal(s.files(), before) || !slices.Equal(s.rows(), rows) {
				t.Errorf("files %v, were %v", s.files(), before)
			}
		})
	}
	s := openShop(t)
	wantRefusal(t, assistant.Backup(s.ctx, s.db, s.db.Path()), "backup_exists")
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

// TestBackupOnAFailingDisk refuses each durable operation of a backup in turn: no error means a sound backup, an error
// means no file.
func TestBackupOnAFailingDisk(t *testing.T) {
	s := openShop(t)
	s.enqueue("morning:brief")
	total := 0
	s.refuse = func(operation.Entry) error { total++; return nil }
	s.backup("counted.sqlite")
	for n := 1; n <= total; n++ {
		failed := s.refuseOne(n, operation.ErrNoSpace)
		path := s.Path("backups", fmt.Sprint(n), "monday.sqlite")
		err := assistant.Backup(s.ctx, s.db, path)
		s.refuse = nil
		at := fmt.Sprintf("operation %d, %s %s", n, failed.Kind, failed.Path)
		if err == nil {
			if restored := assistant.Restore(s.ctx, s.db, path); restored != nil {
				t.Errorf("%s: Backup returned nil, and Restore %v", at, restored)
			}
			continue
		}
		if failed.Kind == operation.Remove {
			continue // SQLite could not remove what it keeps beside the file
		}
		if !errors.Is(err, operation.ErrNoSpace) {
			t.Errorf("%s: error %v does not say that there is no space", at, err)
		}
		if left, err := os.ReadDir(filepath.Dir(path)); len(left) > 0 || (err != nil && !errors.Is(err, fs.ErrNotExist)) {
			t.Errorf("%s: left in the folder: %v (%v)", at, left, err)
		}
	}
}

func TestReadHealth(t *testing.T) {
	s := openShop(t)
	health := func() string {
		t.Helper()
		h, err := assistant.ReadHealth(s.ctx, s.db)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("paused %v, work %v, oldest %d, uncertain %d", h.Paused, h.Work, h.OldestWorkSeconds, h.UncertainOrders)
	}
	want := func(text string) {
		t.Helper()
		if got := health(); got != text {
			t.Errorf("health: %s, want %s", got, text)
		}
	}
	want("paused false, work map[], oldest 0, uncertain 0")

	s.exec("UPDATE assistant_control SET paused = 1")
	for i, status := range []shop.Status{shop.Done, shop.Canceled, shop.Rejected} {
		s.exec(`INSERT INTO assistant_work (id, origin, session, prompt, status, created, role) VALUES (?1, ?1, 's', 'p', ?2, 0, 'operator')`, fmt.Sprint(i), status)
	}
	want("paused true, work map[CANCELED:1 DONE:1 REJECTED:1], oldest 0, uncertain 0")

	now := s.db.Now()
	for i, status := range []shop.Status{shop.Ready, shop.Ready, shop.Running, shop.Blocked} {
		s.exec(`INSERT INTO assistant_work (id, origin, session, prompt, status, created, role) VALUES (?1, ?1, 's', 'p', ?2, ?3, 'operator')`,
			fmt.Sprint("open ", i), status, now-int64(100+i))
	}
	s.Clock().Advance(7 * time.Second)
	want("paused true, work map[BLOCKED:1 CANCELED:1 DONE:1 READY:2 REJECTED:1 RUNNING:1], oldest 110, uncertain 0")

	for i, status := range []shop.OrderStatus{
		shop.Proposed, shop.Approved, shop.Sending, shop.Unknown, shop.Unknown, shop.Confirmed, shop.RejectedOrder, shop.CanceledOrder,
	} {
		s.exec(`INSERT INTO assistant_orders (id, work_id, proposal, digest, amount_cents, status, created) VALUES (?, '0', '{}', 'd', 1, ?, 0)`, fmt.Sprint(i), status)
	}
	want("paused true, work map[BLOCKED:1 CANCELED:1 DONE:1 READY:2 REJECTED:1 RUNNING:1], oldest 110, uncertain 3")

	s.Clock().Advance(-time.Hour)
	want("paused true, work map[BLOCKED:1 CANCELED:1 DONE:1 READY:2 REJECTED:1 RUNNING:1], oldest 0, uncertain 3")
}

func TestSpendingStaysWithinItsBounds(t *testing.T) {
	s := openShop(t)
	s.exec("INSERT INTO assistant_spending (id, limit_cents, reserved_cents, spent_cents) VALUES (1, 1000, 300, 200)")
	for _, test := range []struct {
		change  string
		allowed bool
	}{
		{"reserved_cents = 800", true},
		{"reserved_cents = 801", false},
		{"reserved_cents = 0, spent_cents = 1000", true},
		{"spent_cents = 1001, reserved_cents = 0", false},
		{"spent_cents = 0, reserved_cents = -1", false},
		{"spent_cents = -1, reserved_cents = 0", false},
		{"limit_cents = 999", false},
		{"limit_cents = 1000", true},
	} {
		_, err := s.db.Exec(s.ctx, "UPDATE assistant_spending SET "+test.change)
		if (err == nil) != test.allowed {
			t.Errorf("SET %s: %v, allowed %v", test.change, err, test.allowed)
		}
		if err != nil && !errors.Is(err, database.ErrConstraint) {
			t.Errorf("SET %s: %v is not a constraint's refusal", test.change, err)
		}
	}
}
