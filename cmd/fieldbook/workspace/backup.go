package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fieldbook/grader"
)

// Backup is a set of files of the workspace as they were at one moment.
type Backup struct {
	ID     string    `json:"id"` // its folder's name: the time, sortable
	Reason string    `json:"reason"`
	Time   time.Time `json:"time"`
	Files  []string  `json:"files"`  // slash paths; each is kept under the same path
	Absent []string  `json:"absent"` // asked for, but not there at the time
	Undone string    `json:"-"`      // ID of the backup that the undoing made, or ""
}

const (
	backups    = Folder + "/backups"
	backupFile = "backup.json"
	undoneFile = "undone"

	backupTime = "20060102T150405.000Z"
)

// Backup copies files of the workspace into a new backup, complete or not at all. Files that are not there are noted.
func (w *Workspace) Backup(reason string, files ...string) (Backup, error) {
	b := Backup{Reason: reason, Time: w.now().UTC(), Files: []string{}, Absent: []string{}}
	texts := make(map[string][]byte, len(files))
	for _, name := range files {
		text, err := os.ReadFile(w.Path(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			b.Absent = append(b.Absent, name)
		case err != nil:
			return b, trouble("read", w.Path(name), err)
		default:
			b.Files = append(b.Files, name)
			texts[name] = text
		}
	}
	var err error
	b.ID, err = w.newFolder(backups, func(n int) string {
		return b.Time.Add(time.Duration(n) * time.Millisecond).Format(backupTime)
	}, func(folder, id string) error {
		b.ID = id
		for _, name := range b.Files {
			if err := WriteFile(filepath.Join(folder, filepath.FromSlash(name)), texts[name]); err != nil {
				return err
			}
		}
		data, err := marshal(b)
		if err != nil {
			return err
		}
		return WriteFile(filepath.Join(folder, backupFile), data)
	})
	return b, err
}

// Backups lists the backups, oldest first.
func (w *Workspace) Backups() ([]Backup, error) {
	names, err := w.folders(backups)
	if err != nil {
		return nil, err
	}
	list := make([]Backup, 0, len(names))
	for _, name := range names {
		b := Backup{ID: name}
		if err := w.readJSON(backups+"/"+name+"/"+backupFile, &b); err != nil {
			return nil, err
		}
		undone, err := os.ReadFile(w.Path(backups + "/" + name + "/" + undoneFile))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, trouble("read", w.Path(backups+"/"+name), err)
		}
		b.Undone = strings.TrimSpace(string(undone))
		list = append(list, b)
	}
	return list, nil
}

// BackupText reads a file, given by its slash path in the workspace, out of a backup.
func (w *Workspace) BackupText(id, slash string) ([]byte, error) {
	file := w.Path(backups + "/" + path.Base(id) + "/" + slash)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, trouble("read", file, err)
	}
	return text, nil
}

const resetReason = "reset"

// Reset puts a file's starter in its place after a backup of what the student had there.
func (w *Workspace) Reset(starter File) (Backup, error) {
	b, err := w.Backup(resetReason, starter.Path)
	if err != nil {
		return b, err
	}
	return b, WriteFile(w.Path(starter.Path), starter.Text)
}

// UndoReset brings back what the latest reset of the file replaced that has not been undone. What stands there now is
// backed up first, so undoing loses nothing either.
func (w *Workspace) UndoReset(path string) (undone, kept Backup, err error) {
	list, err := w.Backups()
	if err != nil {
		return undone, kept, err
	}
	for _, b := range slices.Backward(list) {
		if b.Reason != resetReason || b.Undone != "" || !slices.Contains(b.Files, path) {
			continue
		}
		text, err := os.ReadFile(w.Path(backups + "/" + b.ID + "/" + path))
		if err != nil {
			return b, kept, trouble("read", w.Path(backups+"/"+b.ID+"/"+path), err)
		}
		if kept, err = w.Backup("undo of "+b.ID, path); err != nil {
			return b, kept, err
		}
		if err := WriteFile(w.Path(path), text); err != nil {
			return b, kept, err
		}
		return b, kept, WriteFile(w.Path(backups+"/"+b.ID+"/"+undoneFile), []byte(kept.ID+"\n"))
	}
	return undone, kept, &grader.Error{
		Code:    "nothing_to_undo",
		Message: fmt.Sprintf("no reset of %s is left to undo", path),
		Hint:    "Every backup lies under " + w.Path(backups) + ".",
		Exit:    grader.ExitUsage,
	}
}

// Overwrite puts data in place of a file of the workspace. When other bytes stand there, they are backed up first.
func (w *Workspace) Overwrite(path, reason string, data []byte) (backup string, err error) {
	found, err := os.ReadFile(w.Path(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", trouble("read", w.Path(path), err)
	case string(found) == string(data):
		return "", nil
	default:
		b, err := w.Backup(reason, path)
		if err != nil {
			return "", err
		}
		backup = b.ID
	}
	return backup, WriteFile(w.Path(path), data)
}

// newFolder makes a folder under parent, filled before its name appears. name proposes the n-th name, from 0, until one is free.
func (w *Workspace) newFolder(parent string, name func(n int) string, filled func(folder, name string) error) (string, error) {
	if err := makeFolder(w.Path(parent)); err != nil {
		return "", err
	}
	for n := 0; ; n++ {
		id := name(n)
		path := w.Path(parent + "/" + id)
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		temporary, err := os.MkdirTemp(w.Path(parent), temporaryPrefix+"*")
		if err != nil {
			return "", trouble("make folder", path, err)
		}
		if err = os.Chmod(temporary, 0o755); err == nil {
			err = filled(temporary, id)
		}
		if err == nil {
			if err = os.Rename(temporary, path); err == nil {
				return id, syncFolder(w.Path(parent))
			}
		}
		os.RemoveAll(temporary)
		return "", trouble("write", path, err)
	}
}

// folders lists the finished folders under parent by name.
func (w *Workspace) folders(parent string) ([]string, error) {
	entries, err := os.ReadDir(w.Path(parent))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, trouble("read", w.Path(parent), err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
