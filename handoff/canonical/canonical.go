package canonical

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// MaxDepth is how deep lists and objects may nest.
const MaxDepth = 64

// MaxInteger is the largest whole number that every JSON reader keeps exact: 2^53-1.
const MaxInteger = 1<<53 - 1

// Marshal is the canonical form of what encoding/json makes of v. Text that is not UTF-8 is an error, as is every
// number that the form does not have; both are *Error. Its offset counts in encoding/json's output.
func Marshal(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode as JSON: %w", err)
	}
	return Format(data)
}

// Format rewrites one JSON document in its canonical form. What has no such form is refused with an *Error.
func Format(data []byte) ([]byte, error) {
	f := formatter{data: data, out: make([]byte, 0, len(data))}
	if err := f.document(); err != nil {
		return nil, err
	}
	return f.out, nil
}

// Check returns nil when data is one document in canonical form, byte for byte, and an *Error otherwise.
func Check(data []byte) error {
	want, err := Format(data)
	if err != nil {
		return err
	}
	return Compare(data, want)
}

// Text returns the text at the end of a path of keys, and reads the document no further than that: it says nothing about
// what follows. The first of equal keys counts. It is for the one value that is needed before a document can be trusted.
func Text(data []byte, path ...string) (string, error) {
	f := formatter{data: data}
	for _, key := range path {
		if err := f.enter(key); err != nil {
			return "", fmt.Errorf("the key %q is not found: %w", key, err)
		}
	}
	if c, err := f.peek(); err != nil {
		return "", err
	} else if c != '"' {
		return "", f.unexpected("text")
	}
	return f.text()
}

// Compare returns nil when data equals want, the canonical form of the same document, and otherwise an *Error that shows
// the first difference.
func Compare(data, want []byte) error {
	if bytes.Equal(data, want) {
		return nil
	}
	at := 0
	for at < len(data) && at < len(want) && data[at] == want[at] {
		at++
	}
	return &Error{NotCanonical, at, fmt.Sprintf("%s stands where the canonical form has %s", excerpt(data[at:]), excerpt(want[at:]))}
}

// excerpt quotes the beginning of data, safe for a terminal.
func excerpt(data []byte) string {
	const most = 16
	if len(data) == 0 {
		return "the end"
	}
	return strconv.QuoteToASCII(string(data[:min(most, len(data))]))
}
