package ui

import (
	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/workbench"
)

// reset puts the starter in the place of the student's file when R is pressed twice. Their file goes into a backup.
func (m *Model) reset() tea.Cmd {
	if !m.step.resetting {
		m.step.resetting = true
		m.notice = m.theme.Say("R once more puts the starter back; your file goes into a backup, and U undoes it.")
		return nil
	}
	m.step.resetting = false
	starters, err := workbench.Starters(m.exercise())
	if err != nil {
		m.fails(err)
		return nil
	}
	for _, starter := range starters {
		backup, err := m.options.Session.Bench.Work.Reset(starter)
		if err != nil {
			m.fails(err)
			return nil
		}
		m.notice = m.theme.Say("The starter is in its place. What stood there is in backup %s; U undoes this.", backup.ID)
	}
	return nil
}

// undoReset brings back what the last reset replaced.
func (m *Model) undoReset() tea.Cmd {
	for _, place := range workbench.Places(m.exercise()) {
		undone, _, err := m.options.Session.Bench.Work.UndoReset(place)
		if err != nil {
			m.fails(err)
			return nil
		}
		m.notice = m.theme.Say("Your file is back as it was before the reset %s.", undone.ID)
	}
	return nil
}
