// Package watch reports when the contents of named files change, however an editor saves them: in place, by renaming a
// new file over the old one, through a lock file, into a folder that was replaced. It watches the folders, not the files,
// and looks at the files by itself besides, because some file systems report nothing. It runs in the student's command
// and imports nothing of ours.
package watch

import (
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options are how a watcher looks. Zero fields have the defaults.
type Options struct {
	Debounce time.Duration // quiet time before a change is reported; 80 ms
	Poll     time.Duration // how often the files are looked at while notification works; 1 s
	FastPoll time.Duration // how often while it does not; 250 ms
	Silent   bool          // do not ask the operating system for notification
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{{&o.Debounce, 80 * time.Millisecond}, {&o.Poll, time.Second}, {&o.FastPoll, 250 * time.Millisecond}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	return o
}

// Watcher watches a set of files until its context ends.
type Watcher struct {
	options Options
	files   []string
	changes chan []string
	notify  *fsnotify.Watcher // nil: the files are looked at only
	seen    map[string]state
	folders map[string]os.FileInfo // watched, as they were when the watch was set
}

// state is what is known of a file.
type state struct {
	there    bool
	size     int64
	modified time.Time
	sum      [sha256.Size]byte
}

// New begins to watch files, given as absolute paths. A file or its folder need not be there yet.
func New(ctx context.Context, files []string, o Options) *Watcher {
	w := &Watcher{options: o.withDefaults(), files: files, changes: make(chan []string, 1), seen: map[string]state{}, folders: map[string]os.FileInfo{}}
	if !o.Silent {
		// Without notification, the files are looked at: that is no error.
		w.notify, _ = fsnotify.NewWatcher()
	}
	w.watchFolders()
	for _, f := range files {
		w.seen[f] = look(f, state{})
	}
	go w.loop(ctx)
	return w
}

// Changes delivers the files whose contents have changed, each list once. The channel is closed when the context ends. A
// reader that is slow gets the changes of the meantime in one list.
func (w *Watcher) Changes() <-chan []string { return w.changes }

func (w *Watcher) loop(ctx context.Context) {
	defer close(w.changes)
	var events chan fsnotify.Event
	var errors chan error
	if w.notify != nil {
		defer func() { _ = w.notify.Close() }() // the program is ending, or this watch is
		events, errors = w.notify.Events, w.notify.Errors
	}
	poll := time.NewTimer(w.interval())
	defer poll.Stop()
	var quiet <-chan time.Time
	var pending []string
	for {
		var deliver chan []string
		if len(pending) > 0 && quiet == nil {
			deliver = w.changes
		}
		select {
		case <-ctx.Done():
			return
		case deliver <- pending:
			pending = nil
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			if slices.Contains(w.files, filepath.Clean(e.Name)) {
				quiet = time.After(w.options.Debounce)
			}
		case _, ok := <-errors: // an overflow: the next look finds what was missed
			if !ok {
				errors = nil
			}
		case <-quiet:
			quiet = nil
			pending = w.look(pending)
		case <-poll.C:
			w.watchFolders()
			if quiet == nil {
				pending = w.look(pending)
			}
			poll.Reset(w.interval())
		}
	}
}

func (w *Watcher) interval() time.Duration {
	if w.notify == nil {
		return w.options.FastPoll
	}
	return w.options.Poll
}

// watchFolders asks for notification of each file's folder, again when the folder is another one than before.
func (w *Watcher) watchFolders() {
	if w.notify == nil {
		return
	}
	for _, file := range w.files {
		folder := filepath.Dir(file)
		info, err := os.Stat(folder)
		if err != nil {
			delete(w.folders, folder)
			continue
		}
		if before, ok := w.folders[folder]; ok && os.SameFile(before, info) {
			continue
		}
		_ = w.notify.Remove(folder) // of the folder that is gone; there may be none
		if w.notify.Add(folder) == nil {
			w.folders[folder] = info
		}
	}
}

// look adds to pending the files whose contents are not those that were seen last. A file that is missing is left for
// later: an editor is between two steps of saving, or the student has moved it.
func (w *Watcher) look(pending []string) []string {
	for _, file := range w.files {
		before := w.seen[file]
		now := look(file, before)
		w.seen[file] = now
		if now.there && before.sum != now.sum && !slices.Contains(pending, file) {
			pending = append(pending, file)
		}
	}
	return pending
}

// look reads a file's state. The contents are read only when size or time say that they may have changed. A file that is
// missing keeps the sum of what it held: coming back unchanged is no change.
func look(file string, before state) state {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return state{sum: before.sum}
	}
	now := state{there: true, size: info.Size(), modified: info.ModTime(), sum: before.sum}
	if before.there && before.size == now.size && before.modified.Equal(now.modified) && time.Since(now.modified) > coarse {
		return now
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return state{sum: before.sum}
	}
	now.sum = sha256.Sum256(data)
	return now
}

// coarse is the resolution of the coarsest file times in use (FAT: two seconds). Within it, an equal time proves nothing.
const coarse = 2 * time.Second
