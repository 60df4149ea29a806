package world

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

// MaxDepth is how deep lists and maps of a value that travels may be nested. Values come back from code that nobody
// trusts, so the reader has to have a limit; the writer has the same one.
const MaxDepth = 100

// wireValue is the form that travels. Numbers are text, so that no reader can round them or change their kind. Text that
// is not UTF-8, which JSON cannot carry, travels in hexadecimal.
type wireValue struct {
	Kind Kind         `json:"kind"`
	Hex  bool         `json:"hex,omitempty"`  // Text and Keys are hexadecimal: one of them is not UTF-8
	Text *string      `json:"text,omitempty"` // Bool, Int, Float, String
	List []*wireValue `json:"list,omitempty"` // List, Map
	Keys []string     `json:"keys,omitempty"` // Map: strictly ascending as bytes, parallel to List
}

// MarshalJSON writes {"kind":…,"text":…}; the bits of a float in hexadecimal, exactly. A value nested deeper than
// MaxDepth is an error.
func (v Value) MarshalJSON() ([]byte, error) {
	w, err := v.wire(0)
	if err != nil {
		return nil, err
	}
	return json.Marshal(w)
}

func (v Value) wire(depth int) (wireValue, error) {
	if depth > MaxDepth {
		return wireValue{}, fmt.Errorf("a value is nested more than %d deep", MaxDepth)
	}
	w := wireValue{Kind: v.kind, Keys: v.keys}
	var text string
	switch v.kind {
	case Bool:
		text = strconv.FormatBool(v.bits == 1)
	case Int:
		text = strconv.FormatInt(int64(v.bits), 10)
	case Float:
		text = strconv.FormatUint(v.bits, 16)
	case String:
		text = v.text
	}
	if v.scalar() {
		w.Text = &text
	}
	if !allUTF8(text, v.keys) {
		w.Hex = true
		text = hex.EncodeToString([]byte(text))
		w.Keys = make([]string, len(v.keys))
		for i, key := range v.keys {
			w.Keys[i] = hex.EncodeToString([]byte(key))
		}
	}
	for _, element := range v.list {
		e, err := element.wire(depth + 1)
		if err != nil {
			return wireValue{}, err
		}
		w.List = append(w.List, &e)
	}
	return w, nil
}

// UnmarshalJSON reads what MarshalJSON writes and refuses another spelling of a value: a number with a plus sign, an
// unsorted or repeated key, an undeclared field.
func (v *Value) UnmarshalJSON(data []byte) error {
	var w *wireValue
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&w); err != nil {
		return fmt.Errorf("read a value: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("read a value: something follows it")
	}
	value, err := w.value(0)
	if err != nil {
		return fmt.Errorf("read a value: %w", err)
	}
	*v = value
	return nil
}

func (w *wireValue) value(depth int) (Value, error) {
	if depth > MaxDepth {
		return Value{}, fmt.Errorf("it is nested more than %d deep", MaxDepth)
	}
	if w == nil {
		return Value{}, errors.New(`it is null; the null value is written {"kind":"null"}`)
	}
	v := Value{kind: w.Kind}
	if v.scalar() != (w.Text != nil) ||
		(w.Kind != List && w.Kind != Map && w.List != nil) ||
		(w.Kind != Map && w.Keys != nil) ||
		(w.Kind == Map && len(w.Keys) != len(w.List)) {
		return Value{}, fmt.Errorf("kind %q has the wrong parts", w.Kind)
	}
	text, err := w.decoded()
	if err != nil {
		return Value{}, err
	}
	v.keys = w.Keys
	switch w.Kind {
	case Absent, Null, List, Map:
	case Bool:
		b, err := strconv.ParseBool(text)
		if err != nil || strconv.FormatBool(b) != text {
			return Value{}, fmt.Errorf("%q is not a truth value", text)
		}
		v = BoolValue(b)
	case Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != text {
			return Value{}, fmt.Errorf("%q is not a whole number of 64 bits", text)
		}
		v = IntValue(n)
	case Float:
		n, err := strconv.ParseUint(text, 16, 64)
		if err != nil || strconv.FormatUint(n, 16) != text {
			return Value{}, fmt.Errorf("%q is not the bits of a float", text)
		}
		v = FloatValue(math.Float64frombits(n))
	case String:
		v = StringValue(text)
	default:
		return Value{}, fmt.Errorf("unknown kind %q", w.Kind)
	}
	for i := 1; i < len(v.keys); i++ {
		if v.keys[i-1] >= v.keys[i] {
			return Value{}, errors.New("the keys of a map are not strictly ascending")
		}
	}
	for _, e := range w.List {
		element, err := e.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		v.list = append(v.list, element)
	}
	return v, nil
}

// decoded undoes the hexadecimal form of text and keys, in place for the keys.
func (w *wireValue) decoded() (text string, err error) {
	if w.Text != nil {
		text = *w.Text
	}
	if !w.Hex {
		return text, nil
	}
	raw, err := hex.DecodeString(text)
	if err != nil || hex.EncodeToString(raw) != text {
		return "", errors.New("its text is not lower-case hexadecimal")
	}
	for i, key := range w.Keys {
		raw, err := hex.DecodeString(key)
		if err != nil || hex.EncodeToString(raw) != key {
			return "", errors.New("a key is not lower-case hexadecimal")
		}
		w.Keys[i] = string(raw)
	}
	if allUTF8(string(raw), w.Keys) {
		return "", errors.New("it is in hexadecimal without need")
	}
	return string(raw), nil
}

// scalar reports whether a value of this kind travels as text.
func (v Value) scalar() bool {
	return v.kind == Bool || v.kind == Int || v.kind == Float || v.kind == String
}

func allUTF8(text string, keys []string) bool {
	for _, key := range keys {
		if !utf8.ValidString(key) {
			return false
		}
	}
	return utf8.ValidString(text)
}
