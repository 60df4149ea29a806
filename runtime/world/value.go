package world

import (
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says which kind of value a Value carries. Kinds never convert into each other: true is not 1, 1 is not 1.0.
type Kind string

// The kinds. Absent is the zero Value: a field that was never set, which is not the same as null.
const (
	Absent Kind = ""
	Null   Kind = "null"
	Bool   Kind = "bool"
	Int    Kind = "int"
	Float  Kind = "float"
	String Kind = "string"
	List   Kind = "list"
	Map    Kind = "map"
)

// Value is one observed or expected value together with its kind. The zero Value is Absent. It is immutable once made.
type Value struct {
	kind Kind
	text string // String
	bits uint64 // Bool (0, 1), Int (two's complement), Float (IEEE 754)
	list []Value
	keys []string // Map: sorted, parallel to list
}

// NullValue is the null value.
func NullValue() Value { return Value{kind: Null} }

// BoolValue carries a truth value.
func BoolValue(v bool) Value {
	if v {
		return Value{kind: Bool, bits: 1}
	}
	return Value{kind: Bool}
}

// IntValue carries a whole number.
func IntValue(v int64) Value { return Value{kind: Int, bits: uint64(v)} }

// FloatValue carries a floating-point number, its bits unchanged.
func FloatValue(v float64) Value { return Value{kind: Float, bits: math.Float64bits(v)} }

// StringValue carries text.
func StringValue(v string) Value { return Value{kind: String, text: v} }

// ListValue carries a list. The slice is copied.
func ListValue(v ...Value) Value { return Value{kind: List, list: append([]Value{}, v...)} }

// MapValue carries a map with text keys. The map is copied.
func MapValue(v map[string]Value) Value {
	m := Value{kind: Map}
	for k := range v {
		m.keys = append(m.keys, k)
	}
	sort.Strings(m.keys)
	for _, k := range m.keys {
		m.list = append(m.list, v[k])
	}
	return m
}

// Kind returns the kind.
func (v Value) Kind() Kind { return v.kind }

// AsBool returns the truth value, and whether v is one.
func (v Value) AsBool() (value, ok bool) { return v.kind == Bool && v.bits == 1, v.kind == Bool }

// AsInt returns the whole number, and whether v is one.
func (v Value) AsInt() (int64, bool) {
	if v.kind != Int {
		return 0, false
	}
	return int64(v.bits), true
}

// AsFloat returns the number, and whether v is one.
func (v Value) AsFloat() (float64, bool) {
	if v.kind != Float {
		return 0, false
	}
	return math.Float64frombits(v.bits), true
}

// AsString returns the text, and whether v is text.
func (v Value) AsString() (string, bool) { return v.text, v.kind == String }

// AsList returns a copy of the elements, and whether v is a list.
func (v Value) AsList() ([]Value, bool) {
	if v.kind != List {
		return nil, false
	}
	return append([]Value{}, v.list...), true
}

// AsMap returns a copy of the map, and whether v is one.
func (v Value) AsMap() (map[string]Value, bool) {
	if v.kind != Map {
		return nil, false
	}
	m := make(map[string]Value, len(v.keys))
	for i, k := range v.keys {
		m[k] = v.list[i]
	}
	return m, true
}

// Equal compares strictly: kinds first, then contents. NaN equals NaN with the same bits, 0.0 differs from -0.0: the
// question is whether the same value was observed, not whether two numbers are close.
func (v Value) Equal(w Value) bool {
	if v.kind != w.kind || v.text != w.text || v.bits != w.bits || len(v.list) != len(w.list) || len(v.keys) != len(w.keys) {
		return false
	}
	for i := range v.keys {
		if v.keys[i] != w.keys[i] {
			return false
		}
	}
	for i := range v.list {
		if !v.list[i].Equal(w.list[i]) {
			return false
		}
	}
	return true
}

// String is the form shown to people: true, 12, 1.0, none (null), [1, 2], {a: 1}. Text is shown as it is at the top and quoted
// inside lists and maps; text with anything that a terminal would obey or not show is quoted everywhere.
func (v Value) String() string {
	if v.kind == String && harmless(v.text) {
		return v.text
	}
	return v.show()
}

// harmless reports whether a terminal only shows a text.
func harmless(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '\n' && r != '\t' && !unicode.IsPrint(r)
	})
}

func (v Value) show() string {
	switch v.kind {
	case Absent:
		return "(absent)"
	case Null:
		return "none"
	case Bool:
		return strconv.FormatBool(v.bits == 1)
	case Int:
		return strconv.FormatInt(int64(v.bits), 10)
	case Float:
		s := strconv.FormatFloat(math.Float64frombits(v.bits), 'g', -1, 64)
		if !strings.ContainsAny(s, ".eIN") {
			s += ".0"
		}
		return s
	case String:
		return strconv.Quote(v.text)
	case List:
		parts := make([]string, len(v.list))
		for i, e := range v.list {
			parts[i] = e.show()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	default:
		parts := make([]string, len(v.list))
		for i, e := range v.list {
			parts[i] = StringValue(v.keys[i]).String() + ": " + e.show()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
}
