package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/grader"
	"fieldbook/handoff"
)

// usage is a refusal of how a command was called.
func usage(code, format, hint string, args ...any) error {
	return &grader.Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint, Exit: grader.ExitUsage}
}

// failed carries what a command had done before it failed, for --json.
type failed struct {
	err  error
	done any
}

func (f *failed) Error() string { return f.err.Error() }
func (f *failed) Unwrap() error { return f.err }

// errorObject is what --json prints for an error.
type errorObject struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Hint    string `json:"hint"`
	} `json:"error"`
	Done any `json:"done,omitempty"` // what was done before the error
}

// unwrapped is the width of a message that goes to a file or a pipe: one line, so that it can be searched.
const unwrapped = 1 << 16

// fail tells the reader about an error and returns the exit code.
func (p *program) fail(ctx context.Context, err error) int {
	e := p.explain(ctx, err)
	if p.flags.json {
		var object errorObject
		object.Error.Code, object.Error.Message, object.Error.Hint = e.Code, e.Message, e.Hint
		var part *failed
		if errors.As(err, &part) {
			object.Done = part.done
		}
		_ = writeJSON(p.out, object)
		return e.Exit
	}
	theme, width := p.theme(), p.width
	if width == 0 {
		width = unwrapped
	}
	for _, line := range draw.HangFlow("fieldbook: ", theme.Differ.On(theme.Message(e.Message)), width) {
		fmt.Fprintln(p.err, line)
	}
	for _, line := range draw.HangFlow("           ", theme.Message(e.Hint), width) {
		fmt.Fprintln(p.err, line)
	}
	return e.Exit
}

// explain finds the words for an error. One that nobody expected is ours: its chain goes into the log.
func (p *program) explain(ctx context.Context, err error) *grader.Error {
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return &grader.Error{Code: "interrupted", Message: "interrupted", Hint: "What was shown as saved is saved.", Exit: grader.ExitInterrupted}
	}
	var known *grader.Error
	if errors.As(err, &known) {
		return known
	}
	var refused *handoff.Error
	if errors.As(err, &refused) {
		exits := map[handoff.Kind]int{handoff.Invalid: grader.ExitInvalid, handoff.Input: grader.ExitUsage, handoff.Machine: grader.ExitVoid}
		return &grader.Error{Code: refused.Code, Message: refused.Message, Hint: refused.Hint, Exit: exits[refused.Kind], Cause: refused.Cause}
	}
	if !p.begun {
		return &grader.Error{Code: "usage", Message: err.Error(), Hint: "See `fieldbook --help`, or `fieldbook COMMAND --help`.", Exit: grader.ExitUsage}
	}
	e := *grader.AsError(err)
	if path, logged := p.log(err); logged {
		e.Hint = "This is not a fault of your code. Run the command again; if it stays, send this file to your instructor: " + path
	}
	return &e
}

// explainer is explain for the app and the line mode.
func (p *program) explainer(ctx context.Context) func(error) *grader.Error {
	return func(err error) *grader.Error { return p.explain(ctx, err) }
}

// log appends an error nobody expected to the program's log.
func (p *program) log(err error) (path string, ok bool) {
	path = filepath.Join(p.state, "fieldbook.log")
	if os.MkdirAll(p.state, 0o700) != nil {
		return path, false
	}
	f, openErr := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if openErr != nil {
		return path, false
	}
	defer f.Close()
	attributes := []any{"error", err.Error()}
	var fault *crash
	if errors.As(err, &fault) {
		attributes = append(attributes, "stack", string(fault.stack))
	}
	slog.New(slog.NewJSONHandler(f, nil)).Error("failure", attributes...)
	return path, true
}

// crash is a panic of this program: our fault, never shown as a stack trace.
type crash struct {
	value any
	stack []byte
}

func crashed(value any) error { return &crash{value, debug.Stack()} }

func (c *crash) Error() string { return fmt.Sprintf("panic: %v", c.value) }
