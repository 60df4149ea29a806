package grader

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible writes a learner's bytes so that a terminal only shows them: control and escape characters, invisible and
// direction-changing ones and bytes that are not UTF-8 appear as Go escapes. Newlines and tabs stay.
func Visible(data []byte) string {
	var out strings.Builder
	out.Grow(len(data))
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, data[0])
		case shows(r):
			out.WriteRune(r)
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
		data = data[size:]
	}
	return out.String()
}

// Masked is a line of source in which question marks stand for the bytes of what Visible would escape, so that columns stay
// where they were.
func Masked(line string) string {
	var out strings.Builder
	out.Grow(len(line))
	for len(line) > 0 {
		r, size := utf8.DecodeRuneInString(line)
		if shows(r) && (r != utf8.RuneError || size > 1) {
			out.WriteString(line[:size])
		} else {
			out.WriteString(strings.Repeat("?", size))
		}
		line = line[size:]
	}
	return out.String()
}

func shows(r rune) bool { return r == '\n' || r == '\t' || unicode.IsPrint(r) }
