package object

import (
	"reflect"
	"slices"
	"strings"
)

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
