package object

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Unmarshal is json.Unmarshal into a pointer that may be boxed.
func Unmarshal(data []byte, target any) error {
	b, ok := boxOf(target)
	if !ok {
		return json.Unmarshal(data, target)
	}
	v := reflect.ValueOf(b.v)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return fmt.Errorf("json: Unmarshal(non-pointer %s)", b.t.name)
	}
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return err
	}
	d := &decoding{}
	d.into(b.t.elem, v.Elem(), data)
	return d.err
}

// Decode is Decoder.Decode into a pointer that may be boxed.
func Decode(d *json.Decoder, target any) error {
	b, ok := boxOf(target)
	if !ok {
		return d.Decode(target)
	}
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return err
	}
	v := reflect.ValueOf(b.v)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return fmt.Errorf("json: Unmarshal(non-pointer %s)", b.t.name)
	}
	in := &decoding{}
	if state := reflect.ValueOf(d).Elem().FieldByName("d"); state.IsValid() {
		if flag := state.FieldByName("disallowUnknownFields"); flag.IsValid() {
			in.strict = flag.Bool()
		}
	}
	in.into(b.t.elem, v.Elem(), raw)
	return in.err
}

// decoding is one call of Unmarshal. Like encoding/json it notes the first mismatch and goes on.
type decoding struct {
	err    error
	strict bool
	root   string   // the outermost struct type's name
	path   []string // fields on the way
}

func (d *decoding) fail(err error) {
	if d.err != nil || err == nil {
		return
	}
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) && d.root != "" {
		mismatch.Struct = strings.TrimSpace(d.root)
		mismatch.Field = strings.Join(d.path, ".")
	}
	d.err = err
}

func (d *decoding) into(t *Type, v reflect.Value, data []byte) {
	data = bytes.TrimSpace(data)
	if t.plain {
		d.fail(json.Unmarshal(data, v.Addr().Interface()))
		return
	}
	null := string(data) == "null"
	if d.byMethod(t, v, data) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if null {
			v.SetZero()
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		d.into(t.elem, v.Elem(), data)
	case reflect.Interface:
		if null {
			v.SetZero()
			return
		}
		d.fail(json.Unmarshal(data, v.Addr().Interface()))
	case reflect.Struct:
		if !null {
			d.structInto(t, v, data)
		}
	case reflect.Map:
		d.mapInto(t, v, data, null)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 && t.elem.plain {
			d.fail(json.Unmarshal(data, v.Addr().Interface()))
			return
		}
		d.listInto(t, v, data, null)
	case reflect.Array:
		d.listInto(t, v, data, null)
	default:
		d.fail(json.Unmarshal(data, v.Addr().Interface()))
	}
}

// byMethod decodes by a type's own UnmarshalJSON or UnmarshalText.
func (d *decoding) byMethod(t *Type, v reflect.Value, data []byte) bool {
	receiver := v
	for _, name := range []string{"UnmarshalJSON", "UnmarshalText"} {
		f := t.methods[name]
		if !f.IsValid() || f.Type().NumIn() != 2 || f.Type().NumOut() != 1 {
			continue
		}
		if f.Type().In(0).Kind() == reflect.Pointer && v.Kind() != reflect.Pointer {
			receiver = v.Addr()
		} else if v.Kind() == reflect.Pointer {
			return false // into allocates it and comes again with what it points to
		}
		if name == "UnmarshalText" {
			if string(data) == "null" {
				return true
			}
			var text string
			if err := json.Unmarshal(data, &text); err != nil {
				d.fail(err)
				return true
			}
			data = []byte(text)
		}
		err, _ := f.Call([]reflect.Value{receiver, reflect.ValueOf(data)})[0].Interface().(error)
		d.fail(err)
		return true
	}
	return false
}

