// Package workspace keeps what a student makes: sources, predictions, attempts, handoffs and how far they have come. It
// lays the supplied files out beside the student's own, never overwrites anything of theirs without a backup, and writes
// every file so that killing the program at any instant loses nothing that was shown as saved. It runs in the
// student's command only and imports of ours the words of package grader and the durable writing of package handoff.
package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"fieldbook/grader"
)

// Format is the version of the layout below. A program refuses a workspace with a newer one, and has one with an older one
// upgraded first.
const Format = 2

// Folder is the name of the folder that makes a folder a workspace; everything Fieldbook keeps for itself is in it.
const Folder = ".fieldbook"

// The folders of a workspace, relative to its root.
const (
	Attempts    = "attempts"
	Predictions = "predictions"
	Handoffs    = "handoffs"
	Submissions = "submissions"
	Notes       = "notes"
)

// about is the file that says what a workspace is, relative to Folder.
const about = "workspace.json"

// About says what a workspace is.
type About struct {
	Format  int       `json:"format"`
	Edition string    `json:"edition"`
	Made    time.Time `json:"made"`
}

// Workspace is an opened workspace. Its methods are not safe for concurrent use; programs exclude each other with Lock.
type Workspace struct {
	root  string
	about About
	now   func() time.Time
}

// Root is the workspace's absolute path.
func (w *Workspace) Root() string { return w.root }

// About says what this workspace is.
func (w *Workspace) About() About { return w.about }

// Path is the absolute path of a file of the workspace given with slashes.
func (w *Workspace) Path(slash string) string {
	return filepath.Join(w.root, filepath.FromSlash(slash))
}

// Relative is a path as the workspace's records keep it: with slashes and from the root where it lies below that, so that the
// record holds on another machine; else as it is.
func (w *Workspace) Relative(path string) string {
	if below, err := filepath.Rel(w.root, path); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	return path
}

// Located is the path that a record means: the opposite of Relative.
func (w *Workspace) Located(recorded string) string {
	if filepath.IsAbs(recorded) {
		return recorded
	}
	return w.Path(recorded)
}

// Exists reports whether root is a workspace.
func Exists(root string) bool {
	info, err := os.Stat(filepath.Join(root, Folder, about))
	return err == nil && info.Mode().IsRegular()
}

// Open opens an existing workspace of this layout.
func Open(root string, now func() time.Time) (*Workspace, error) {
	w, err := open(root, now)
	if err == nil && w.about.Format < Format {
		return nil, older(root, w.about.Format)
	}
	return w, err
}

// open opens an existing workspace of this layout or an older one.
func open(root string, now func() time.Time) (*Workspace, error) {
	path := filepath.Join(root, Folder, about)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &grader.Error{
			Code:    "no_workspace",
			Message: fmt.Sprintf("%s is not a workspace", root),
			Hint:    "Make one there with `fieldbook init`, or name another with --workspace.",
			Exit:    grader.ExitUsage,
		}
	}
	if err != nil {
		return nil, trouble("read", path, err)
	}
	w := &Workspace{root: root, now: now}
	if err := json.Unmarshal(data, &w.about); err != nil || w.about.Format < 1 {
		return nil, &grader.Error{
			Code:    "workspace_damaged",
			Message: fmt.Sprintf("%s does not say what this workspace is", path),
			Hint:    "The student's files are untouched. Move them into a new workspace made with `fieldbook init`.",
			Exit:    grader.ExitUsage,
			Cause:   err,
		}
	}
	if w.about.Format > Format {
		return nil, &grader.Error{
			Code:    "workspace_newer",
			Message: fmt.Sprintf("%s was written by a newer Fieldbook (layout %d, this program knows %d)", root, w.about.Format, Format),
			Hint:    "Use the newer program; nothing was changed.",
			Exit:    grader.ExitUsage,
		}
	}
	return w, nil
}

// Create makes a workspace of an existing or new folder. A folder that holds somebody's Go module is refused: the
// supplied files would mix with it.
func Create(root, edition string, now func() time.Time) (*Workspace, error) {
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return nil, &grader.Error{
			Code:    "workspace_is_file",
			Message: fmt.Sprintf("%s is a file, and a workspace is a folder", root),
			Hint:    "Name a folder with --workspace.",
			Exit:    grader.ExitUsage,
		}
	}
	for _, name := range []string{"go.mod", "runtime"} {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil {
			return nil, &grader.Error{
				Code:    "folder_in_use",
				Message: fmt.Sprintf("%s holds %s already, so no workspace is made there", root, name),
				Hint:    "Choose an empty folder with --workspace.",
				Exit:    grader.ExitUsage,
			}
		}
	}
	w := &Workspace{root: root, now: now, about: About{Format: Format, Edition: edition, Made: now().UTC().Truncate(time.Second)}}
	if err := makeFolder(filepath.Join(root, Folder)); err != nil {
		return nil, err
	}
	if err := w.writeJSON(Folder+"/"+about, w.about); err != nil {
		return nil, err
	}
	return w, nil
}

// readJSON reads a file of the workspace; a missing file leaves v as it is.
func (w *Workspace) readJSON(slash string, v any) error {
	path := w.Path(slash)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return trouble("read", path, err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// writeJSON writes v, indented, in place of a file of the workspace.
func (w *Workspace) writeJSON(slash string, v any) error {
	data, err := marshal(v)
	if err != nil {
		return err
	}
	return WriteFile(w.Path(slash), data)
}

func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
