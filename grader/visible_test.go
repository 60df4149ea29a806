package grader_test

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"fieldbook/grader"
)

func TestVisible(t *testing.T) {
	for _, test := range []struct{ name, raw, want string }{
		{"plain", "plain text\n\tindented\n", "plain text\n\tindented\n"},
		{"letters and signs", "größe 世界 ✓ e\u0301", "größe 世界 ✓ e\u0301"},
		{"escape sequence", "\x1b[2J\x1b]0;title\a", `\x1b[2J\x1b]0;title\a`},
		{"carriage return and backspace", "PASS\rFAIL\b", `PASS\rFAIL\b`},
		{"NUL and DEL", "\x00\x7f", `\x00\x7f`},
		{"C1 control", "\u009b31m", `\u009b31m`},
		{"not UTF-8", "a\xff\xc3(", `a\xff\xc3(`},
		{"half a character", "\xe4\xb8", `\xe4\xb8`},
		{"surrogate", "\xed\xa0\x80", `\xed\xa0\x80`},
		{"direction", "\u202egrab\u202c", `\u202egrab\u202c`},
		{"no width", "a\u200bb\ufeff", `a\u200bb\ufeff`},
		{"wide escape", "\U000e0041", `\U000e0041`},
		{"replacement character itself", "\ufffd", "\ufffd"},
		{"other spaces", "a\u00a0b\u2028c", `a\u00a0b\u2028c`},
	} {
		if got := grader.Visible([]byte(test.raw)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestVisibleIsSafe holds that nothing but printable characters, newlines and tabs is ever shown.
func TestVisibleIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := grader.Visible(rapid.SliceOf(rapid.Byte()).Draw(t, "raw"))
		if !utf8.ValidString(text) {
			t.Fatalf("%q is not UTF-8", text)
		}
		for _, r := range text {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Fatalf("%q shows %U", text, r)
			}
		}
	})
}

// TestMaskedKeepsColumns holds that a masked line is as safe, and that every byte that is shown stays in its column.
func TestMaskedKeepsColumns(t *testing.T) {
	for raw, want := range map[string]string{
		"\tx := 1 // größe": "\tx := 1 // größe", "a\x1b[31mb": "a?[31mb", "a\u202eb": "a???b", "\xff": "?", "\ufffd": "\ufffd",
	} {
		if got := grader.Masked(raw); got != want {
			t.Errorf("%q: got %q, want %q", raw, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		raw := string(rapid.SliceOf(rapid.Byte()).Draw(t, "raw"))
		masked := grader.Masked(raw)
		if len(masked) != len(raw) || grader.Visible([]byte(masked)) != masked {
			t.Fatalf("%q became %q", raw, masked)
		}
	})
}
