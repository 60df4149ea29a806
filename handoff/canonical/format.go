package canonical

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// formatter reads a document and writes its canonical form in one pass, without a tree in between: a hostile document
// costs memory in proportion to its size and no more.
type formatter struct {
	data  []byte
	pos   int
	depth int
	out   []byte
}

// member is one key of an object that is being written, and where its bytes stand in the output.
type member struct {
	key        string
	start, end int // out[start:end] is "key":value
}

func (f *formatter) document() error {
	if bytes.HasPrefix(f.data, []byte("\ufeff")) {
		return &Error{NotCanonical, 0, "the document begins with a byte order mark"}
	}
	f.space()
	if err := f.value(); err != nil {
		return err
	}
	f.space()
	if f.pos < len(f.data) {
		return f.fail(Trailing, f.pos, fmt.Sprintf("%s follows the end of the document", excerpt(f.data[f.pos:])))
	}
	return nil
}

func (f *formatter) value() error {
	c, err := f.peek()
	if err != nil {
		return err
	}
	switch {
	case c == '{':
		return f.nested(f.object)
	case c == '[':
		return f.nested(f.list)
	case c == '"':
		text, err := f.text()
		if err != nil {
			return err
		}
		f.out = AppendText(f.out, text)
		return nil
	case c == '-' || '0' <= c && c <= '9':
		return f.number()
	case c == 't':
		return f.word("true")
	case c == 'f':
		return f.word("false")
	case c == 'n':
		return f.word("null")
	default:
		return f.unexpected("a value")
	}
}

func (f *formatter) nested(read func() error) error {
	f.depth++
	defer func() { f.depth-- }()
	if f.depth > MaxDepth {
		return f.fail(TooDeep, f.pos, fmt.Sprintf("lists and objects are nested deeper than %d", MaxDepth))
	}
	return read()
}

func (f *formatter) list() error {
	f.take('[')
	f.space()
	if f.accept(']') {
		f.out = append(f.out, "[]"...)
		return nil
	}
	f.out = append(f.out, '[')
	for {
		f.space()
		if err := f.value(); err != nil {
			return err
		}
		f.space()
		switch {
		case f.accept(','):
			f.out = append(f.out, ',')
		case f.accept(']'):
			f.out = append(f.out, ']')
			return nil
		default:
			return f.unexpected("a comma or the end of a list")
		}
	}
}

func (f *formatter) object() error {
	f.take('{')
	f.out = append(f.out, '{')
	start := len(f.out)
	f.space()
	if f.accept('}') {
		f.out = append(f.out, '}')
		return nil
	}
	var members []member
	for {
		f.space()
		m, err := f.member()
		if err != nil {
			return err
		}
		members = append(members, m)
		f.space()
		if f.accept(',') {
			f.out = append(f.out, ',')
			continue
		}
		if f.accept('}') {
			break
		}
		return f.unexpected("a comma or the end of an object")
	}
	if err := f.order(start, members); err != nil {
		return err
	}
	f.out = append(f.out, '}')
	return nil
}

// enter steps into an object, past the members before the given key, and stops at that key's value.
func (f *formatter) enter(key string) error {
	f.space()
	if !f.accept('{') {
		return f.unexpected("an object")
	}
	for {
		f.space()
		found, err := f.key()
		if err != nil {
			return err
		}
		if found == key {
			return nil
		}
		if err := f.value(); err != nil {
			return err
		}
		f.out = f.out[:0]
		f.space()
		if !f.accept(',') {
			return f.unexpected("another key")
		}
	}
}

// key reads a key and steps over the colon after it.
func (f *formatter) key() (string, error) {
	if c, err := f.peek(); err != nil {
		return "", err
	} else if c != '"' {
		return "", f.unexpected("a key")
	}
	key, err := f.text()
	if err != nil {
		return "", err
	}
	f.space()
	if !f.accept(':') {
		return "", f.unexpected("a colon")
	}
	f.space()
	return key, nil
}

// member reads and writes "key":value, without the comma before or after it.
func (f *formatter) member() (member, error) {
	key, err := f.key()
	if err != nil {
		return member{}, err
	}
	m := member{key: key, start: len(f.out)}
	f.out = append(AppendText(f.out, key), ':')
	err = f.value()
	m.end = len(f.out)
	return m, err
}

