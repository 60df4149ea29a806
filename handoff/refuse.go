package handoff

import (
	"errors"

	"fieldbook/handoff/canonical"
)

// refuse turns what package canonical says about a file into a refusal for people.
func refuse(err error) *Error {
	var problem *canonical.Error
	if !errors.As(err, &problem) {
		return invalid(CodeMalformed, hintOther, "the file is not a handoff: %v", err)
	}
	switch problem.Problem {
	case canonical.Truncated:
		if problem.Offset == 0 {
			return invalid(CodeTruncated, "Fetch or export it again.", "the file is empty")
		}
		return invalid(CodeTruncated, "Fetch or export it again.", "the handoff is cut off after %d bytes", problem.Offset)
	case canonical.NotCanonical, canonical.Trailing, canonical.Duplicate:
		return invalid(CodeNotCanonical, hintChanged, "the handoff's bytes are not those that Fieldbook writes: %v", err)
	default:
		return invalid(CodeMalformed, hintOther, "the file is not a handoff: %v", err)
	}
}
