package assistant_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/shop"
)

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
				failed := s.refuseOne(n, disk.failure)
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
