package main

import (
	"bytes"
	"context"

	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/handoff"
)

// fileError is what is wrong with a file as a file.
type fileError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
	exit    int
}

// fileErrorOf is an error that a file is to blame for; nil for one that ends the command.
func fileErrorOf(ctx context.Context, err error) *fileError {
	e := refusal(err)
	if e == nil {
		e = grader.AsError(err)
	}
	if ctx.Err() != nil || e.Code == "internal" || e.Exit == grader.ExitVoid {
		return nil
	}
	return &fileError{Code: e.Code, Message: e.Message, Hint: e.Hint, exit: e.Exit}
}

// verdict is what the error means for a grade: nothing at all, when the file was the wrong one.
func (e *fileError) verdict() grader.Verdict {
	if e.exit == grader.ExitInvalid {
		return grader.Invalid
	}
	return ""
}

// install puts a handoff's implementation, or a source, in place. Which of the two a file is, its first byte says.
func install(ctx context.Context, t *task.Task, path string, result *fileResult) (grader.Report, error) {
	data, err := handoff.ReadFile(path)
	if err == nil && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		h, report, err := t.Load(ctx, path)
		if err == nil {
			result.Handoff, result.Key = h.Digest, h.KeyID
		}
		return report, err
	}
	source, err := task.ReadSource(path, t.Exercise().Replaces[0])
	if err != nil {
		return grader.Report{}, err
	}
	return t.Install(ctx, source)
}
