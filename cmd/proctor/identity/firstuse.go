package identity

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"time"

	"github.com/gofrs/flock"

	"fieldbook/grader"
	"fieldbook/handoff"
)

// FirstUse is a file that remembers which key came first with which name: a CSV with the columns student, key_id and
// first_seen. It is written at once when something new is learnt, whole or not at all.
type FirstUse struct {
	path string
	now  func() time.Time
	lock *flock.Flock

	student map[string]string // by key id
	key     map[string]string // by student
	since   map[string]string // by key id
	order   []string          // key ids as they came
}

const (
	lockWait  = 10 * time.Second
	lockRetry = 10 * time.Millisecond
)

// OpenFirstUse reads the file at path, which need not be there yet, and keeps other programs from changing it until Close.
func OpenFirstUse(ctx context.Context, path string, now func() time.Time) (*FirstUse, error) {
	f := &FirstUse{path: path, now: now, lock: flock.New(path + ".lock"), student: map[string]string{}, key: map[string]string{}, since: map[string]string{}}
	waiting, stop := context.WithTimeout(ctx, lockWait)
	defer stop()
	if locked, err := f.lock.TryLockContext(waiting, lockRetry); err != nil || !locked {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &grader.Error{Code: "first_use_busy", Exit: grader.ExitVoid, Message: path + ": the file cannot be locked", Hint: "End the other proctor, or check that you may write there.", Cause: err}
	}
	if err := f.read(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Close lets other programs have the file.
func (f *FirstUse) Close() error { return f.lock.Unlock() }

func (f *FirstUse) read() error {
	data, err := handoff.ReadFile(f.path)
	if missing := (*handoff.Error)(nil); errors.As(err, &missing) && missing.Code == handoff.CodeFileMissing {
		return nil
	}
	if err != nil {
		return err
	}
	rows, err := table(f.path, data, "student", "key_id", "first_seen")
	if err != nil {
		return err
	}
	for _, r := range rows {
		id, err := keyID(r.cells[1])
		if err != nil {
			return unreadable(f.path, r.line, "the key of %s is %v", r.cells[0], err)
		}
		if _, err := time.Parse(time.DateOnly, r.cells[2]); err != nil {
			return unreadable(f.path, r.line, "first_seen is %.20q; it must be a day, 2026-03-02", r.cells[2])
		}
		if f.student[id] != "" || f.key[r.cells[0]] != "" {
			return unreadable(f.path, r.line, "%s or its key stands here twice", r.cells[0])
		}
		f.remember(r.cells[0], id, r.cells[2])
	}
	return nil
}

func (f *FirstUse) remember(student, id, day string) {
	f.student[id], f.key[student], f.since[id] = student, id, day
	f.order = append(f.order, id)
}

// Bind implements Binder. A name that comes for the first time is remembered with its key.
func (f *FirstUse) Bind(id, student string) (Binding, error) {
	owner, known := f.student[id]
	switch {
	case known && student != "" && student != owner:
		return Binding{}, mismatch("the handoff of %s is signed with the key that came first with %s", student, owner)
	case known:
		return Binding{Student: owner, How: handoff.ByFirstUse, Since: f.since[id]}, nil
	case student == "":
		return Binding{How: handoff.None}, nil
	case f.key[student] != "":
		return Binding{}, mismatch("the handoff of %s is signed with key %s…, and the first one was signed with %s…", student, short(id), short(f.key[student]))
	}
	day := f.now().UTC().Format(time.DateOnly)
	f.remember(student, id, day)
	if err := f.write(); err != nil {
		return Binding{}, err
	}
	return Binding{Student: student, How: handoff.ByFirstUse, Since: day, New: true}, nil
}

func (f *FirstUse) write() error {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	_ = w.Write([]string{"student", "key_id", "first_seen"}) // a buffer takes everything
	for _, id := range f.order {
		_ = w.Write([]string{f.student[id], id, f.since[id]})
	}
	w.Flush()
	if err := handoff.WriteFile(f.path, out.Bytes(), 0o644); err != nil {
		return fmt.Errorf("remember a key: %w", err)
	}
	return nil
}
