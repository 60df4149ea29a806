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

// member is a field that JSON sees, embedded structs looked through.
type member struct {
	name                         string
	path                         []int
	typ                          *Type
	tagged                       bool
	omitEmpty, omitZero, asQuote bool
}

// members is the fields of a struct as encoding/json counts them: the shallowest of a name wins, then the tagged one.
func members(t *Type) []member {
	var found []member
	type embedded struct {
		t    *Type
		path []int
	}
	level := []embedded{{t: t}}
	visited := map[*Type]bool{}
	var out []member
	taken := map[string]bool{}
	for len(level) > 0 {
		found = nil
		var next []embedded
		for _, e := range level {
			if visited[e.t] {
				continue
			}
			visited[e.t] = true
			for i, f := range e.t.fields {
				path := append(slices.Clone(e.path), i)
				inner := f.typ
				if f.Embedded && !inner.plain && inner.elem != nil && len(inner.fields) == 0 {
					inner = inner.elem
				}
				if !f.Exported && (!f.Embedded || len(inner.fields) == 0) {
					continue
				}
				tag := f.Tag.Get("json")
				if tag == "-" {
					continue
				}
				name, options, _ := strings.Cut(tag, ",")
				if f.Embedded && name == "" && len(inner.fields) > 0 {
					next = append(next, embedded{inner, path})
					continue
				}
				m := member{name: name, path: path, typ: f.typ, tagged: name != ""}
				if name == "" {
					m.name = f.Name
				}
				for o := range strings.SplitSeq(options, ",") {
					m.omitEmpty = m.omitEmpty || o == "omitempty"
					m.omitZero = m.omitZero || o == "omitzero"
					m.asQuote = m.asQuote || o == "string"
				}
				found = append(found, m)
			}
		}
		out = append(out, dominant(found, taken)...)
		level = next
	}
	slices.SortStableFunc(out, func(a, b member) int { return slices.Compare(a.path, b.path) })
	return out
}

// dominant is the members of one depth whose names are not taken and not ambiguous.
func dominant(found []member, taken map[string]bool) []member {
	byName := map[string][]member{}
	for _, m := range found {
		byName[m.name] = append(byName[m.name], m)
	}
	var out []member
	for name, list := range byName {
		if taken[name] {
			continue
		}
		taken[name] = true
		if len(list) > 1 {
			tagged := slices.DeleteFunc(slices.Clone(list), func(m member) bool { return !m.tagged })
			if len(tagged) != 1 {
				continue
			}
			list = tagged
		}
		out = append(out, list[0])
	}
	return out
}

// follow is the field at a path; ok is false when a nil embedded pointer is on the way, unless make is set.
func follow(v reflect.Value, path []int, make bool) (reflect.Value, bool) {
	for _, i := range path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !make {
					return v, false
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
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
