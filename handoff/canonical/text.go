package canonical

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string literal; the opening quote comes next.
func (f *formatter) text() (string, error) {
	f.take('"')
	// Most text is one run of plain ASCII up to the closing quote; nearly all of a handoff is one long base64 string.
	run := f.run()
	if f.accept('"') {
		return string(run), nil
	}
	more := max(bytes.IndexByte(f.data[f.pos:], '"'), 0) // a guess: the text may go on after an escaped quote
	return f.textFrom(append(make([]byte, 0, len(run)+more), run...))
}

// textFrom reads the rest of a string literal that begins with text.
func (f *formatter) textFrom(text []byte) (string, error) {
	for {
		text = append(text, f.run()...)
		c, err := f.peek()
		if err != nil {
			return "", err
		}
		switch {
		case c == '"':
			f.pos++
			return string(text), nil
		case c == '\\':
			r, err := f.escape()
			if err != nil {
				return "", err
			}
			text = utf8.AppendRune(text, r)
		case c < ' ':
			return "", f.fail(Malformed, f.pos, "a control character stands unescaped inside text")
		default:
			r, size := utf8.DecodeRune(f.data[f.pos:])
			if r == utf8.RuneError && size == 1 {
				if !utf8.FullRune(f.data[f.pos:]) {
					return "", f.truncated()
				}
				return "", f.fail(NotUTF8, f.pos, "text holds bytes that are not UTF-8")
			}
			text = utf8.AppendRune(text, r)
			f.pos += size
		}
	}
}

// run steps over the characters that stand for themselves inside text, ASCII ones alone, and returns them.
func (f *formatter) run() []byte {
	start := f.pos
	for f.pos < len(f.data) && plain(f.data[f.pos]) {
		f.pos++
	}
	return f.data[start:f.pos]
}

// plain says that c stands for itself inside text.
func plain(c byte) bool { return c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' }

// escape reads one escape sequence, or the two that make a surrogate pair; the backslash comes next.
func (f *formatter) escape() (rune, error) {
	start := f.pos
	f.take('\\')
	c, err := f.peek()
	if err != nil {
		return 0, err
	}
	f.pos++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		return f.unicodeEscape(start)
	default:
		return 0, f.fail(Malformed, start, "text holds an unknown escape sequence")
	}
}

func (f *formatter) unicodeEscape(start int) (rune, error) {
	unit, err := f.hex4()
	if err != nil {
		return 0, err
	}
	if unit == utf8.RuneError {
		// encoding/json writes this escape, and never the character itself, in place of bytes that are not UTF-8.
		return 0, f.fail(NotUTF8, start, `text holds \ufffd, which stands for bytes that were not UTF-8`)
	}
	if !utf16.IsSurrogate(unit) {
		return unit, nil
	}
	if f.pos == len(f.data) {
		return 0, f.truncated()
	}
	if f.accept('\\') {
		if f.pos == len(f.data) {
			return 0, f.truncated()
		}
		if f.accept('u') {
			low, err := f.hex4()
			if err != nil {
				return 0, err
			}
			if r := utf16.DecodeRune(unit, low); r != utf8.RuneError {
				return r, nil
			}
		}
	}
	return 0, f.fail(NotUTF8, start, "text holds half of a surrogate pair")
}

func (f *formatter) hex4() (rune, error) {
	const digits = 4
	rest := f.data[f.pos:]
	n := min(digits, len(rest))
	unit, err := strconv.ParseUint(string(rest[:n]), 16, 16)
	if n < digits && (err == nil || n == 0) {
		return 0, f.truncated()
	}
	if err != nil {
		return 0, f.fail(Malformed, f.pos, `\u is not followed by four hexadecimal digits`)
	}
	f.pos += digits
	return rune(unit), nil
}

// AppendText appends text to out as a string literal in canonical form. The text must be UTF-8.
func AppendText(out []byte, text string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	from := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		out = append(out, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\b':
			out = append(out, `\b`...)
		case '\t':
			out = append(out, `\t`...)
		case '\n':
			out = append(out, `\n`...)
		case '\f':
			out = append(out, `\f`...)
		case '\r':
			out = append(out, `\r`...)
		default:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	out = append(out, text[from:]...)
	return append(out, '"')
}
