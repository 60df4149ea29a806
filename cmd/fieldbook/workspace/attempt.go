package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"time"

	"fieldbook/grader"
)

// Attempt is one run of a student's source, kept with that source. Attempts are only ever added: the first one of every
// exercise stays for good.
type Attempt struct {
	Number   int             `json:"number"` // from 1, over all exercises
	Exercise string          `json:"exercise"`
	Part     string          `json:"part,omitempty"` // what it was a run for, "ch19-a/challenge/challenge/late"; "": the exercise itself
	Label    string          `json:"label"`
	Time     time.Time       `json:"time"`
	Sources  []AttemptSource `json:"sources"`
	Outcome  grader.Outcome  `json:"outcome"`
	Verdict  grader.Verdict  `json:"verdict"`
	Printed  string          `json:"-"` // what the code printed, when it is too long for the report; kept in OutputFile
}

// AttemptSource is a file of an attempt.
type AttemptSource struct {
	Path   string `json:"path"` // in the runtime: runtime/assistant/restore.go
	Name   string `json:"name"` // what the student calls the file
	SHA256 string `json:"sha256"`
	Kept   string `json:"kept"` // its name in the attempt's folder
	Text   []byte `json:"-"`
}

const (
	attemptFile = "attempt.json"
	reportFile  = "report.json"
	// OutputFile is the name of what an attempt's code printed, in its folder.
	OutputFile = "output.txt"
)

// Evidence is the id by which notes cite the run: E7 is the attempt with the number 7.
func (a Attempt) Evidence() string { return fmt.Sprintf("E%d", a.Number) }

// AttemptFolder is the slash path of an attempt's folder.
func AttemptFolder(number int) string { return fmt.Sprintf("%s/%04d", Attempts, number) }

// AddAttempt keeps an attempt and its report. Number, Time and the sources' digests are filled in.
func (w *Workspace) AddAttempt(a Attempt, report any) (Attempt, error) {
	last, err := w.lastAttempt()
	if err != nil {
		return a, err
	}
	a.Time = w.now().UTC()
	for i := range a.Sources {
		s := &a.Sources[i]
		sum := sha256.Sum256(s.Text)
		s.SHA256 = hex.EncodeToString(sum[:])
		s.Kept = path.Base(s.Path)
	}
	_, err = w.newFolder(Attempts, func(n int) string {
		a.Number = last + 1 + n
		return path.Base(AttemptFolder(a.Number))
	}, func(folder, _ string) error { return a.write(folder, report) })
	return a, err
}

func (a Attempt) write(folder string, report any) error {
	for _, s := range a.Sources {
		if err := WriteFile(filepath.Join(folder, s.Kept), s.Text); err != nil {
			return err
		}
	}
	if a.Printed != "" {
		if err := WriteFile(filepath.Join(folder, OutputFile), []byte(a.Printed)); err != nil {
			return err
		}
	}
	compact, err := json.Marshal(report) // a hundred kilobytes when indented, and read by programs alone
	if err != nil {
		return err
	}
	if err := WriteFile(filepath.Join(folder, reportFile), compact); err != nil {
		return err
	}
	readable, err := marshal(a)
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(folder, attemptFile), readable)
}

// ListAttempts lists the attempts at an exercise itself, oldest first; "" lists all runs that were kept, those for a part
// of a unit too. The texts of the sources are not read.
func (w *Workspace) ListAttempts(exercise string) ([]Attempt, error) {
	names, err := w.folders(Attempts)
	if err != nil {
		return nil, err
	}
	var list []Attempt
	for _, name := range names {
		var a Attempt
		if err := w.readJSON(Attempts+"/"+name+"/"+attemptFile, &a); err != nil || a.Number == 0 {
			continue // not an attempt, or one that somebody edited: never a reason to stop working
		}
		if exercise == "" || a.Exercise == exercise && a.Part == "" {
			list = append(list, a)
		}
	}
	return list, nil
}

// AttemptText reads a source that was kept with an attempt.
func (w *Workspace) AttemptText(a Attempt, source AttemptSource) ([]byte, error) {
	file := w.Path(AttemptFolder(a.Number) + "/" + path.Base(source.Kept))
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, trouble("read", file, err)
	}
	return text, nil
}

// AttemptReport reads the report that was kept with an attempt.
func (w *Workspace) AttemptReport(number int) (grader.Report, error) {
	var raw json.RawMessage
	var report grader.Report
	if err := w.readJSON(AttemptFolder(number)+"/"+reportFile, &raw); err != nil || raw == nil {
		return report, fmt.Errorf("attempt %d has no report: %w", number, err)
	}
	return report, json.Unmarshal(raw, &report)
}

// lastAttempt is the greatest number in use, 0 when there is none.
func (w *Workspace) lastAttempt() (int, error) {
	names, err := w.folders(Attempts)
	last := 0
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil {
			last = max(last, n)
		}
	}
	return last, err
}
