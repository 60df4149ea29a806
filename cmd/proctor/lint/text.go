package lint

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fieldbook/units"
)

// The mechanical half of the course's voice.
const (
	maxSentence = 25 // words
	maxSnippet  = 6  // lines of Go in a text; a longer program is an example
	maxExample  = 48 // lines of an example
	maxColumns  = 76 // of a line of code, a tab being four
)

// voice is what differs between the languages of the course.
type voice struct {
	banned string // words that say nothing, or praise
	day    string // what dates an event
}

func voiceOf(language string) voice {
	if language == "pt-BR" {
		return voice{
			banned: `(?i)\b(simplesmente|obviamente|evidentemente|facilmente|fácil|trivial|claro que|parabéns|muito bem|ótimo trabalho)\b|!(\s|$)`,
			day:    `(?i)\b(segunda|terça|quarta|quinta|sexta|sábado|domingo)\b`,
		}
	}
	return voice{
		banned: `(?i)\b(simply|just|of course|obviously|easy|easily|trivial|great|congratulations|well done)\b|!(\s|$)`,
		day:    `\b(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b`,
	}
}

// shortEpoch is how texts write an epoch; a longer run of digits is a digest.
const shortEpoch = `\b[0-9a-f]{4}…`

// texts holds every Markdown file of the unit to the voice.
func (l *linter) texts() {
	titles := map[string]string{}
	for _, s := range l.unit.Steps {
		titles[s.Text] = s.Title
		if s.Rereads == "" {
			for _, p := range l.unit.Pages(&s) {
				titles[p.Text] = p.Title
			}
		}
	}
	for _, name := range l.unit.Names() {
		switch {
		case strings.HasSuffix(name, ".md"):
			l.markdown(name, titles[name])
		case strings.HasSuffix(name, ".go"):
			l.program(name)
		}
	}
}

// markdown holds one file to the voice; title is what it must be headed, "" for anything.
func (l *linter) markdown(name, title string) {
	text := l.text(name)
	if !utf8.ValidString(text) || strings.ContainsAny(text, "\r\t") {
		l.complain(name, 0, "not UTF-8, or a carriage return or tab in it")
	}
	head, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(head, "# ") || title != "" && head != "# "+title {
		l.complain(name, 1, "the first line is %q; it must be the title, %q", head, "# "+title)
	}
	if found := regexp.MustCompile(`(?m)^[^\d\s#-].*\n\d+\. .*$`).FindString(text); found != "" {
		l.complain(name, lineOf(text, found), "a line of a paragraph reads as the item of a list")
	}
	l.epochs(name, text)
	l.terms(name, text)
	prose, code := split(text)
	for _, b := range code {
		l.block(name, b)
	}
	l.sentences(name, prose)
	paragraphs := strings.Split(strings.TrimSpace(prose), "\n\n")
	if !strings.HasSuffix(paragraphs[len(paragraphs)-1], "?") {
		l.complain(name, strings.Count(text, "\n"), "the text does not end with a question")
	}
	if len(paragraphs) > 1 && !regexp.MustCompile(l.voice.day).MatchString(paragraphs[1]) {
		l.complain(name, 3, "the text does not begin with a dated event: its first paragraph names no day")
	}
}

// epochs holds a text to the short epochs of the card.
func (l *linter) epochs(name, text string) {
	known := map[string]bool{}
	for _, e := range l.unit.Card().Epochs {
		known[e.Short] = true
	}
	for _, found := range regexp.MustCompile(shortEpoch).FindAllString(text, -1) {
		if !known[found] {
			l.complain(name, lineOf(text, found), "%s is no epoch of the card", found)
		}
	}
}

// terms holds what a text sets in italics to the terms that can be looked up: defining a word sets it so.
func (l *linter) terms(name, text string) {
	prose, _ := split(text)
	for _, found := range regexp.MustCompile(`\*(\p{L}[^*\n]*)\*`).FindAllStringSubmatch(prose, -1) {
		if !slices.ContainsFunc(l.unit.Card().Terms, func(t units.Term) bool { return strings.EqualFold(t.Term, found[1]) }) {
			l.complain(name, lineOf(text, found[0]), "%s is set as a term, and the card has none of that name", found[0])
		}
	}
}

func (l *linter) block(name string, b block) {
	lines := strings.Split(strings.TrimRight(b.text, "\n"), "\n")
	if b.language == "go" && len(lines) > maxSnippet {
		l.complain(name, b.line, "a snippet of %d lines; at most %d", len(lines), maxSnippet)
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > maxColumns {
			l.complain(name, b.line+1+i, "a line of code is %d columns wide; at most %d", n, maxColumns)
		}
	}
}

