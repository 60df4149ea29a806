package units

import (
	"fmt"
	"strings"
)

// text is a Markdown file of the folder, which was read when the unit was decoded.
func (u *Unit) text(name string) string {
	text, err := u.File(name)
	if err != nil {
		panic(fmt.Sprintf("units: %s: %v", u.ID, err))
	}
	return string(text)
}

// words are what the pages of a unit say beside the author's texts.
type words struct{ first, check, example, predict, writing, gaps, gap string }

func (u *Unit) words() words {
	if u.Language() == "pt-BR" {
		return words{
			first: "Antes de ler", check: "Para conferir", example: "Exemplo", predict: "Preveja antes de executar", writing: "Por escrito",
			gaps: "Ainda não demonstrado", gap: "ainda não demonstrado",
		}
	}
	return words{
		first: "First", check: "Check", example: "Example", predict: "Predict before you run it", writing: "In writing",
		gaps: "Not yet shown", gap: "not yet shown",
	}
}

// Text is the Markdown of a step without its parts.
func (u *Unit) Text(s *Step) string { return u.text(s.Text) }

// Recap is what a student reads on coming back to the stopping place; "" when the unit has none.
func (u *Unit) Recap() string {
	if u.Pause == nil {
		return ""
	}
	return u.text(u.Pause.Recap)
}

// Exhibits are the supplied tables of a step, as Markdown.
func (u *Unit) Exhibits(s *Step) string {
	var b strings.Builder
	for _, e := range s.Exhibits {
		fmt.Fprintf(&b, "\n## %s (SUPPLIED)\n\n", e.Title)
		fence(&b, "", table(u.text(e.File)))
	}
	return b.String()
}

// Markdown is a step as one page: its text, and after it whatever of its parts can be read. It is for readers that do not
// show the parts on their own; answers that are revealed after an attempt are not in it.
func (u *Unit) Markdown(s *Step) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(u.Text(s), "\n") + "\n")
	for i, p := range u.Pages(s) {
		u.writePage(&b, s, i, p)
	}
	for _, e := range s.Examples {
		u.writeExample(&b, e)
	}
	b.WriteString(u.Exhibits(s))
	for _, c := range s.Challenges {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", c.Title, strings.TrimSpace(c.Ask))
	}
	if len(s.Gaps) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n", u.words().gaps)
		for _, g := range s.Gaps {
			fmt.Fprintf(&b, "- %s: %s. %s\n", g.Text, u.words().gap, g.Look)
		}
	}
	if s.Kind == Read || s.Kind == Construct {
		u.writeAsks(&b, s)
	}
	if u.Pause != nil && u.Pause.Step == s.ID {
		b.WriteString("\n" + deeper(u.Recap()))
	}
	return b.String()
}

func (u *Unit) writePage(b *strings.Builder, s *Step, i int, p Page) {
	body := u.PageText(s, p)
	if _, rest, ok := strings.Cut(body, "\n"); ok && strings.HasPrefix(body, "# ") {
		body = rest
	}
	fmt.Fprintf(b, "\n# %d. %s\n", i+1, p.Title)
	if q := p.Question; q != nil {
		fmt.Fprintf(b, "\n%s: %s\n\n", u.words().first, strings.TrimSpace(q.Ask))
		for _, choice := range q.Choices {
			fmt.Fprintf(b, "- %s\n", choice)
		}
	}
	b.WriteString(deeper("\n" + strings.Trim(body, "\n") + "\n"))
	if s.Rereads != "" && u.before != nil {
		u = u.before
	}
	for _, e := range p.Examples {
		u.writeExample(b, e)
	}
	fmt.Fprintf(b, "\n%s: %s\n", u.words().check, strings.TrimSpace(p.Check.Ask))
}

func (u *Unit) writeExample(b *strings.Builder, e Example) {
	source, err := u.Source(e.File())
	if err != nil {
		return // ReadFolder refuses an example that is not there
	}
	fmt.Fprintf(b, "\n## %s %s (SUPPLIED)\n\n%s\n\n", u.words().example, e.Name, strings.TrimSpace(e.Purpose))
	fence(b, "go", string(source))
	fmt.Fprintf(b, "\n%s: %s.\n", u.words().predict, strings.Join(e.Ask, ", "))
	if e.Again != "" {
		fmt.Fprintf(b, "\n%s\n", strings.TrimSpace(e.Again))
	}
}

func (u *Unit) writeAsks(b *strings.Builder, s *Step) {
	var asks []string
	if s.Find != nil {
		asks = append(asks, s.Find.Ask)
	}
	if s.CrashQuestion != "" {
		asks = append(asks, s.CrashQuestion)
	}
	for _, p := range s.Prompts {
		asks = append(asks, p.Ask)
	}
	if len(asks) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", u.words().writing)
	for _, ask := range asks {
		fmt.Fprintf(b, "- %s\n", strings.Join(strings.Fields(ask), " "))
	}
}

func fence(b *strings.Builder, language, text string) {
	fmt.Fprintf(b, "```%s\n%s\n```\n", language, strings.TrimRight(text, "\n"))
}

// deeper moves headings one level down, outside code.
func deeper(text string) string {
	lines := strings.Split(text, "\n")
	code := false
	for i, line := range lines {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if !code && strings.HasPrefix(line, "#") {
			lines[i] = "#" + line
		}
	}
	return strings.Join(lines, "\n")
}

// table aligns the columns of a CSV text whose fields hold no comma.
func table(text string) string {
	var rows [][]string
	var widths []int
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimRight(line, "\n"), ",")
		for i, f := range fields {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len(f))
		}
		rows = append(rows, fields)
	}
	var b strings.Builder
	for _, fields := range rows {
		var line strings.Builder
		for i, f := range fields {
			fmt.Fprintf(&line, "%-*s  ", widths[i], f)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}
