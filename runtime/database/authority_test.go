package database_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/files/lock"
	"fieldbook/runtime/operation"
)

const (
	oldEpoch = "00000000000000000000000000000001"
	newEpoch = "00000000000000000000000000000002"
)

func TestMarkerOfAnotherHistory(t *testing.T) {
	folder := scratch(t)
	path := filepath.Join(folder, "shop.db")
	put := func(text string) { must(t, os.WriteFile(filepath.Join(folder, "shop.authority"), []byte(text), 0o600)) }

	for _, text := range []string{oldEpoch, "", "torn"} {
		put(text)
		_, err := database.Open(ctx, path, options(1))
		if !errors.Is(err, database.ErrNoSchema) || !strings.Contains(err.Error(), "the authority marker shop.authority names another history") {
			t.Errorf("marker %q beside a new database: error %v", text, err)
		}
		if got := names(t, folder); !strings.HasPrefix(got, "shop.authority shop.db") || strings.Contains(got, "authority.") {
			t.Errorf("the folder holds %s", got)
		}
	}
	must(t, os.Remove(filepath.Join(folder, "shop.authority")))
	must(t, open(t, folder, 2).Close())

	// Later a differing marker, or none, is a state to recover from.
	put(oldEpoch)
	db := open(t, folder, 3)
	if epoch, _ := control(t, db); epoch == oldEpoch || marker(t, db) != oldEpoch {
		t.Errorf("epoch %s, marker %s", epoch, marker(t, db))
	}
	must(t, db.Close())
	must(t, os.Remove(db.Marker()))
	db = open(t, folder, 4)
	if _, err := os.Stat(db.Marker()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a later opening made a marker: %v", err)
	}
}

// A first opening that is killed before any of its durable operations, or that meets a failing disk there, leaves what
// the next opening completes: a shop whose marker is its control epoch, and no leftovers.
func TestFirstOpeningInterrupted(t *testing.T) {
	check := func(t *testing.T, folder string) {
		t.Helper()
		db, err := database.Open(ctx, filepath.Join(folder, "shop.db"), options(2))
		must(t, err)
		epoch, paused := control(t, db)
		if marker(t, db) != epoch || paused {
			t.Errorf("epoch %s, marker %s, paused %v", epoch, marker(t, db), paused)
		}
		must(t, db.Integrity(ctx))
		must(t, db.Close())
		if got := names(t, folder); got != "shop.authority shop.db" {
			t.Errorf("the folder holds %s", got)
		}
	}
	root, log := recorded(t, operation.Options{})
	open(t, root, 1)
	empty := t.TempDir()
	entries := append([]operation.Entry(nil), *log...)
	for n := range entries {
		t.Run("killed", func(t *testing.T) {
			folder := scratch(t)
			must(t, operation.Replay(folder, empty, entries[:n]))
			check(t, folder)
		})
	}
	for _, failure := range []error{operation.ErrNoSpace, operation.ErrSyncFailed, operation.TornWrite{Bytes: 10}} {
		for n, failed := 1, true; failed; n++ {
			t.Run(failure.Error(), func(t *testing.T) {
				count := 0
				root, _ := recorded(t, operation.Options{Intercept: func(operation.Entry) error {
					if count++; count == n {
						return failure
					}
					return nil
				}})
				db, err := database.Open(ctx, filepath.Join(root, "shop.db"), options(1))
				if failed = count >= n; failed != (err != nil) {
					t.Errorf("a failure at operation %d of %d: error %v", n, count, err)
				}
				if err == nil {
					must(t, db.Close())
				}
				check(t, root)
			})
		}
	}
}

