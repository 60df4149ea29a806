package ui

import (
	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/submit"
)

// submissionState is what will be submitted of the student's unit, and what was.
type submissionState struct {
	unit  string
	items []submit.Item
	made  *submit.Made
}

// readSubmission looks at what is there to submit.
func (m *Model) readSubmission() {
	u, s := m.unit(), m.options.Session
	items, err := submit.List(s.Bench.Work, u, s.Progress)
	if err != nil {
		m.fails(err)
	}
	if m.submission.unit != u.ID {
		m.submission.made = nil
	}
	m.submission.unit, m.submission.items = u.ID, items
}

func (m *Model) pressSubmit(key string) tea.Cmd {
	if key != "enter" {
		m.step.rowScroll.press(key, m.frameHeight()-2)
		return nil
	}
	if m.submission.made != nil {
		return m.forward()
	}
	s := m.options.Session
	made, err := submit.Make(s.Bench.Work, m.unit(), s.Progress, m.options.Courses...)
	if err != nil {
		m.fails(err)
		return nil
	}
	m.submission.made, m.submission.items = &made, made.Items
	m.finish()
	return nil
}

// submissionLines are the items of the submission, each with how much of it is there.
func (m *Model) submissionLines(width int) []string {
	var lines []string
	for _, i := range m.submission.items {
		sign := draw.OpenSign
		if i.There {
			sign = m.theme.Pass.On(draw.PassSign)
		}
		lines = append(lines, draw.Hang(sign+" "+draw.Fit(m.theme.Message(i.State()), 16)+" ", i.What, width)...)
	}
	return lines
}

func (m *Model) submitFrame(width, height int) []string {
	inner, t := draw.InnerWidth(width), m.theme
	lines := m.submissionLines(inner)
	title := t.Say("What will be submitted")
	if made := m.submission.made; made != nil {
		title = t.Say("Submitted")
		lines = append(lines, "", t.Pass.On(draw.PassSign)+" "+draw.Saved(""))
		lines = append(lines, draw.Wrap(made.Archive, inner)...)
		lines = append(lines, draw.Wrap(t.Say("Read back and verified. sha256 %s", made.SHA256), inner)...)
		to := t.Say("What to do with it: %s", made.SubmitTo)
		if made.SubmitTo == "" {
			to = t.Say("What to do with it: hand in this one file as your instructor asks; no course.yaml says where.")
		}
		lines = append(lines, draw.Wrap(to, inner)...)
	} else {
		lines = append(lines, "", t.Say("Enter makes one archive of these files, reads it back and verifies it. It can be made again."))
	}
	lines = append(lines, "", t.Title.On(t.Say("What this does not show")))
	for _, limit := range m.unit().Limits {
		lines = append(lines, draw.Hang(draw.OpenSign+" ", limit, inner)...)
	}
	shown := m.step.rowScroll.window(lines, height-2)
	if more := m.step.rowScroll.more(len(lines), height-2); more != "" {
		title += "   " + more
	}
	return t.Frame(width, height, []draw.Row{{Panes: []draw.Pane{{Title: title, Lines: shown}}}})
}

func (m *Model) submitKeys() []binding {
	if m.submission.made != nil {
		return []binding{{"Enter", "go on", "to the end of the unit"}, {"j/k", "scroll", ""}}
	}
	return []binding{{"Enter", "submit", "make the archive"}, {"j/k", "scroll", ""}}
}
