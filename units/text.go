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
		fmt.Fprintf(&b, "\n## %s (SUPPLIED)\n\n```\n%s```\n", e.Title, table(u.text(e.File)))
	}
	return b.String()
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
