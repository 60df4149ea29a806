package ui

import (
	"strings"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/units"
)

// termList is the card with its terms; open is the one whose paragraph shows.
type termList struct {
	open string
}

func (m *Model) openTerms() {
	m.terms.open = ""
	m.open(termsOverlay)
}

// openTerm shows the paragraph that defines the term under the pointer.
func (m *Model) openTerm() {
	if terms := m.unit().Card().Terms; m.pointer < len(terms) {
		m.terms.open, m.over = terms[m.pointer].Term, scroll{}
	}
}

// termLines are the terms of the unit, one a line, and below them the rest of the card; or the paragraph of one term.
func (m *Model) termLines(width int) (title string, lines []string) {
	t, card := m.theme, m.unit().Card()
	if m.terms.open != "" {
		for _, term := range card.Terms {
			if term.Term == m.terms.open {
				return term.Term, m.termText(term, width)
			}
		}
	}
	wide := 0
	for _, term := range card.Terms {
		wide = max(wide, draw.Width(term.Term))
	}
	for _, term := range card.Terms {
		lines = append(lines, draw.Cut(" "+t.Strong.On(draw.Fit(term.Term, wide))+"  "+term.Means, width))
	}
	if len(card.Epochs) > 0 {
		lines = append(lines, "", t.Title.On(t.Say("The epochs of all texts")))
		for _, e := range card.Epochs {
			lines = append(lines, draw.Hang(" "+e.Short+"  ", e.Names, width)...)
		}
	}
	if len(card.Calls) > 0 {
		lines = append(lines, "", t.Title.On(t.Say("Calls of the runtime")))
		for _, c := range card.Calls {
			lines = append(lines, draw.Hang(" "+t.Accent.On(c.Call)+"  ", c.Does, width)...)
			for _, line := range t.Go(strings.TrimRight(c.Example, "\n")) {
				lines = append(lines, draw.Cut("     "+line, width))
			}
		}
	}
	if len(card.Slips) > 0 {
		lines = append(lines, "", t.Title.On(t.Say("Usual slips")))
		for _, s := range card.Slips {
			lines = append(lines, draw.Hang(" "+t.Changed.On("! "), s.Sees, width)...)
			lines = append(lines, draw.Hang("   ", s.Means+" "+s.Write, width)...)
		}
	}
	return t.Say("Terms and calls"), lines
}

// termText is everything about one term: its paragraph, where its value lies, and what checks it.
func (m *Model) termText(term units.Term, width int) []string {
	t := m.theme
	lines := draw.Wrap(term.Means, width)
	if term.Lies != "" {
		lines = append(lines, draw.Hang(t.Say("lies in")+"  ", term.Lies, width)...)
	}
	for _, check := range term.Checked {
		lines = append(lines, draw.Hang(t.Say("checked")+"  ", check, width)...)
	}
	if paragraph := m.unit().Paragraph(term); paragraph != "" {
		lines = append(append(lines, ""), draw.Texts(t.Markdown(paragraph, min(width, widestText)), width)...)
	}
	return lines
}
