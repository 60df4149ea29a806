package assistant_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestRestoreOnAFailingDisk refuses each durable operation of a restore in turn: an error comes back or the whole end
// state is there, nothing is left behind unless it is the removal that failed, and another restore completes it.
func TestRestoreOnAFailingDisk(t *testing.T) {
	s, _ := busyShop(t)
	backup := s.backup("monday.sqlite")
	var asked []operation.Kind
	s.refuse = func(e operation.Entry) error { asked = append(asked, e.Kind); return nil }
	s.restore(backup)
	s.refuse = nil
	s.resume()
	complete := withoutEpoch(t, s)

	for name, disk := range map[string]struct {
		failure error
		kinds   []operation.Kind
	}{
		"no space":    {operation.ErrNoSpace, []operation.Kind{operation.Create, operation.Write, operation.Rename, operation.Folder}},
		"torn write":  {operation.TornWrite{Bytes: 16}, []operation.Kind{operation.Write}},
		"failed sync": {operation.ErrSyncFailed, []operation.Kind{operation.Sync, operation.SyncFolder}},
		"not removed": {errors.New("the file is in use"), []operation.Kind{operation.Remove, operation.Truncate}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, kind := range asked {
				n := i + 1
				if !slices.Contains(disk.kinds, kind) {
					continue
				}
				s, _ := busyShop(t)
				backup := s.backup("monday.sqlite")
				unchanged, epoch, marker := s.rows(), s.epoch(), s.marker()
				done, failed := 0, operation.Entry{}
				s.refuse = func(e operation.Entry) error {
					done++
					if done != n {
						return nil
					}
					failed = e
					return disk.failure
				}
				err := assistant.Restore(s.ctx, s.db, backup)
				s.refuse = nil
				at := fmt.Sprintf("operation %d, %s %s", n, failed.Kind, failed.Path)

				switch {
				case s.marker() != s.epoch() && s.text("SELECT paused FROM assistant_control") != "1":
					t.Errorf("%s: the shop is open between two histories", at)
				case err == nil && s.epoch() == epoch:
					t.Errorf("%s: Restore returned nil and nothing was restored", at)
				case s.epoch() == epoch && s.marker() == marker && !slices.Equal(paused(s.rows()), paused(unchanged)):
					t.Errorf("%s: rows have changed without a new history", at)
				case s.epoch() != epoch && s.epoch() != s.marker():
					t.Errorf("%s: the rows arrived in a history that the marker does not name", at)
				}
				if failed.Kind != operation.Remove && len(s.files()) != 4 {
					t.Errorf("%s: left behind: %v", at, s.files())
				}
				if err := assistant.Restore(s.ctx, s.db, backup); err != nil {
					t.Errorf("%s: the second restore: %v", at, err)
				}
				s.resume()
				if got := withoutEpoch(t, s); !slices.Equal(got, complete) {
					t.Errorf("%s: the second restore left\n%s\nwant\n%s", at, strings.Join(got, "\n"), strings.Join(complete, "\n"))
				}
			}
		})
	}
}

// withoutEpoch returns the rows of an open shop with the epoch, the ids and what names them left out.
func withoutEpoch(t *testing.T, s *testShop) []string {
	t.Helper()
	if s.epoch() != s.marker() {
		t.Errorf("epoch %s, marker %s", s.epoch(), s.marker())
	}
	id := s.text("SELECT id FROM assistant_work WHERE origin = 'morning:brief'")
	var rows []string
	for _, line := range s.rows() {
		line = strings.ReplaceAll(line, s.epoch(), "EPOCH")
		rows = append(rows, strings.ReplaceAll(line, id, "ID"))
	}
	return rows
}

// paused returns the rows as they are with the pause switched on.
func paused(rows []string) []string {
	var list []string
	for _, line := range rows {
		if strings.HasPrefix(line, "assistant_control:") {
			line = strings.Replace(line, "paused=0", "paused=1", 1)
		}
		list = append(list, line)
	}
	return list
}

