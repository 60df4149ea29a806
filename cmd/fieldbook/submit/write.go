package submit

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/handoff"
	"fieldbook/handoff/archive"
	"fieldbook/handoff/submission"
)

// Saved is a submission that was written and read back.
type Saved struct {
	Files   []string // absolute, as they lie in the workspace, by name
	Archive string   // absolute
	SHA256  string
	Bytes   int
	Backup  string // of the archive that it replaced, "" when there was none or the same
}

// Folder is where the files of a unit's submission lie in the workspace, with slashes.
func Folder(unit string) string { return path.Join(workspace.Submissions, unit) }

// ArchivePath is where the archive of a unit lies in the workspace, with slashes.
func ArchivePath(unit string) string {
	return path.Join(workspace.Submissions, submission.ArchiveName(unit))
}

// Write writes the files of a submission and the archive of them into the workspace, each whole and durably. The archive is
// read back from the disk and checked as the instructor's program will. An earlier archive with other bytes is backed up. The
// caller holds the workspace's lock.
func (w *Work) Write() (Saved, error) {
	data, files, err := w.Archive()
	if err != nil {
		return Saved{}, err
	}
	root := Folder(w.unit.ID)
	saved := Saved{Archive: w.workspace.Path(ArchivePath(w.unit.ID)), SHA256: handoff.Digest(data), Bytes: len(data)}
	if err := w.clear(root, files); err != nil {
		return Saved{}, err
	}
	for _, f := range files {
		place := w.workspace.Path(path.Join(root, f.Name))
		if err := workspace.WriteFile(place, f.Data); err != nil {
			return Saved{}, err
		}
		saved.Files = append(saved.Files, place)
	}
	if saved.Backup, err = w.workspace.Overwrite(ArchivePath(w.unit.ID), "a new submission", data); err != nil {
		return Saved{}, err
	}
	return saved, verify(saved.Archive, data)
}

// clear removes what an earlier submission of the unit had and this one has not, after a backup: the folder is made anew each
// time, from what lies elsewhere in the workspace.
func (w *Work) clear(root string, files []archive.File) error {
	keep := map[string]bool{}
	for _, f := range files {
		keep[path.Join(root, f.Name)] = true
	}
	var strays []string
	err := filepath.WalkDir(w.workspace.Path(root), func(file string, d fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			return err
		}
		if name := w.workspace.Relative(file); d.Type().IsRegular() && !keep[name] {
			strays = append(strays, name)
		}
		return nil
	})
	if err != nil || len(strays) == 0 {
		return err
	}
	if _, err := w.workspace.Backup("a new submission", strays...); err != nil {
		return err
	}
	for _, name := range strays {
		if err := os.Remove(w.workspace.Path(name)); err != nil {
			return err
		}
	}
	return nil
}

// verify reads an archive back from the disk.
func verify(file string, want []byte) error {
	data, err := handoff.ReadFileUpTo(file, submission.MaxBytes)
	if err != nil {
		return err
	}
	if !bytes.Equal(data, want) {
		return fmt.Errorf("%s does not hold what was written to it", file)
	}
	_, err = submission.Read(data)
	return err
}
