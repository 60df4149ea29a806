package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/units"
)

// Command is a command of the program, for the search.
type Command struct{ Name, Short string }

// searchState is a search: what is looked for, everything there is, and what was found.
type searchState struct {
	box   textBox
	all   []findable
	found []findable
	query string // that found is for
}

// findable is one line of a text, a command or a key.
type findable struct {
	unit, step, part string // where it stands; "" for a command or key
	title            string
	line             string
}

// mostFound is how many places a search lists.
const mostFound = 200

// openSearch gathers every text that is open to the student, the commands, and the keys of the screen.
func (m *Model) openSearch() {
	m.search = searchState{}
	for _, b := range m.keys() {
		m.search.all = append(m.search.all, findable{title: m.theme.Say("key %s", m.theme.Format(b.key)), line: m.theme.Format(b.what) + ": " + m.theme.Format(b.help)})
	}
	for _, c := range m.options.Commands {
		m.search.all = append(m.search.all, findable{title: "fieldbook " + c.Name, line: m.theme.Format(c.Short)})
	}
	for _, u := range m.options.Session.Bench.Units {
		for i := range u.Steps {
			m.gather(u, &u.Steps[i])
		}
	}
	m.open(searchOverlay)
}

// gather takes the texts of a step, without the signs of Markdown, which nobody looks for.
func (m *Model) gather(u *units.Unit, step *units.Step) {
	for _, a := range m.options.Session.Activities(u, step) {
		texts := []string{a.Title, a.Text}
		plainText := strings.NewReplacer("*", "", "`", "")
		for _, ask := range a.Asks {
			texts = append(texts, ask.Text)
		}
		for _, paragraph := range strings.Split(strings.Join(texts, "\n\n"), "\n\n") {
			f := findable{u.ID, step.ID, a.ID, u.ID + " " + step.Title, plainText.Replace(strings.Join(strings.Fields(paragraph), " "))}
			last := len(m.search.all) - 1
			if f.line == "" || f.line == a.Title && m.search.all[last].line == f.line && m.search.all[last].step == f.step {
				continue // the same title once more, of the next part of its page
			}
			m.search.all = append(m.search.all, f)
		}
	}
}

func (m *Model) pressSearch(key, text string) tea.Cmd {
	switch key {
	case "esc":
		m.overlay = noOverlay
	case "up":
		m.pointer = max(m.pointer-1, 0)
	case "down":
		m.pointer = min(m.pointer+1, max(len(m.search.found)-1, 0))
	case "enter":
		if m.pointer < len(m.search.found) {
			return m.goFound(m.search.found[m.pointer])
		}
	default:
		if !m.search.box.press(key) && text != "" {
			m.search.box.insert(text)
		}
		m.find()
	}
	return nil
}

// find looks for all words of the query, in any order.
func (m *Model) find() {
	query := strings.ToLower(strings.TrimSpace(m.search.box.value()))
	if query == m.search.query {
		return
	}
	m.search.query, m.search.found, m.pointer = query, nil, 0
	words := strings.Fields(query)
	if len(words) == 0 {
		return
	}
	for _, f := range m.search.all {
		text := strings.ToLower(f.title + " " + f.line)
		every := true
		for _, word := range words {
			every = every && strings.Contains(text, word)
		}
		if every && len(m.search.found) < mostFound {
			m.search.found = append(m.search.found, f)
		}
	}
}

// goFound opens the text that was found, at its line.
func (m *Model) goFound(f findable) tea.Cmd {
	m.overlay = noOverlay
	if f.unit == "" {
		m.notice = f.title + ": " + f.line
		return nil
	}
	entered := m.enter(f.unit, f.step)
	var shown tea.Cmd
	for i, a := range m.step.cards {
		if a.ID == f.part {
			shown = m.show(i)
		}
	}
	word := firstWord(m.search.query)
	for i, line := range m.page(draw.InnerWidth(m.width)) {
		if strings.Contains(strings.ToLower(line.Text), word) {
			m.step.text.top = max(i-2, 0)
			break
		}
	}
	return tea.Batch(entered, shown)
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

func (m *Model) searchFrame(width, height int) []string {
	inner := draw.InnerWidth(width)
	title := m.theme.Say("Search in every text, command and key")
	if m.search.query != "" {
		title = m.theme.Say("Places found: %d", len(m.search.found))
	}
	lines := make([]string, len(m.search.found))
	for i, f := range m.search.found {
		name := draw.Fit(" "+f.title, min(inner/3, 30)) + "  "
		lines[i] = m.theme.Accent.On(name) + excerpt(f.line, firstWord(m.search.query), inner-draw.Width(name))
	}
	typed := draw.Row{Height: 1, Panes: []draw.Pane{{Title: "Search", Lines: m.search.box.lines(inner, true)}}}
	list := m.listPane(title, lines, true, height-4)
	m.hit.top = 4
	return m.theme.Frame(width, height, []draw.Row{typed, {Panes: []draw.Pane{list}}})
}

// excerpt is the part of a line in which a word stands.
func excerpt(line, word string, width int) string {
	runes := []rune(line)
	at := strings.Index(strings.ToLower(line), word)
	if at > width/2 && at < len(line) {
		before := len([]rune(line[:at]))
		if start := before - width/3; start > 0 && start < len(runes) {
			line = "…" + string(runes[start:])
		}
	}
	return draw.Cut(line, width)
}
