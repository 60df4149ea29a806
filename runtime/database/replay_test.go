package database_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/operation"
)

// Replaying the log onto the starting files gives the files as they are, byte for byte, at every moment between two
// calls: whatever two handles, an image, a backup and files do in whatever order. Everything that explores crashes, or
// shows a state before and after, stands on this.
func TestReplayGivesTheSameBytes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		root, base := scratch(rt), scratch(rt)
		// Half of the runs begin with a shop that is there already, with changes in its log.
		if rapid.Bool().Draw(rt, "existing shop") {
			db, err := database.Open(ctx, filepath.Join(root, "shop.db"), options(1))
			must(t, err)
			must(t, db.Immediate(ctx, pause))
			must(t, copyFiles(base, root))
			must(t, db.Close())
			must(t, errors.Join(os.RemoveAll(root), os.Mkdir(root, 0o700), copyFiles(root, base)))
		}
		tree, err := operation.ReadTree(base)
		must(t, err)
		applied := 0
		var log []operation.Entry
		recorder, err := operation.Record(root, operation.Options{Sink: func(e operation.Entry) error { log = append(log, e); return nil }})
		must(t, err)
		rt.Cleanup(recorder.Stop)

		w := &walk{root: root, serial: 1}
		for _, db := range []**database.Database{&w.db, &w.other} {
			w.serial++
			*db, err = database.Open(ctx, filepath.Join(root, "shop.db"), options(w.serial))
			must(t, err)
		}
		compare := func(after string) {
			for ; applied < len(log); applied++ {
				if err := tree.Apply(log[applied]); err != nil {
					rt.Fatalf("after %s: %v", after, err)
				}
			}
			there, err := operation.ReadTree(root)
			must(t, err)
			if names := tree.Differences(there); len(names) > 0 {
				rt.Fatalf("after %s the replayed files differ in %v; the log ends with\n%s", after, names, durable(log[max(0, len(log)-20):]))
			}
		}
		compare("opening")
		actions := w.actions()
		for range rapid.IntRange(1, 15).Draw(rt, "steps") {
			name := rapid.SampledFrom(w.names()).Draw(rt, "action")
			if err := actions[name](); err != nil {
				rt.Fatalf("%s: %v", name, err)
			}
			compare(name)
		}
		must(t, w.close())
		compare("closing")

		folder := scratch(rt)
		must(t, operation.Replay(folder, base, log))
		there, err := operation.ReadTree(folder)
		must(t, err)
		if names := tree.Differences(there); len(names) > 0 {
			rt.Fatalf("Replay and Tree differ in %v", names)
		}
	})
}

// walk is a shop that random actions work on.
type walk struct {
	root      string
	serial    int
	db, other *database.Database
	image     *database.Database
}

func (w *walk) names() []string {
	return []string{"insert", "insert many", "update on the other handle", "roll back", "read", "checkpoint", "vacuum", "back up",
		"open an image", "change the image", "copy the image", "close the image", "reopen", "replace a file", "append to a file"}
}

func (w *walk) actions() map[string]func() error {
	undo := errors.New("undo")
	return map[string]func() error{
		"insert":                     func() error { return w.insert(w.db, 1) },
		"insert many":                func() error { return w.insert(w.db, 120) },
		"update on the other handle": func() error { return w.other.Immediate(ctx, pause) },
		"roll back": func() error {
			err := w.db.Immediate(ctx, func(tx *database.Tx) error { return errors.Join(pause(tx), undo) })
			if errors.Is(err, undo) {
				return nil
			}
			return fmt.Errorf("the rollback ended with %w", errors.Join(err, undo))
		},
		"read":       func() error { return w.other.Integrity(ctx) },
		"checkpoint": func() error { _, err := w.db.Exec(ctx, "PRAGMA wal_checkpoint"); return err },
		"vacuum":     func() error { _, err := w.db.Exec(ctx, "VACUUM"); return err },
		"back up":    w.backUp,
		"open an image": func() (err error) {
			if w.image == nil {
				if w.image, err = database.OpenImage(ctx, w.db); err == nil {
					err = w.db.CopyInto(ctx, w.image)
				}
			}
			return err
		},
		"change the image": func() error {
			if w.image == nil {
				return nil
			}
			return errors.Join(w.image.Immediate(ctx, pause), w.insert(w.image, 3))
		},
		"copy the image": func() error {
			if w.image == nil {
				return nil
			}
			return w.image.CopyInto(ctx, w.db)
		},
		"close the image": func() error {
			if w.image == nil {
				return nil
			}
			image := w.image
			w.image = nil
			return image.Close()
		},
		"reopen": func() (err error) {
			w.serial++
			if err = w.other.Close(); err == nil {
				w.other, err = database.Open(ctx, w.db.Path(), options(w.serial))
			}
			return err
		},
		"replace a file": func() error {
			w.serial++
			return files.Replace(filepath.Join(w.root, "checkpoint.json"), []byte(fmt.Sprint(w.serial)))
		},
		"append to a file": func() error {
			f, err := files.Append(filepath.Join(w.root, "trace.jsonl"))
			if err != nil {
				return err
			}
			_, err = f.Write([]byte("{}\n"))
			return errors.Join(err, f.Sync(), f.Close())
		},
	}
}

func (w *walk) insert(db *database.Database, rows int) error {
	return db.Immediate(ctx, func(tx *database.Tx) error {
		for range rows {
			w.serial++
			if _, err := tx.Exec(ctx, insertWork, fmt.Sprint("w", w.serial), fmt.Sprint("o", w.serial)); err != nil {
				return err
			}
		}
		return nil
	})
}

// backUp goes through the whole procedure of the package comment.
func (w *walk) backUp() error {
	w.serial++
	path := filepath.Join(w.root, "kept", fmt.Sprintf("%d.db", w.serial))
	if err := files.MakeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := files.CreateExclusive(path, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), w.db.BackupTo(ctx, path)); err != nil {
		return err
	}
	backup, err := database.OpenBackup(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(backup.Integrity(ctx), backup.Close(), files.Sync(path), files.SyncFolder(filepath.Dir(path)))
}

func (w *walk) close() error {
	var err error
	if w.image != nil {
		err = w.image.Close()
	}
	return errors.Join(err, w.other.Close(), w.db.Close())
}

// copyFiles copies the regular files of one folder to another.
func copyFiles(to, from string) error {
	tree, err := operation.ReadTree(from)
	if err != nil {
		return err
	}
	return tree.WriteTo(to)
}
