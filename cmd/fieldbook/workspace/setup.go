package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// File is a file to lay out: its slash path inside the workspace and its bytes.
type File struct {
	Path string
	Text []byte
}

// Setup is what setting up did.
type Setup struct {
	Supplied int      `json:"supplied"` // files of the course
	Written  int      `json:"written"`  // of them: missing before
	Restored []string `json:"restored"` // of them: had been changed; the changed ones are in the backup
	Starters []string `json:"starters"` // put in place
	Kept     []string `json:"kept"`     // the student's, left alone
	Digest   string   `json:"tree_digest"`
	Matches  bool     `json:"tree_matches"` // read back, the supplied files are the edition's
	Backup   string   `json:"backup,omitempty"`
}

// SetUp lays out the supplied files and puts starters where the student has nothing yet. It can be repeated: supplied
// files are restored, after a backup of what they had become; the student's are never touched.
func (w *Workspace) SetUp(supplied, starters []File) (Setup, error) {
	done := Setup{Supplied: len(supplied), Digest: TreeDigest(supplied), Restored: []string{}, Starters: []string{}, Kept: []string{}}
	var missing, changed []File
	for _, f := range supplied {
		found, err := os.ReadFile(w.Path(f.Path))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, f)
		case err != nil:
			return done, trouble("read", w.Path(f.Path), err)
		case !bytes.Equal(found, f.Text):
			changed = append(changed, f)
			done.Restored = append(done.Restored, f.Path)
		}
	}
	if len(changed) > 0 {
		backup, err := w.Backup("set-up", done.Restored...)
		if err != nil {
			return done, err
		}
		done.Backup = backup.ID
	}
	for _, f := range append(missing, changed...) {
		if err := WriteFile(w.Path(f.Path), f.Text); err != nil {
			return done, err
		}
	}
	done.Written = len(missing)
	for _, f := range starters {
		err := writeNew(w.Path(f.Path), f.Text)
		switch {
		case errors.Is(err, fs.ErrExist):
			done.Kept = append(done.Kept, f.Path)
		case err != nil:
			return done, err
		default:
			done.Starters = append(done.Starters, f.Path)
		}
	}
	for _, folder := range []string{Attempts, Handoffs, Notes, Predictions, Submissions} {
		if err := makeFolder(w.Path(folder)); err != nil {
			return done, err
		}
	}
	var err error
	done.Matches, err = w.matches(supplied, done.Digest)
	return done, err
}

// matches reads the supplied files back from the disk and compares their digest.
func (w *Workspace) matches(supplied []File, digest string) (bool, error) {
	read := make([]File, len(supplied))
	for i, f := range supplied {
		text, err := os.ReadFile(w.Path(f.Path))
		if err != nil {
			return false, trouble("read", w.Path(f.Path), err)
		}
		read[i] = File{Path: f.Path, Text: text}
	}
	return TreeDigest(read) == digest, nil
}

// TreeDigest is a sha256 over the paths and the digests of the files, in the order of the paths.
func TreeDigest(files []File) string {
	lines := make([]string, len(files))
	for i, f := range files {
		lines[i] = fmt.Sprintf("%x  %s\n", sha256.Sum256(f.Text), f.Path)
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return hex.EncodeToString(sum[:])
}
