package submission

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"fieldbook/handoff"
	"fieldbook/handoff/archive"
	"fieldbook/handoff/canonical"
)

// The parts of an archive. Everything beside them and the two kinds of files below is refused.
const (
	Sources     = "source"        // the student's files, by their paths in the runtime; those of a handoff are its own bytes
	First       = "first-attempt" // the files of the first attempt at each exercise
	Predictions = "predictions"
	Runs        = "runs"     // the runs that notes cite, by evidence id
	Evidence    = "evidence" // what scenarios left, a folder each, and the table
	Own         = "own"      // what else the student wrote for a run: a probe, an expectation, cases, notes

	handoffEnding    = "-handoff-v1.json"
	submissionEnding = "-submission-v1.json"
	archiveEnding    = "-submission-v1.zip"
)

// MaxBytes is how large the archive of a submission may be: a dozen small files have a few hundred kilobytes.
const MaxBytes = 32 << 20

// DocumentName is the name of a unit's submission file.
func DocumentName(unit string) string { return unit + submissionEnding }

// ArchiveName is the name of the archive of a unit.
func ArchiveName(unit string) string { return unit + archiveEnding }

// Submission is an archive that was read and agrees with itself.
type Submission struct {
	Unit     string
	Document []byte // the submission file, canonical JSON
	Handoffs []Handoff
	Files    []archive.File
}

// Handoff is a handoff in a submission.
type Handoff struct {
	Name string
	Data []byte
	*handoff.Handoff
}

// Read reads and checks an archive: its own form, then each handoff's bytes, signature and digests, and that everything is of
// one unit. Every error is a *handoff.Error.
func Read(data []byte) (*Submission, error) {
	if len(data) > MaxBytes {
		return nil, refused(codeUnexpected, "the archive has more than %d bytes", MaxBytes)
	}
	files, err := archive.Decode(archive.Submission, data)
	if err != nil {
		return nil, err
	}
	s := &Submission{Files: files}
	for _, f := range files {
		if err := s.take(f); err != nil {
			return nil, err
		}
	}
	if s.Document == nil {
		return nil, refused(codeIncomplete, "the archive holds no submission file")
	}
	if len(s.Handoffs) == 0 {
		return nil, refused(codeIncomplete, "the archive holds no handoff")
	}
	for _, h := range s.Handoffs {
		if err := s.agree(h); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// take puts one file of the archive where it belongs.
func (s *Submission) take(f archive.File) error {
	folder, _, below := strings.Cut(f.Name, "/")
	switch {
	case below && slices.Contains([]string{Sources, First, Predictions, Runs, Evidence, Own}, folder):
		return nil
	case !below && strings.HasSuffix(f.Name, handoffEnding):
		h, err := handoff.Verify(f.Data, handoff.Expect{})
		if err != nil {
			return located(f.Name, err)
		}
		s.Handoffs = append(s.Handoffs, Handoff{Name: f.Name, Data: f.Data, Handoff: h})
		return nil
	case !below && strings.HasSuffix(f.Name, submissionEnding) && s.Document == nil:
		unit, err := unitOf(f)
		s.Unit, s.Document = unit, f.Data
		return err
	}
	return refused(codeUnexpected, "the archive holds %q, which is no part of a submission", f.Name)
}

// unitOf is the unit that a submission file is about, as its name and its text say.
func unitOf(f archive.File) (string, error) {
	var about struct {
		Unit string `json:"unit"`
	}
	if canonical.Check(f.Data) != nil || json.Unmarshal(f.Data, &about) != nil {
		return "", refused(codeDocument, "%s is not as Fieldbook writes it", f.Name)
	}
	if DocumentName(about.Unit) != f.Name {
		return "", refused(codeDocument, "%s says that it is about the unit %q", f.Name, about.Unit)
	}
	return about.Unit, nil
}

// agree compares a handoff with what lies beside it.
func (s *Submission) agree(h Handoff) error {
	if h.Unit != s.Unit {
		return refused(codeOtherUnit, "%s is of unit %s, and the submission is of unit %s", h.Name, h.Unit, s.Unit)
	}
	for _, f := range h.Implementation {
		beside, there := s.File(path.Join(Sources, f.Path))
		if !there || string(beside) != f.Text {
			return refused(codeOtherSource, "%s is not the file that %s holds", path.Join(Sources, f.Path), h.Name)
		}
	}
	return nil
}

// File is the file of that name in the archive.
func (s *Submission) File(name string) (data []byte, there bool) {
	for _, f := range s.Files {
		if f.Name == name {
			return f.Data, true
		}
	}
	return nil, false
}

// The codes of refusals.
const (
	codeIncomplete  = "submission_incomplete"
	codeUnexpected  = "submission_unexpected"
	codeDocument    = "submission_document"
	codeOtherUnit   = "submission_other_unit"
	codeOtherSource = "submission_other_source"
)

func refused(code, format string, args ...any) error {
	return &handoff.Error{Kind: handoff.Invalid, Code: code, Message: fmt.Sprintf(format, args...),
		Hint: "Hand in the archive that `fieldbook submit` wrote, as it is."}
}

// located puts the name of an entry before a refusal of it.
func located(name string, err error) error {
	if refused, ok := err.(*handoff.Error); ok { //nolint:errorlint // Verify returns its own error, unwrapped
		named := *refused
		named.Message = name + ": " + refused.Message
		return &named
	}
	return fmt.Errorf("%s: %w", name, err)
}