func (d *decoding) mismatch(data []byte, v reflect.Value, name string) {
	kind := "number"
	switch data[0] {
	case '"':
		kind = "string"
	case '{':
		kind = "object"
	case '[':
		kind = "array"
	case 't', 'f':
		kind = "bool"
	}
	if d.root != "" {
		d.fail(fmt.Errorf("json: cannot unmarshal %s into Go struct field %s.%s of type %s", kind, strings.TrimSpace(d.root), strings.Join(d.path, "."), name))
		return
	}
	d.fail(fmt.Errorf("json: cannot unmarshal %s into Go value of type %s", kind, name))
}

func (d *decoding) structInto(t *Type, v reflect.Value, data []byte) {
	var object map[string]json.RawMessage
	if data[0] != '{' || json.Unmarshal(data, &object) != nil {
		d.mismatch(data, v, t.name)
		return
	}
	outermost := d.root == ""
	if outermost {
		d.root = " " // a struct type without a name
		if t.declared {
			d.root = t.name[strings.LastIndexByte(t.name, '.')+1:]
		}
	}
	fields := members(t)
	for _, key := range keysInOrder(data) {
		m := matching(fields, key)
		if m == nil {
			if d.strict {
				d.fail(fmt.Errorf("json: unknown field %q", key))
			}
			continue
		}
		f, _ := follow(v, m.path, true)
		raw := object[key]
		if m.asQuote && quotable(f) && raw[0] != '"' && string(raw) != "null" {
			d.fail(fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal unquoted value into %v", f.Type()))
			continue
		}
		if m.asQuote && len(raw) > 1 && raw[0] == '"' {
			var text string
			if json.Unmarshal(raw, &text) == nil {
				raw = []byte(text)
			}
		}
		d.path = append(d.path, m.name)
		d.into(m.typ, f, raw)
		d.path = d.path[:len(d.path)-1]
	}
	if outermost {
		d.root = ""
	}
}

// keysInOrder is the keys of a JSON object, in order.
func keysInOrder(data []byte) []string {
	d := json.NewDecoder(bytes.NewReader(data))
	var keys []string
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return keys
		}
		var skipped json.RawMessage
		if d.Decode(&skipped) != nil {
			return keys
		}
		if text, ok := key.(string); ok && !slices.Contains(keys, text) {
			keys = append(keys, text)
		}
	}
	return keys
}

func matching(fields []member, key string) *member {
	for i := range fields {
		if fields[i].name == key {
			return &fields[i]
		}
	}
	for i := range fields {
		if strings.EqualFold(fields[i].name, key) {
			return &fields[i]
		}
	}
	return nil
}

func (d *decoding) mapInto(t *Type, v reflect.Value, data []byte, null bool) {
	if null {
		v.SetZero()
		return
	}
	var object map[string]json.RawMessage
	if data[0] != '{' || json.Unmarshal(data, &object) != nil {
		d.mismatch(data, v, t.name)
		return
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	for _, key := range keysInOrder(data) {
		k := reflect.New(v.Type().Key()).Elem()
		if k.Kind() == reflect.String && !t.key.has("UnmarshalText") {
			k.SetString(key)
		} else if t.key.has("UnmarshalText") {
			text, _ := json.Marshal(key)
			d.into(t.key, k, text)
		} else {
			d.fail(json.Unmarshal([]byte(key), k.Addr().Interface()))
		}
		e := reflect.New(v.Type().Elem()).Elem()
		d.into(t.elem, e, object[key])
		v.SetMapIndex(k, e)
	}
}

func (d *decoding) listInto(t *Type, v reflect.Value, data []byte, null bool) {
	if null {
		if v.Kind() == reflect.Slice {
			v.SetZero()
		}
		return
	}
	var list []json.RawMessage
	if data[0] != '[' || json.Unmarshal(data, &list) != nil {
		d.mismatch(data, v, t.name)
		return
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	} else {
		v.SetZero()
	}
	for i, raw := range list {
		if i < v.Len() {
			d.into(t.elem, v.Index(i), raw)
		}
	}
}
