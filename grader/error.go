package grader

import (
	"errors"
	"fmt"
)

// Error is an error for people: a stable code, a message that says what is wrong and where, and a hint that says what
// to do. Exit is the command's exit code. Cause, if any, goes to the log and not to the reader.
type Error struct {
	Code    string
	Message string
	Hint    string
	Exit    int
	Cause   error
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s: %v", e.Message, e.Cause)
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Cause }

// AsError finds the Error in a chain. Any other error is our own fault: it becomes code "internal", exit ExitVoid, with
// the chain kept as its cause.
func AsError(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	return &Error{
		Code:    "internal",
		Message: "Fieldbook could not do this",
		Hint:    "This is not a fault of your code. Run the command again; if it stays, send the log to your instructor.",
		Exit:    ExitVoid,
		Cause:   err,
	}
}