// order puts the members that were written from start on into ascending order. Those of a canonical document stand in it
// already and are not copied.
func (f *formatter) order(start int, members []member) error {
	byKey := func(a, b member) int { return compareKeys(a.key, b.key) }
	moved := !slices.IsSortedFunc(members, byKey)
	if moved {
		slices.SortFunc(members, byKey)
	}
	for i := 1; i < len(members); i++ {
		if members[i-1].key == members[i].key {
			return f.fail(Duplicate, f.pos-1, fmt.Sprintf("the object that ends here has the key %s twice", excerpt([]byte(members[i].key))))
		}
	}
	if !moved {
		return nil
	}
	ordered := make([]byte, 0, len(f.out)-start)
	for i, m := range members {
		if i > 0 {
			ordered = append(ordered, ',')
		}
		ordered = append(ordered, f.out[m.start:m.end]...)
	}
	f.out = append(f.out[:start], ordered...)
	return nil
}

// compareKeys orders by UTF-16 code units, as RFC 8785 asks: characters beyond U+FFFF, which take two units from U+D800
// on, stand before those from U+E000 to U+FFFF.
func compareKeys(a, b string) int {
	for a != "" && b != "" {
		ra, na := utf8.DecodeRuneInString(a)
		rb, nb := utf8.DecodeRuneInString(b)
		if ra != rb {
			if ua, ub := firstUnit(ra), firstUnit(rb); ua != ub {
				return int(ua) - int(ub)
			}
			return int(ra) - int(rb)
		}
		a, b = a[na:], b[nb:]
	}
	return len(a) - len(b)
}

func firstUnit(r rune) rune {
	if high, _ := utf16.EncodeRune(r); high != utf8.RuneError {
		return high
	}
	return r
}

func (f *formatter) number() error {
	start := f.pos
	f.accept('-')
	digits := f.pos
	for f.pos < len(f.data) && '0' <= f.data[f.pos] && f.data[f.pos] <= '9' {
		f.pos++
	}
	if f.pos == len(f.data) && (digits == f.pos || f.depth > 0) {
		return f.truncated()
	}
	if digits == f.pos {
		return f.unexpected("a digit")
	}
	if f.pos < len(f.data) && bytes.IndexByte([]byte(".eE"), f.data[f.pos]) >= 0 {
		return f.fail(Number, start, "a number has a fraction or an exponent; such numbers travel as text")
	}
	text := string(f.data[start:f.pos])
	if f.data[digits] == '0' && f.pos > digits+1 {
		return f.fail(Malformed, start, fmt.Sprintf("the number %s has a leading zero", excerpt([]byte(text))))
	}
	if text == "-0" {
		return f.fail(Number, start, "a number is a negative zero, which not every reader keeps")
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n > MaxInteger || n < -MaxInteger {
		return f.fail(Number, start, "a number is beyond 2^53-1, which not every reader keeps exact; such numbers travel as text")
	}
	f.out = append(f.out, text...)
	return nil
}

func (f *formatter) word(want string) error {
	rest := f.data[f.pos:]
	if len(rest) < len(want) && bytes.HasPrefix([]byte(want), rest) {
		return f.truncated()
	}
	if !bytes.HasPrefix(rest, []byte(want)) {
		return f.unexpected("a value")
	}
	f.pos += len(want)
	f.out = append(f.out, want...)
	return nil
}

// space skips JSON's white space.
func (f *formatter) space() {
	for f.pos < len(f.data) {
		switch f.data[f.pos] {
		case ' ', '\t', '\n', '\r':
			f.pos++
		default:
			return
		}
	}
}

func (f *formatter) peek() (byte, error) {
	if f.pos == len(f.data) {
		return 0, f.truncated()
	}
	return f.data[f.pos], nil
}

// accept steps over c if it comes next.
func (f *formatter) accept(c byte) bool {
	if f.pos < len(f.data) && f.data[f.pos] == c {
		f.pos++
		return true
	}
	return false
}

// take steps over c, which the caller has seen.
func (f *formatter) take(c byte) {
	if !f.accept(c) {
		panic("canonical: take without peek")
	}
}

func (f *formatter) fail(p Problem, at int, detail string) error {
	return &Error{Problem: p, Offset: at, Detail: detail}
}

func (f *formatter) truncated() error {
	return f.fail(Truncated, len(f.data), "the document ends before it is complete")
}

func (f *formatter) unexpected(want string) error {
	if f.pos == len(f.data) {
		return f.truncated()
	}
	return f.fail(Malformed, f.pos, fmt.Sprintf("%s stands where %s belongs", excerpt(f.data[f.pos:]), want))
}
