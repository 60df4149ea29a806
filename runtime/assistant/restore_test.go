package assistant_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/shop"
)

// busyShop has work in every status, orders in every status, a job, spending, and an event; its running work is claimed
// by the claim that comes back.
func busyShop(t *testing.T) (*testShop, *shop.Claim) {
	t.Helper()
	s := openShop(t)
	s.enqueue("morning:brief")
	claim := s.claim("worker-1")
	err := s.db.Immediate(s.ctx, func(tx *database.Tx) error {
		for _, status := range []shop.Status{shop.Ready, shop.Blocked, shop.Done, shop.Canceled, shop.Rejected} {
			_, err := tx.Exec(s.ctx, `
				INSERT INTO assistant_work (id, origin, session, prompt, status, generation, created, role)
				VALUES (?1, ?1, 'lucy', 'order more', ?1, 3, 0, 'operator')`, status)
			if err != nil {
				return err
			}
		}
		for _, status := range []shop.OrderStatus{
			shop.Proposed, shop.Approved, shop.Sending, shop.Unknown, shop.Confirmed, shop.RejectedOrder, shop.CanceledOrder,
		} {
			_, err := tx.Exec(s.ctx, `
				INSERT INTO assistant_orders (id, work_id, proposal, digest, amount_cents, status, approved_by, approved_until, created, target)
				VALUES (?1, 'BLOCKED', '{}', 'd', 100, ?1, 'lucy', 1900000000, 0, 'supplier')`, status)
			if err != nil {
				return err
			}
		}
		_, err := tx.Exec(s.ctx, `
			INSERT INTO assistant_jobs (id, name, every_seconds, next_due, created) VALUES ('j', 'morning', 86400, 1900000000, 0)`)
		if err != nil {
			return err
		}
		_, err = tx.Exec(s.ctx, `
			INSERT INTO assistant_spending (id, limit_cents, reserved_cents, spent_cents) VALUES (1, 1000, 300, 200)`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, claim
}

func TestRestoreRows(t *testing.T) {
	s, _ := busyShop(t)
	before := s.rows()
	backup := s.backup("monday.sqlite")
	bytesBefore := readFile(t, backup)

	// What happens after the backup is gone after the restore.
	s.exec("UPDATE inventory SET on_hand = 0")
	s.exec("DELETE FROM assistant_jobs")
	s.enqueue("evening:brief")
	s.restore(backup)

	var want []string
	for _, line := range before {
		switch {
		case strings.HasPrefix(line, "assistant_control:"):
			line = fmt.Sprintf("assistant_control: id=1 epoch=%s paused=1", s.epoch())
		case strings.HasPrefix(line, "assistant_work:"):
			line = strings.Replace(line, "generation=3", "generation=4", 1)
			line = strings.Replace(line, "status=RUNNING generation=1 owner=worker-1", "status=READY generation=2 owner=<nil>", 1)
			line = strings.Replace(line, fmt.Sprintf("expires=%d", s.db.Now()+90), "expires=<nil>", 1)
		case strings.HasPrefix(line, "assistant_orders:"):
			line = strings.Replace(line, "approved_until=1900000000 revoked=0", "approved_until=0 revoked=1", 1)
		}
		want = append(want, line)
	}
	if got := s.rows(); !slices.Equal(got, want) {
		t.Errorf("rows after the restore:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !bytes.Equal(readFile(t, backup), bytesBefore) {
		t.Error("the backup's bytes have changed")
	}
	s.wantFiles("backups", "backups/monday.sqlite", "shop.authority", "shop.sqlite")
}

func TestRestoreKeepsTheFileAndOpenHandles(t *testing.T) {
	s, _ := busyShop(t)
	backup := s.backup("monday.sqlite")
	other := s.open()
	before, err := files.Identity(s.db.Path())
	if err != nil {
		t.Fatal(err)
	}
	s.restore(backup)
	after, err := files.Identity(s.db.Path())
	if err != nil || after != before {
		t.Errorf("identity %q (%v), was %q", after, err, before)
	}
	var seen string
	if err := other.QueryRow(s.ctx, "SELECT epoch FROM assistant_control").Scan(&seen); err != nil {
		t.Fatal(err)
	}
	if seen != s.marker() {
		t.Errorf("a handle opened before sees epoch %s, the marker names %s", seen, s.marker())
	}
	if _, err := other.Exec(s.ctx, "UPDATE inventory SET on_hand = 7 WHERE sku = 'VANILLA'"); err != nil {
		t.Fatalf("a handle opened before cannot write: %v", err)
	}
	s.wantText("7", "SELECT on_hand FROM inventory WHERE sku = 'VANILLA'")
}

func TestRestoreAgainMakesAnotherHistory(t *testing.T) {
	s, _ := busyShop(t)
	backup := s.backup("monday.sqlite")
	epochs := []string{s.epoch()}
	for range 3 {
		s.restore(backup)
		s.wantText("2", "SELECT generation FROM assistant_work WHERE origin = 'morning:brief'")
		if got := s.epoch(); got != s.marker() || slices.Contains(epochs, got) || len(got) != 32 {
			t.Errorf("epoch %s, marker %s, earlier epochs %v", got, s.marker(), epochs)
		}
		epochs = append(epochs, s.epoch())
	}
}

func TestRestoreOfAnEmptyShop(t *testing.T) {
	s := openShop(t)
	s.exec("DELETE FROM inventory")
	s.restore(s.backup("empty.sqlite"))
	s.wantText("1", "SELECT paused FROM assistant_control")
	s.wantText("0", "SELECT count(*) FROM assistant_work")
	s.wantText("0", "SELECT count(*) FROM inventory")
}

func TestRestoreOfAPausedBackupStaysPaused(t *testing.T) {
	s := openShop(t)
	s.exec("UPDATE assistant_control SET paused = 1")
	backup := s.backup("paused.sqlite")
	s.resume()
	s.restore(backup)
	s.wantText("1", "SELECT paused FROM assistant_control")
	if events := s.events(); len(events) != 0 {
		t.Errorf("events %v: the backup had none, and Restore adds none", events)
	}
}

func TestRestoreReadsABackupThroughALink(t *testing.T) {
	s := openShop(t)
	backup := s.backup("monday.sqlite")
	link := s.Path("link.sqlite")
	symlink(t, backup, link)
	s.restore(link)
}

// TestRestoreOrder reads the order of the steps from the operation log.
func TestRestoreOrder(t *testing.T) {
	s, _ := busyShop(t)
	backup := s.backup("monday.sqlite")
	s.entries = nil
	s.restore(backup)
	epoch := s.epoch()

	index := func(what string, match func(operation.Entry) bool) int {
		t.Helper()
		found := slices.IndexFunc(s.entries, match)
		if found < 0 {
			t.Fatalf("the log has no entry for: %s", what)
		}
		return found
	}
	call := func(name, subject, detail string) func(operation.Entry) bool {
		return func(e operation.Entry) bool {
			return e.Kind == operation.Call && e.Name == name && strings.HasPrefix(e.Subject, subject) && strings.Contains(e.Detail, detail) &&
				e.File == "runtime/assistant/restore.go" && e.Line > 0
		}
	}
	durable := func(kind operation.Kind, path string) func(operation.Entry) bool {
		return func(e operation.Entry) bool { return e.Kind == kind && e.Path == path }
	}
	pending := "shop.authority." + epoch
	steps := []struct {
		what  string
		match func(operation.Entry) bool
	}{
		{"separate file", call("files.Same", "", "")},
		{"backup opened", call("database.OpenBackup", "backups/monday.sqlite", "")},
		{"pages checked", call("database.Integrity", "backups/monday.sqlite", "")},
		{"versions compared", call("database.Versions", "shop.sqlite", "")},
		{"image opened", call("database.OpenImage", "", "")},
		{"backup copied into the image", call("database.CopyInto", "shop.image-", "")},
		{"control row of the image", call("database.Tx.Exec", "shop.image-", "assistant_control")},
		{"work in the image", call("database.Tx.Exec", "shop.image-", "assistant_work")},
		{"orders in the image", call("database.Tx.Exec", "shop.image-", "assistant_orders")},
		{"live shop paused", call("database.Tx.Exec", "shop.sqlite", "paused = 1")},
		{"pause durable", durable(operation.Sync, "shop.sqlite-wal")},
		{"marker created", durable(operation.Create, pending)},
		{"marker written", durable(operation.Write, pending)},
		{"marker synced", durable(operation.Sync, pending)},
		{"marker renamed", func(e operation.Entry) bool {
			return e.Kind == operation.Rename && e.Path == pending && e.To == "shop.authority"
		}},
		{"folder synced", durable(operation.SyncFolder, ".")},
		{"image copied into the shop", call("database.CopyInto", "shop.sqlite", "")},
		{"image closed", call("database.Close", "shop.image-", "")},
	}
	last, lastWhat := -1, "the call of Restore"
	for _, step := range steps {
		at := index(step.what, step.match)
		if at <= last {
			t.Errorf("%s at entry %d comes before %s at entry %d", step.what, at, lastWhat, last)
		}
		last, lastWhat = at, step.what
	}

	// Nothing writes the live database before the pause, and only the copy writes it after the marker stands.
	pause, copied := index("pause", steps[9].match), index("copy", steps[16].match)
	marker := index("marker", steps[14].match)
	for i, e := range s.entries {
		live := e.Path == "shop.sqlite" || e.Path == "shop.sqlite-wal"
		if e.Kind == operation.Write && live && (i < pause || (i > marker && i < copied)) {
			t.Errorf("entry %d writes %s out of turn", i, e.Path)
		}
		if e.Kind.Durable() && strings.HasPrefix(e.Path, "backups/") {
			t.Errorf("entry %d: %s %s changes the backup's folder", i, e.Kind, e.Path)
		}
	}
}

func TestRestoreEndsOldClaims(t *testing.T) {
	s, claim := busyShop(t)
	backup := s.backup("monday.sqlite")
	if err := assistant.AssertCurrent(s.ctx, s.db, claim); err != nil {
		t.Fatal(err)
	}
	s.restore(backup)
	wantRefusal(t, assistant.Finish(s.ctx, s.db, claim, shop.Done, "done"), "permission")
	if got, err := assistant.Claim(s.ctx, s.db, "worker-2", shop.DefaultLease); got != nil || err != nil {
		t.Errorf("a claim in the paused shop: %v, %v", got, err)
	}
	s.resume()
	wantRefusal(t, assistant.Finish(s.ctx, s.db, claim, shop.Done, "done"), "permission")
	again := s.claim("worker-2")
	if again.Epoch == claim.Epoch || again.Epoch != s.marker() {
		t.Errorf("the new claim is of epoch %s, the old one of %s, the marker names %s", again.Epoch, claim.Epoch, s.marker())
	}
}
