// Package strings is the standard package's iterators in the subset that package lower compiles.
package strings

import (
	"iter"
	"strings"
	"unicode"
)

// Lines is strings.Lines.
func Lines(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(s) > 0 {
			var line string
			if i := strings.IndexByte(s, '\n'); i >= 0 {
				line, s = s[:i+1], s[i+1:]
			} else {
				line, s = s, ""
			}
			if !yield(line) {
				return
			}
		}
	}
}

// SplitSeq is strings.SplitSeq.
func SplitSeq(s, sep string) iter.Seq[string] { return each(strings.Split(s, sep)) }

// SplitAfterSeq is strings.SplitAfterSeq.
func SplitAfterSeq(s, sep string) iter.Seq[string] { return each(strings.SplitAfter(s, sep)) }

// FieldsSeq is strings.FieldsSeq.
func FieldsSeq(s string) iter.Seq[string] { return FieldsFuncSeq(s, unicode.IsSpace) }

// FieldsFuncSeq is strings.FieldsFuncSeq.
func FieldsFuncSeq(s string, f func(rune) bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, field := range strings.FieldsFunc(s, f) {
			if !yield(field) {
				return
			}
		}
	}
}

func each(parts []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, part := range parts {
			if !yield(part) {
				return
			}
		}
	}
}
