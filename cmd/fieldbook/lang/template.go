package lang

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// templates finds the format that a sentence was made with.
type templates struct {
	messages map[string]string
	compile  sync.Once
	list     []template
}

// template is a format of the catalogue as a pattern. Most sentences are told apart by how they begin and end, so an expression
// is compiled when a sentence first comes that far.
type template struct {
	format         string
	prefix, suffix string // of its own, around the first and the last verb
	pattern        func() *regexp.Regexp
	literal        int // letters of the format itself: the more there are, the surer is the match
	text           string
}

// fewest is how many letters a format must have of its own to be looked for: "%s: %s" would fit everything.
const fewest = 7

// verb is a verb of package fmt, with its index when it has one.
func verb() *regexp.Regexp {
	return regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*\d*(?:\.\d+)?([a-zA-Z%])`)
}

func (t *templates) translate(english string) string {
	t.compile.Do(t.build)
	for _, candidate := range t.list {
		if !strings.HasPrefix(english, candidate.prefix) || !strings.HasSuffix(english, candidate.suffix) {
			continue
		}
		if found := candidate.pattern().FindStringSubmatch(english); found != nil {
			return fill(candidate.text, found[1:])
		}
	}
	return english
}

// build prepares the formats that have verbs, the surest first.
func (t *templates) build() {
	verbs := verb()
	for id, text := range t.messages {
		if !strings.Contains(id, "%") {
			continue
		}
		own := verbs.Split(strings.ReplaceAll(id, "%%", "\x00"), -1)
		letters := 0
		for _, part := range own {
			letters += len(part) - strings.Count(part, " ")
		}
		if letters < fewest || len(own) < 2 {
			continue
		}
		t.list = append(t.list, template{
			format: id, text: text, literal: letters,
			prefix: strings.ReplaceAll(own[0], "\x00", "%"), suffix: strings.ReplaceAll(own[len(own)-1], "\x00", "%"),
			pattern: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern(verbs, id)) }),
		})
	}
	slices.SortFunc(t.list, func(a, b template) int {
		return cmp.Or(b.literal-a.literal, strings.Compare(a.format, b.format))
	})
}

// pattern is the expression that what a format gives matches.
func pattern(verbs *regexp.Regexp, format string) string {
	var b strings.Builder
	b.WriteString(`(?s)^`)
	end := 0
	for _, at := range verbs.FindAllStringSubmatchIndex(format, -1) {
		b.WriteString(regexp.QuoteMeta(format[end:at[0]]))
		switch verb := format[at[4]:at[5]]; verb {
		case "%":
			b.WriteString("%")
		case "d":
			b.WriteString(`(-?\d+)`)
		default:
			b.WriteString(`(.*?)`)
		}
		end = at[1]
	}
	b.WriteString(regexp.QuoteMeta(format[end:]) + "$")
	return b.String()
}

// fill puts what was found in a sentence into another format, by the order of the verbs or their indexes.
func fill(format string, values []string) string {
	verbs, next := verb(), 0
	return verbs.ReplaceAllStringFunc(format, func(verb string) string {
		parts := verbs.FindStringSubmatch(verb)
		if parts[2] == "%" {
			return "%"
		}
		at := next
		if parts[1] != "" {
			n, _ := strconv.Atoi(parts[1]) // digits
			at = n - 1
		}
		next = at + 1
		if at < 0 || at >= len(values) {
			return verb
		}
		return values[at]
	})
}
