package toolchain

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/engine"
)

// CompileError says that the compiler refuses a program that our checker accepts. One of the two is wrong, and it is not
// the student.
type CompileError struct {
	Diagnostics []grader.Diagnostic
}

func (e *CompileError) Error() string {
	return "the Go compiler refuses what Fieldbook's checker accepts: " + e.Diagnostics[0].String()
}

// compileError reads the compiler's messages about files of the copy; nil when there are none, and something else failed.
func compileError(output []byte, c *engine.Copy) *CompileError {
	var found []grader.Diagnostic
	for line := range bytes.Lines(output) {
		text := filepath.ToSlash(strings.TrimSpace(string(line)))
		for _, f := range c.Files {
			if d, ok := diagnostic(text, f); ok {
				found = append(found, d)
				break
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return &CompileError{found}
}

// diagnostic reads FOLDER/path:line:column: message, where FOLDER is the build's.
func diagnostic(text string, f engine.CopyFile) (grader.Diagnostic, bool) {
	_, rest, ok := strings.Cut(text, "/"+f.Path+":")
	if !ok {
		return grader.Diagnostic{}, false
	}
	place := strings.SplitN(rest, ":", 3)
	if len(place) < 3 {
		return grader.Diagnostic{}, false
	}
	line, err := strconv.Atoi(place[0])
	if err != nil {
		return grader.Diagnostic{}, false
	}
	column, err := strconv.Atoi(place[1])
	if err != nil {
		return grader.Diagnostic{}, false
	}
	d := grader.Diagnostic{Code: engine.CodeDisagree, File: f.Path, Line: line, Column: column, Message: grader.Visible([]byte(strings.TrimSpace(place[2])))}
	if lines := bytes.Split(f.Text, []byte("\n")); line >= 1 && line <= len(lines) {
		d.Excerpt = grader.Masked(string(lines[line-1]))
	}
	d.Hint = "Fieldbook's own checker accepts this. One of the two is wrong, and nothing is scored."
	return d, true
}
