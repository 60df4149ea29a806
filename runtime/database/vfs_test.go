package database

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fieldbook/runtime/clock"
)

// lockVariable tells the test binary, started again, which database to try to lock.
const lockVariable = "FIELDBOOK_TEST_LOCK"

func TestMain(m *testing.M) {
	if path := os.Getenv(lockVariable); path != "" {
		fmt.Println(tryLock(path))
		return
	}
	os.Exit(m.Run())
}

// tryLock is another process that wants to write.
func tryLock(path string) string {
	ctx := context.Background()
	s, err := connect(ctx, nil, path, "mode=rw")
	if err == nil {
		defer func() { _ = s.close() }()
		_, err = s.exec(ctx, "BEGIN IMMEDIATE")
	}
	if err != nil {
		return failure(ctx, "other", "", err).Error()
	}
	return "locked"
}

func testOptions(opening int, wait time.Duration) Options {
	return Options{Clock: clock.NewManual(time.Unix(1_772_000_000, 0)), IDs: clock.NewSeeded(1, 1, opening), Wait: wait}
}

// Closing handles leaves nothing behind in the registration: no session, no connection, no file.
func TestCloseLeavesNothing(t *testing.T) {
	ctx := context.Background()
	folder := t.TempDir()
	for range 3 {
		db, err := Open(ctx, filepath.Join(folder, "shop.db"), testOptions(1, 0))
		if err != nil {
			t.Fatal(err)
		}
		image, err := OpenImage(ctx, db)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "backup.db")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := db.BackupTo(ctx, path); err != nil {
			t.Fatal(err)
		}
		backup, err := OpenBackup(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if err := backup.CopyInto(ctx, image); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenBackup(ctx, filepath.Join(folder, "none.db")); err == nil {
			t.Fatal("a missing backup was opened")
		}
		if _, err := Open(ctx, folder, testOptions(1, 0)); err == nil {
			t.Fatal("a folder was opened")
		}
		for _, handle := range []*Database{backup, image, db} {
			if err := handle.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if s, c, f := len(logged.sessions), len(logged.byThread), len(logged.files); s != 0 || c != 0 || f != 0 {
		t.Errorf("%d sessions, %d connections and %d files are left", s, c, f)
	}
}

// Another descriptor of a database that is closed in this process, because a copied package read the file, must not end
// SQLite's locks, as it does with POSIX locks. The locks that are in the file itself show it: an image's, since those of
// a database with a WAL are mostly in its -shm, where they stay POSIX.
func TestClosingADescriptorKeepsTheLocks(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED LOUDLY: locks of open file descriptions exist on Linux only")
	}
	ctx := context.Background()
	live, err := Open(ctx, filepath.Join(t.TempDir(), "shop.db"), testOptions(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = live.Close() })
	image, err := OpenImage(ctx, live)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = image.Close() })
	for _, db := range []*Database{live, image} {
		t.Run(filepath.Base(db.Path()), func(t *testing.T) {
			err := db.Immediate(ctx, func(tx *Tx) error {
				if _, err := tx.Exec(ctx, "CREATE TABLE extra (a)"); err != nil {
					return err
				}
				f, err := os.Open(db.Path())
				if err != nil {
					return err
				}
				f.Close()
				otherProcess(t, db.Path(), "another handle holds the lock")
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			otherProcess(t, db.Path(), "locked")
		})
	}
}

func otherProcess(t *testing.T, path, want string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self)
	command.Env = append(os.Environ(), lockVariable+"="+path)
	out, err := command.Output()
	if err != nil || !strings.Contains(string(out), want) {
		t.Errorf("another process that wants to write says %q, error %v; want %q", out, err, want)
	}
}
