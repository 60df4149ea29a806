package object

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Format prepares a format and its arguments for a function of package fmt: verbs that show a type or an address get the
// text that Go would print, as arguments of their own behind the others.
func Format(format string, args []any) (string, []any) {
	f := &formatting{args: args, list: slices.Clone(args)}
	for len(format) > 0 {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			f.out.WriteString(format)
			break
		}
		f.out.WriteString(format[:i])
		format = f.verb(format[i:])
	}
	return f.out.String(), f.list
}

type formatting struct {
	out  strings.Builder
	args []any
	list []any
	next int  // the argument that the next verb takes
	lost bool // fmt counts from an added argument: the next verb must name its own
}

// verb copies one verb, from its % on, and returns what follows it.
func (f *formatting) verb(format string) string {
	i := 1
	var head strings.Builder // flags, width and precision
	head.WriteByte('%')
	for i < len(format) && strings.IndexByte("+-# 0123456789.*[", format[i]) >= 0 {
		switch format[i] {
		case '[':
			end := strings.IndexByte(format[i:], ']')
			if end < 0 {
				f.out.WriteString(format)
				return ""
			}
			if n, err := strconv.Atoi(format[i+1 : i+end]); err == nil {
				f.next, f.lost = n-1, false
			}
			head.WriteString(format[i : i+end+1])
			i += end + 1
			continue
		case '*':
			f.name(&head)
			f.next++
		}
		head.WriteByte(format[i])
		i++
	}
	if i >= len(format) {
		f.out.WriteString(format)
		return ""
	}
	_, size := utf8.DecodeRuneInString(format[i:])
	verb, rest := format[i:i+size], format[i+size:]
	if verb == "%" {
		f.out.WriteString(format[:i+size])
		return rest
	}
	f.argument(&head, verb)
	f.next++
	return rest
}

// name writes the index of the next argument where fmt would take another.
func (f *formatting) name(head *strings.Builder) {
	if f.lost {
		fmt.Fprintf(head, "[%d]", f.next+1)
		f.lost = false
	}
}

// argument writes the end of a verb. For a type or an address it takes an argument that is added.
func (f *formatting) argument(head *strings.Builder, verb string) {
	if f.next >= 0 && f.next < len(f.args) {
		b, boxed := boxOf(f.args[f.next])
		switch {
		case verb == "T":
			f.list = append(f.list, TypeName(f.args[f.next]))
			verb = "s"
		case verb == "p" && boxed:
			f.list = append(f.list, b.v)
		default:
			f.name(head)
			f.out.WriteString(head.String() + verb)
			return
		}
		text := head.String()
		if i := strings.LastIndexByte(text, '['); i >= 0 && strings.HasSuffix(text, "]") {
			text = text[:i]
		}
		fmt.Fprintf(&f.out, "%s[%d]%s", text, len(f.list), verb)
		f.lost = true
		return
	}
	f.name(head)
	f.out.WriteString(head.String() + verb)
}
