package handoff

import "fmt"

// Error is a refusal for people: a stable code, a message that says what is wrong and where, and a hint that says what to
// do about it. The cause, if any, is for the log.
type Error struct {
	Kind    Kind
	Code    string
	Message string
	Hint    string
	Cause   error
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s: %v", e.Message, e.Cause)
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Cause }

// Kind says whose matter an error is; a command's exit code follows from it.
type Kind string

// The kinds.
const (
	Invalid Kind = "invalid" // the bytes fail verification, or prove something else than was asked for
	Input   Kind = "input"   // the file or the key that was named cannot be used: missing, a folder, already there
	Machine Kind = "machine" // the disk, a permission or our own program failed
)

// Codes of kind Invalid, in the order in which Verify looks for them. FORMAT.md lists the rules behind them.
const (
	CodeTooLarge     = "handoff_too_large"     // more than MaxSize bytes
	CodeTruncated    = "handoff_truncated"     // the beginning of a document, or nothing
	CodeMalformed    = "handoff_malformed"     // no JSON, or JSON that is not an envelope
	CodeOtherType    = "handoff_other_type"    // an envelope or a statement of something else
	CodeNotCanonical = "handoff_not_canonical" // other bytes than the canonical encoding of the same content
	CodeSignatures   = "handoff_signatures"    // none, or more than one
	CodeKey          = "handoff_key"           // the payload names no usable public key
	CodeKeyID        = "handoff_keyid"         // the signature names another key than the payload
	CodeSignature    = "handoff_signature"     // the signature does not fit the payload
	CodeStatement    = "handoff_statement"     // signed, but not a statement as FORMAT.md has it
	CodeDigest       = "handoff_digest"        // the implementation has another digest than the statement says

	CodeOtherExercise = "handoff_other_exercise"
	CodeOtherUnit     = "handoff_other_unit"
	CodeOtherEdition  = "handoff_other_edition"
	CodeOtherRuntime  = "handoff_other_runtime"
	CodeOtherProbes   = "handoff_other_probes"
)

// Codes of the other kinds.
const (
	CodeRecord = "handoff_record" // Machine: Sign was given a record that no handoff can hold

	CodeFileMissing    = "file_missing"    // Input
	CodeFileUnreadable = "file_unreadable" // Input: a folder, a device, or not readable for this user
	CodeFileRefused    = "file_refused"    // Input: the place to write to is a link, a folder or a device
	CodeFileWrite      = "file_write"      // Machine: the disk is full, the folder is read-only, …
)

const (
	hintChanged  = "The file was changed after it was written. Fetch or export it again; an edited handoff cannot be repaired."
	hintOther    = "Choose the handoff file itself; its name ends in -handoff-v1.json."
	hintForeign  = "Another program wrote it, or a faulty one. Write the handoff again with Fieldbook."
	hintInternal = "This is a fault of Fieldbook, not of your code. Send this message to your instructor."
)

func invalid(code, hint, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}