// TestRestoreAfterACrash ends a restore between the marker and the copy.
func TestRestoreAfterACrash(t *testing.T) {
	s, claim := busyShop(t)
	backup := s.backup("monday.sqlite")
	epoch := s.epoch()
	crash := errors.New("the process is gone")
	renamed := false
	s.refuse = func(e operation.Entry) error {
		if renamed && strings.HasPrefix(e.Path, "shop.sqlite") {
			return crash
		}
		renamed = renamed || e.Kind == operation.Rename && e.To == "shop.authority"
		return nil
	}
	if err := assistant.Restore(s.ctx, s.db, backup); err == nil {
		t.Fatal("the crash did not happen")
	}
	s.refuse = nil
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s.restart(2)
	if s.epoch() != epoch || s.marker() == epoch {
		t.Fatalf("control epoch %s (was %s), marker %s: this is not the state between marker and copy", s.epoch(), epoch, s.marker())
	}
	s.wantText("1", "SELECT paused FROM assistant_control")
	wantRefusal(t, assistant.AssertCurrent(s.ctx, s.db, claim), "permission")
	for _, named := range []string{epoch, s.marker()} {
		wantRefusal(t, assistant.Resume(s.ctx, s.db, named), "stale_epoch")
	}

	interrupted := s.marker()
	s.restore(backup)
	if s.epoch() != s.marker() || s.epoch() == interrupted || s.epoch() == epoch {
		t.Errorf("control epoch %s, marker %s, earlier %s and %s", s.epoch(), s.marker(), epoch, interrupted)
	}
	s.wantFiles("backups", "backups/monday.sqlite", "shop.authority", "shop.sqlite")
	s.resume()
	s.claim("worker-2")
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

func TestRestoreStopsWhenItsContextEnds(t *testing.T) {
	s, _ := busyShop(t)
	backup := s.backup("monday.sqlite")
	before := s.rows()
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	if err := assistant.Restore(ctx, s.db, backup); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if got := s.rows(); !slices.Equal(got, before) {
		t.Error("rows have changed")
	}
	s.wantFiles("backups", "backups/monday.sqlite", "shop.authority", "shop.sqlite")
}

// TestRestoreAgainstACompetitor lets a worker claim before each call of Restore: no claim that was made before the shop
// was in its new history is good afterwards, and the marker and the control row always agree at the end.
func TestRestoreAgainstACompetitor(t *testing.T) {
	reached := 0
	for n := 1; ; n++ {
		// Restore cannot release a lock while the competitor runs, so waiting for it is in vain.
		s := openShopThatWaits(t, time.Millisecond)
		s.enqueue("morning:brief")
		backup := s.backup("monday.sqlite")
		s.enqueue("noon:brief")
		other := s.open()
		var claim *shop.Claim
		ran := false
		s.Before(n, func(ctx context.Context) error {
			ran = true
			var err error
			claim, err = assistant.Claim(ctx, other, "worker-1", shop.DefaultLease)
			return err
		})
		err := assistant.Restore(s.ctx, s.db, backup)
		if !ran {
			break
		}
		reached++
		if busy := s.Err(); busy != nil {
			// The live database was locked by Restore's own transaction: the worker gets nothing at that moment.
			if claim != nil {
				t.Errorf("call %d: a claim came with the error %v", n, busy)
			}
			continue
		}
		if err != nil {
			t.Errorf("call %d: %v", n, err)
			continue
		}
		if s.epoch() != s.marker() {
			t.Errorf("call %d: control epoch %s, marker %s", n, s.epoch(), s.marker())
		}
		s.resume()
		if claim != nil {
			wantRefusal(t, assistant.AssertCurrent(s.ctx, s.db, claim), "permission")
		}
	}
	if reached < 15 {
		t.Errorf("a competitor ran before %d calls only", reached)
	}
}
