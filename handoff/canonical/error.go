package canonical

import "fmt"

// Problem is the way in which a document is not acceptable.
type Problem string

// The problems. Truncated means that the document ends too early and that more bytes could have completed it.
const (
	Truncated    Problem = "truncated"
	Malformed    Problem = "malformed"     // not JSON
	NotUTF8      Problem = "not_utf8"      // bytes or escapes that are not Unicode text
	Number       Problem = "number"        // a fraction, an exponent, or beyond ±(2^53-1)
	TooDeep      Problem = "too_deep"      // nested deeper than MaxDepth
	Duplicate    Problem = "duplicate_key" // one object, one key, twice
	Trailing     Problem = "trailing"      // bytes after the document
	NotCanonical Problem = "not_canonical" // JSON, but not in its canonical bytes
)

// Error says what is wrong with a document, and at which byte, counted from 0.
type Error struct {
	Problem Problem
	Offset  int
	Detail  string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Detail) }
