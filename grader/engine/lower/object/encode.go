package object

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// JSON of boxed values follows encoding/json, with descriptors in place of reflection's types.

// MarshalJSON encodes the value as encoding/json would.
func (b Boxed) MarshalJSON() ([]byte, error) { return encode(b.t, reflect.ValueOf(b.v)) }

// EncodingError is the error of an encoding without what says that a box was in it.
func EncodingError(err error) error {
	var inner *json.MarshalerError
	for errors.As(err, &inner) && inner.Type != nil && isBox(inner.Type) {
		err = inner.Err
	}
	return err
}

func isBox(t reflect.Type) bool {
	return t == reflect.TypeFor[Boxed]() || t == reflect.TypeFor[BoxedError]() || t == reflect.TypeFor[BoxedErrors]()
}

func encode(t *Type, v reflect.Value) ([]byte, error) {
	if v.Kind() == reflect.Interface && !t.isIface { // a field that the core holds in an any
		if v = v.Elem(); !v.IsValid() {
			return []byte("null"), nil
		}
	}
	switch {
	case t.isIface:
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if !v.IsValid() {
			return []byte("null"), nil
		}
		return json.Marshal(Held(v.Interface()))
	case t.plain:
		return json.Marshal(v.Interface())
	case v.Kind() == reflect.Pointer && v.IsNil():
		return []byte("null"), nil
	case t.returnsBytes("MarshalJSON"):
		return marshaled(t, v, "MarshalJSON")
	case t.returnsBytes("MarshalText"):
		text, err := marshaled(t, v, "MarshalText")
		if err != nil {
			return nil, err
		}
		return json.Marshal(string(text))
	}
	switch v.Kind() {
	case reflect.Struct:
		return encodeStruct(t, v)
	case reflect.Map:
		return encodeMap(t, v)
	case reflect.Pointer:
		return encode(t.elem, v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return []byte("null"), nil
		}
		if v.Type().Elem().Kind() == reflect.Uint8 && t.elem.plain {
			return json.Marshal(base64.StdEncoding.EncodeToString(v.Bytes()))
		}
		return encodeList(t, v)
	case reflect.Array:
		return encodeList(t, v)
	case reflect.Func, reflect.Chan, reflect.Complex64, reflect.Complex128:
		return nil, errors.New("json: unsupported type: " + t.name)
	default:
		return json.Marshal(v.Interface())
	}
}

func (t *Type) returnsBytes(name string) bool {
	return t.has(name) && t.methods[name].Type().NumIn() == 1 && t.methods[name].Type().NumOut() == 2
}

func marshaled(t *Type, v reflect.Value, name string) ([]byte, error) {
	out := t.call(name, v)
	if err, _ := out[1].Interface().(error); err != nil {
		return nil, fmt.Errorf("json: error calling %s for type %s: %w", name, t.name, err)
	}
	return out[0].Bytes(), nil
}

func encodeList(t *Type, v reflect.Value) ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			out.WriteByte(',')
		}
		text, err := encode(t.elem, v.Index(i))
		if err != nil {
			return nil, err
		}
		out.Write(text)
	}
	out.WriteByte(']')
	return out.Bytes(), nil
}

func encodeMap(t *Type, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return []byte("null"), nil
	}
	type entry struct {
		key   string
		value reflect.Value
	}
	var entries []entry
	for it := v.MapRange(); it.Next(); {
		k, err := keyText(t.key, it.Key())
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{k, it.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	var out bytes.Buffer
	out.WriteByte('{')
	for i, e := range entries {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeMember(&out, e.key, t.elem, e.value, false); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func keyText(t *Type, k reflect.Value) (string, error) {
	if k.Kind() == reflect.String && !t.returnsBytes("MarshalText") {
		return k.String(), nil
	}
	if t.returnsBytes("MarshalText") {
		text, err := marshaled(t, k, "MarshalText")
		return string(text), err
	}
	if m, ok := k.Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		return string(text), err
	}
	switch {
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10), nil
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10), nil
	}
	return "", errors.New("json: unsupported type: map with key " + t.name)
}

func writeMember(out *bytes.Buffer, name string, t *Type, v reflect.Value, quoted bool) error {
	key, err := json.Marshal(name)
	if err != nil {
		return err
	}
	text, err := encode(t, v)
	if err != nil {
		return err
	}
	out.Write(key)
	out.WriteByte(':')
	if quoted && string(text) != "null" {
		if text, err = json.Marshal(string(text)); err != nil {
			return err
		}
	}
	out.Write(text)
	return nil
}

func encodeStruct(t *Type, v reflect.Value) ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	first := true
	for _, m := range members(t) {
		f, ok := follow(v, m.path, false)
		if !ok || m.omitEmpty && isEmpty(f) || m.omitZero && isZero(m.typ, f) {
			continue
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		if err := writeMember(&out, m.name, m.typ, f, m.asQuote && quotable(f)); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func quotable(v reflect.Value) bool {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	return v.Kind() == reflect.String || v.Kind() == reflect.Bool || v.CanInt() || v.CanUint() || v.CanFloat()
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct, reflect.Func, reflect.Chan:
		return false
	default:
		return v.IsZero()
	}
}

func isZero(t *Type, v reflect.Value) bool {
	if t.has("IsZero") {
		return t.call("IsZero", v)[0].Bool()
	}
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}