// program holds a Go file that students read to its size.
func (l *linter) program(name string) {
	source, err := l.unit.Source(name)
	if err != nil {
		return
	}
	lines := strings.Split(strings.TrimRight(string(source), "\n"), "\n")
	if strings.HasPrefix(name, "examples/") && len(lines) > maxExample {
		l.complain(name, 0, "an example of %d lines; at most %d", len(lines), maxExample)
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); n > maxColumns {
			l.complain(name, i+1, "a line of code is %d columns wide; at most %d", n, maxColumns)
		}
	}
}

// sentences holds prose to the length of its sentences and to the words that it may use.
func (l *linter) sentences(name, prose string) {
	if found := regexp.MustCompile(l.voice.banned).FindString(prose); found != "" {
		l.complain(name, lineOf(l.text(name), found), "says %q", found)
	}
	for _, sentence := range sentences(prose) {
		if n := len(strings.Fields(sentence)); n > maxSentence {
			begin := strings.Join(strings.Fields(sentence)[:3], " ")
			l.complain(name, lineOf(l.text(name), begin), "a sentence of %d words; at most %d: %s", n, maxSentence, sentence)
		}
	}
}

// prose holds the sentences that stand in YAML to the same rules.
func (l *linter) prose() {
	u := l.unit
	say := func(name string, texts ...string) {
		for _, text := range texts {
			l.sentences(name, text)
			l.epochs(name, text)
		}
	}
	say("unit.yaml", u.Question)
	say("unit.yaml", u.Objectives...)
	say("unit.yaml", u.Limits...)
	for _, s := range u.Steps {
		say("unit.yaml", s.Revision, s.CrashQuestion)
		for _, p := range s.Prompts {
			say("unit.yaml", p.Ask)
		}
		for _, g := range s.Gaps {
			say("unit.yaml", g.Text, g.Look)
		}
		for _, c := range s.Challenges {
			say("unit.yaml", c.Ask)
			for _, f := range c.Expect {
				say("unit.yaml", f.Meaning)
			}
		}
		if s.Pages == "" {
			continue
		}
		for _, p := range u.Pages(&s) {
			say(s.Pages, p.Check.Ask, p.Check.Answer)
			if q := p.Question; q != nil {
				say(s.Pages, append(q.Choices, q.Ask, q.Because)...)
			}
			for _, e := range p.Examples {
				say(s.Pages, e.Purpose, e.Again)
			}
		}
	}
	if u.CardFile == "" {
		return
	}
	card := u.Card()
	for _, t := range card.Terms {
		say(u.CardFile, append(t.Checked, t.Means)...)
	}
	for _, c := range card.Calls {
		say(u.CardFile, c.Does)
		if n := strings.Count(strings.TrimSpace(c.Example), "\n") + 1; n != 2 {
			l.complain(u.CardFile, lineOf(l.text(u.CardFile), "call: "+c.Call), "the example of %s has %d lines; it must have two", c.Call, n)
		}
		l.block(u.CardFile, block{language: "go", text: c.Example, line: lineOf(l.text(u.CardFile), "call: "+c.Call)})
	}
	for _, s := range card.Slips {
		say(u.CardFile, s.Means, s.Write)
	}
}

// block is a fenced block of a Markdown text; line is that of the fence.
type block struct {
	language, text string
	line           int
}

// split takes fenced code out of a Markdown text.
func split(text string) (prose string, code []block) {
	var b strings.Builder
	line := 1
	for i, part := range strings.Split(text, "```") {
		if i%2 == 0 {
			b.WriteString(part)
		} else {
			language, body, _ := strings.Cut(part, "\n")
			code = append(code, block{language, body, line})
		}
		line += strings.Count(part, "\n")
	}
	return b.String(), code
}

// sentences splits prose at full stops, question marks, semicolons and colons; headings and list items stand alone.
func sentences(prose string) []string {
	var list []string
	ends := func(r rune) bool { return strings.ContainsRune(".?;:", r) }
	items := regexp.MustCompile(`(?m)^(?:#+|-|\d+\.) `)
	for _, paragraph := range strings.Split(prose, "\n\n") {
		for _, item := range items.Split(paragraph, -1) {
			rest := strings.Join(strings.Fields(item), " ")
			begin := 0
			for i, r := range rest {
				next, _ := utf8.DecodeRuneInString(rest[i+utf8.RuneLen(r):])
				if ends(r) && (next == utf8.RuneError || unicode.IsSpace(next)) {
					list = append(list, strings.TrimSpace(rest[begin:i+1]))
					begin = i + 1
				}
			}
			if tail := strings.TrimSpace(rest[begin:]); tail != "" {
				list = append(list, tail)
			}
		}
	}
	return list
}
