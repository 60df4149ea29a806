package submit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode"

	"fieldbook/exercises/strict"
	"fieldbook/grader"
)

// CourseName is the file in which an instructor says what students do with their archives. It lies in the workspace, or in the
// student's configuration folder for all of theirs.
const CourseName = "course.yaml"

// Course is what an instructor set.
type Course struct {
	// SubmitTo says to the student where the archive goes: an address, a page, a folder. Empty: the instructor says so elsewhere.
	SubmitTo string `yaml:"submit_to"`
}

// maxSubmitTo is how much an instructor may say: a few lines, shown after the path of the archive.
const maxSubmitTo = 1000

// ReadCourse reads the first of the files at paths that is there; from is its path, "" when none is. A file that is not right
// is refused with positions: a student must not be sent to a wrong place by a misspelt key.
func ReadCourse(paths ...string) (c Course, from string, err error) {
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Course{}, path, &grader.Error{Code: "course_unreadable", Message: path + ": the file cannot be read", Hint: "Check what it is, and its permissions.", Exit: grader.ExitUsage, Cause: err}
		}
		c, err := decodeCourse(path, text)
		return c, path, err
	}
	return Course{}, "", nil
}

func decodeCourse(path string, text []byte) (Course, error) {
	var c Course
	doc, err := strict.Decode(path, text, &c)
	if err == nil {
		c.SubmitTo = strings.TrimSpace(c.SubmitTo)
		err = strict.Join(c.check(path, doc))
	}
	if err != nil {
		return Course{}, &grader.Error{Code: "course_invalid", Message: err.Error(), Hint: "Ask your instructor for a right one, or move it away.", Exit: grader.ExitUsage, Cause: err}
	}
	return c, nil
}

func (c Course) check(path string, doc *strict.Document) []grader.Diagnostic {
	line := doc.Line("submit_to")
	switch {
	case c.SubmitTo == "":
		return []grader.Diagnostic{strict.Complaint(path, line, "submit_to is missing: it says where the archive goes")}
	case len(c.SubmitTo) > maxSubmitTo:
		return []grader.Diagnostic{strict.Complaint(path, line, "submit_to has %d bytes, and %d are shown", len(c.SubmitTo), maxSubmitTo)}
	}
	for _, r := range c.SubmitTo {
		if !unicode.IsPrint(r) && r != '\n' {
			return []grader.Diagnostic{strict.Complaint(path, line, "%s", fmt.Sprintf("submit_to holds the character %U, which cannot be shown", r))}
		}
	}
	return nil
}
