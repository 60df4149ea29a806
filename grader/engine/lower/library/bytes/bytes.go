// Package bytes is the standard package's iterators in the subset that package lower compiles.
package bytes

import (
	"bytes"
	"iter"
	"unicode"
)

// Lines is bytes.Lines.
func Lines(s []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(s) > 0 {
			var line []byte
			if i := bytes.IndexByte(s, '\n'); i >= 0 {
				line, s = s[:i+1], s[i+1:]
			} else {
				line, s = s, nil
			}
			if !yield(line[:len(line):len(line)]) {
				return
			}
		}
	}
}

// SplitSeq is bytes.SplitSeq.
func SplitSeq(s, sep []byte) iter.Seq[[]byte] { return each(bytes.Split(s, sep)) }

// SplitAfterSeq is bytes.SplitAfterSeq.
func SplitAfterSeq(s, sep []byte) iter.Seq[[]byte] { return each(bytes.SplitAfter(s, sep)) }

// FieldsSeq is bytes.FieldsSeq.
func FieldsSeq(s []byte) iter.Seq[[]byte] { return FieldsFuncSeq(s, unicode.IsSpace) }

// FieldsFuncSeq is bytes.FieldsFuncSeq.
func FieldsFuncSeq(s []byte, f func(rune) bool) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, field := range bytes.FieldsFunc(s, f) {
			if !yield(field) {
				return
			}
		}
	}
}

func each(parts [][]byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, part := range parts {
			if !yield(part) {
				return
			}
		}
	}
}