func TestManyFirstOpenings(t *testing.T) {
	folder := scratch(t)
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			db, err := database.Open(ctx, filepath.Join(folder, "shop.db"), options(n))
			if err != nil {
				t.Error(err)
				return
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	db := open(t, folder, 9)
	if epoch, _ := control(t, db); marker(t, db) != epoch {
		t.Errorf("epoch %s, marker %s", epoch, marker(t, db))
	}
	if got := names(t, folder); got != "shop.authority shop.db shop.db-shm shop.db-wal" {
		t.Errorf("the folder holds %s", got)
	}
}

func TestImage(t *testing.T) {
	folder := scratch(t)
	db := open(t, folder, 1)
	first, err := database.OpenImage(ctx, db)
	must(t, err)
	second, err := database.OpenImage(ctx, db)
	must(t, err)
	if !strings.Contains(names(t, folder), "shop.image-1 shop.image-2") || first.Path() != filepath.Join(folder, "shop.image-1", "image.db") {
		t.Errorf("the folder holds %s, the image is %s", names(t, folder), first.Path())
	}
	format, err := first.Format(ctx)
	must(t, err)
	if want, _ := db.Format(ctx); format != want {
		t.Errorf("format %v, want %v", format, want)
	}
	if first.Marker() != db.Marker() || first.Now() != db.Now() {
		t.Error("an image has not the live database's marker and time")
	}
	if _, err := database.OpenImage(ctx, first); !errors.Is(err, database.ErrArgument) {
		t.Errorf("an image of an image: error %v", err)
	}
	if _, err := database.OpenImage(ctx, nil); !errors.Is(err, database.ErrArgument) {
		t.Errorf("an image of nothing: error %v", err)
	}
	must(t, db.CopyInto(ctx, first))
	undo := errors.New("undo")
	if err := first.Immediate(ctx, func(tx *database.Tx) error { return errors.Join(pause(tx), undo) }); !errors.Is(err, undo) {
		t.Errorf("error %v", err)
	}
	if _, paused := control(t, first); paused {
		t.Error("a rollback in the image kept the change")
	}
	must(t, errors.Join(first.Close(), second.Close(), first.Close()))
	if strings.Contains(names(t, folder), "image") {
		t.Errorf("after closing the folder holds %s", names(t, folder))
	}
	third := openImage(t, db)
	if third.Path() != first.Path() {
		t.Errorf("the next image is %s", third.Path())
	}
}

// An image keeps nothing durable, so it syncs nothing.
func TestImageOnDisk(t *testing.T) {
	root, log := recorded(t, operation.Options{})
	db := open(t, root, 1)
	before := len(*log)
	image, err := database.OpenImage(ctx, db)
	must(t, err)
	must(t, db.CopyInto(ctx, image))
	must(t, image.Immediate(ctx, pause))
	must(t, image.Close())
	for _, e := range (*log)[before:] {
		if e.Kind == operation.Sync || e.Kind == operation.SyncFolder || e.Kind.Durable() && !strings.HasPrefix(e.Path, "shop.image-1") {
			t.Errorf("the image did %s %s", e.Kind, e.Path)
		}
	}
	lines := strings.Split(durable((*log)[before:]), "\n")
	if got := strings.Join(lines[:3], ", "); got != "folder shop.image-1, create shop.image-1/lock, create shop.image-1/image.db" {
		t.Errorf("it begins with %s", got)
	}
	if got := strings.Join(lines[len(lines)-3:], ", "); got != "remove shop.image-1/image.db, remove shop.image-1/lock, remove shop.image-1" {
		t.Errorf("it ends with %s", got)
	}
}

func TestSweep(t *testing.T) {
	leave := func(t *testing.T, folder string) {
		t.Helper()
		for _, name := range []string{"shop.image-1", "shop.image-7", "shop.image-8", "shop.image-x", "other.image-1"} {
			must(t, os.Mkdir(filepath.Join(folder, name), 0o700))
		}
		for _, name := range []string{
			"shop.image-1/lock", "shop.image-1/image.db", "shop.image-1/image.db-journal", "shop.image-7/image.db",
			"shop.image-x/lock", "other.image-1/lock", "shop.image-2",
			"shop.authority." + newEpoch, "shop.authority.old", "other.authority." + newEpoch,
		} {
			must(t, touch(filepath.Join(folder, name)))
		}
	}
	const others = "other.authority." + newEpoch + " other.image-1 shop.authority shop.authority.old shop.db shop.db-shm shop.db-wal shop.image-2 shop.image-x"
	t.Run("what a crash left", func(t *testing.T) {
		folder := scratch(t)
		must(t, open(t, folder, 1).Close())
		leave(t, folder)
		open(t, folder, 2)
		if got := names(t, folder); got != others {
			t.Errorf("the folder holds\n%s\nwant\n%s", got, others)
		}
	})
	t.Run("not what a running restore uses", func(t *testing.T) {
		folder := scratch(t)
		db := open(t, folder, 1)
		image, err := database.OpenImage(ctx, db)
		must(t, err)
		must(t, db.CopyInto(ctx, image))
		prepared := db.Marker() + "." + newEpoch
		must(t, os.WriteFile(prepared, []byte(newEpoch), 0o600))
		must(t, os.Mkdir(filepath.Join(folder, "shop.image-9"), 0o700))
		open(t, folder, 2)
		if got, want := names(t, folder), "shop.authority shop.authority."+newEpoch+" shop.db shop.db-shm shop.db-wal shop.image-1"; got != want {
			t.Errorf("the folder holds\n%s\nwant\n%s", got, want)
		}
		must(t, files.Rename(prepared, db.Marker()))
		must(t, image.CopyInto(ctx, db))
		must(t, image.Close())
	})
	t.Run("locked by another process", func(t *testing.T) {
		folder := scratch(t)
		must(t, open(t, folder, 1).Close())
		leave(t, folder)
		f, err := os.OpenFile(filepath.Join(folder, "shop.image-1", "lock"), os.O_RDWR, 0)
		must(t, err)
		defer f.Close()
		if locked, err := lock.Try(f); !locked || err != nil {
			t.Fatal(locked, err)
		}
		open(t, folder, 2)
		if got := names(t, folder); !strings.Contains(got, "shop.authority."+newEpoch) || !strings.Contains(got, "shop.image-1") || strings.Contains(got, "image-7") {
			t.Errorf("the folder holds %s", got)
		}
	})
	t.Run("a canceled context", func(t *testing.T) {
		folder := scratch(t)
		must(t, open(t, folder, 1).Close())
		canceled, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := database.Open(canceled, filepath.Join(folder, "shop.db"), options(2)); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

// Images are opened and swept at the same time by many handles: none is taken from its owner.
func TestImagesAndSweepsAtOnce(t *testing.T) {
	folder := scratch(t)
	db := open(t, folder, 1)
	var group sync.WaitGroup
	for n := range 4 {
		group.Go(func() {
			for range 10 {
				image, err := database.OpenImage(ctx, db)
				if err != nil {
					t.Error(err)
					return
				}
				if err := errors.Join(db.CopyInto(ctx, image), image.Close()); err != nil {
					t.Error(err)
				}
			}
		})
		group.Go(func() {
			for i := range 10 {
				other, err := database.Open(ctx, db.Path(), options(10*n+i+2))
				if err != nil {
					t.Error(err)
					return
				}
				if err := other.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if got := names(t, folder); got != "shop.authority shop.db shop.db-shm shop.db-wal" {
		t.Errorf("the folder holds %s", got)
	}
}
