package archive

import (
	"fmt"

	"fieldbook/handoff"
)

// The codes of refusals.
const (
	codeTooLarge  = "archive_too_large"
	codeMalformed = "archive_malformed"  // no archive, or a damaged one
	codeName      = "archive_entry"      // a name, a link or a repeated entry that could write somewhere else
	codeOtherKind = "archive_other_kind" // a workspace where a submission is wanted, or the other way round
	codeChanged   = "archive_changed"    // other bytes than Encode writes for the same files
	codeNewer     = "archive_newer"
	codeUnusable  = "archive_unusable" // Encode was given files that no archive can hold
)

const (
	hintAgain    = "Ask for it again. Nothing of it was written."
	hintOther    = "Name the file that Fieldbook wrote."
	hintRepacked = "Another program packed it. Hand in the file that Fieldbook wrote, as it is."
)

func refused(code, hint, format string, args ...any) error {
	return &handoff.Error{Kind: handoff.Invalid, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

func unusable(format string, args ...any) error {
	return &handoff.Error{Kind: handoff.Input, Code: codeUnusable, Message: fmt.Sprintf(format, args...), Hint: "Rename the file, or move it out of the workspace."}
}
