package ui

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader"
)

// pressActivity does what a key means in a part that asks for something, while nothing is being written.
func (m *Model) pressActivity(key string) tea.Cmd {
	a := m.activity()
	if len(a.Choices) > 0 && !m.answered() {
		return m.pressChoices(a, key)
	}
	switch key {
	case "enter", "i":
		return m.goOn(a)
	case "ctrl+s":
		m.commit()
	case "r":
		return m.perform()
	case "s":
		m.skip(a)
	case "w":
		if m.mayRevise(a) {
			m.step.boxes, m.step.focus, m.step.revising = make([]textBox, 1), 0, true
		}
	case "o":
		if a.Kind == course.Power {
			return m.showMatrix()
		}
		if m.options.Session.Result(a) != nil {
			m.open(resultOverlay)
		}
	case "]":
		m.step.answers.top++
	case "[":
		m.step.answers.top = max(m.step.answers.top-1, 0)
	default:
		if a.Kind == course.Writing {
			m.step.answers.press(key, m.frameHeight()-2)
			return nil
		}
		m.step.text.press(key, m.frameHeight()/2)
	}
	return nil
}

// goOn is Enter: it writes what is not written, runs what has not run, and then goes to the next part.
func (m *Model) goOn(a *course.Activity) tea.Cmd {
	switch {
	case !m.answered():
		m.step.focus = 0
		return nil
	case a.Kind == course.Fresh && !m.options.Session.Finished(a):
		m.fresh(a)
		return nil
	case a.Kind == course.Power && !m.options.Session.Finished(a):
		return m.explore()
	case a.Runs() && m.options.Session.Result(a) == nil:
		return m.perform()
	}
	return m.onwards()
}

func (m *Model) pressChoices(a *course.Activity, key string) tea.Cmd {
	switch key {
	case "down", "j":
		m.step.pick = min(m.step.pick+1, len(a.Choices)-1)
	case "up", "k":
		m.step.pick = max(m.step.pick-1, 0)
	case "enter":
		if err := m.options.Session.Write(a, []string{strconv.Itoa(m.step.pick + 1)}); err != nil {
			m.fails(err)
		}
		m.refresh()
	default:
		if n, err := strconv.Atoi(key); err == nil && n >= 1 && n <= len(a.Choices) {
			m.step.pick = n - 1
			return nil
		}
		m.step.text.press(key, m.frameHeight()/2)
	}
	return nil
}

// skip leaves a page out that a right answer allows to be skipped.
func (m *Model) skip(a *course.Activity) {
	if err := m.options.Session.Skip(a); err != nil {
		m.fails(err)
		return
	}
	m.refresh()
	m.notice = "The page is skipped, and that is recorded."
	m.onwards()
}

func (m *Model) fresh(a *course.Activity) {
	backup, err := m.options.Session.StartFresh(a)
	if err != nil {
		m.fails(err)
		return
	}
	m.notice = "The starter is in its place. Your first version is in backup " + backup + "."
}

// mayRevise reports whether there is something whose revision can be written: values that differ.
func (m *Model) mayRevise(a *course.Activity) bool {
	return len(a.Asks) > 0 && a.Kind != course.Revision && course.Differs(m.options.Session.Rows(a)) > 0
}

// perform runs the part outside the loop.
func (m *Model) perform() tea.Cmd {
	a := m.activity()
	if why := m.options.Session.Ready(a); why != "" {
		m.notice = why
		return nil
	}
	if m.busy != "" {
		m.again = true
		return nil
	}
	m.busy = "running"
	session, ctx := m.options.Session, m.ctx
	return func() tea.Msg {
		run, err := session.Perform(ctx, a)
		return performed{a, run, err}
	}
}

// hasPerformed takes over the run of a part.
func (m *Model) hasPerformed(e performed) tea.Cmd {
	m.busy = ""
	if e.run.Report.Outcome != "" {
		m.options.Session.Performed(e.activity, e.run)
		m.step.answers = scroll{}
	}
	if e.err != nil {
		m.fails(e.err)
	}
	m.refresh()
	m.readOwn()
	if m.again {
		m.again = false
		return m.rerun()
	}
	return nil
}

// rerun runs whatever the part that is shown runs.
func (m *Model) rerun() tea.Cmd {
	if a := m.activity(); a.Runs() && a.Kind != course.Impostors {
		if m.options.Session.Ready(a) != "" || m.options.Session.Result(a) == nil && a.Kind == course.Example {
			return nil // a save before the first run, or before the prediction
		}
		return m.perform()
	}
	return m.run()
}

// activityFrame is the text of the part and what is asked, or shown, below it; beside it where there is room.
func (m *Model) activityFrame(width, height int) []string {
	if width-3 >= sideBySide+16 {
		left := min((width-3)*58/100, widestText+2)
		return m.theme.Frame(width, height, []draw.Row{{Panes: []draw.Pane{
			m.sized(m.textPane(left-2, height-2), left), m.answerPane(width-3-left-2, height-2),
		}}})
	}
	inner := draw.InnerWidth(width)
	lines, _ := m.answerLines(inner)
	text := max(len(m.page(inner)), 1)
	above := min(text, height-3-min(len(lines), (height-3)*55/100)) // a short text leaves the rest to what is asked
	return m.theme.Frame(width, height, []draw.Row{
		{Height: above, Panes: []draw.Pane{m.textPane(inner, above)}},
		{Height: height - 3 - above, Panes: []draw.Pane{m.answerPane(inner, height-3-above)}},
	})
}

func (m *Model) sized(p draw.Pane, width int) draw.Pane {
	p.Width = width
	return p
}

// answerPane shows what is asked and what came of it. The box that is written in is always visible.
func (m *Model) answerPane(inner, height int) draw.Pane {
	lines, cursor := m.answerLines(inner)
	if cursor >= 0 {
		m.step.answers.follow(cursor, height)
	}
	title := m.answerTitle()
	shown := m.step.answers.window(lines, height)
	if more := m.step.answers.more(len(lines), height); more != "" {
		title += "   " + m.theme.Say("%s, [ and ] scroll", more)
	}
	return draw.Pane{Title: title, Lines: shown}
}

func (m *Model) answerTitle() string {
	a := m.activity()
	result := m.options.Session.Result(a)
	switch {
	case m.step.revising:
		return m.theme.Say("Your revision")
	case result != nil && a.Runs():
		return strings.TrimSpace(fmt.Sprintf("%s   %s", result.Evidence, m.resultWord(a, result.Report)))
	case a.Kind == course.Revision:
		return a.Title
	case len(a.Choices) > 0:
		return m.theme.Say("Choose one")
	case a.Kind == course.Example || a.Kind == course.Challenge:
		return m.theme.Say("Your prediction, one value a line")
	case len(a.Asks) > 0:
		return m.theme.Say("In writing")
	case a.Runs():
		return m.theme.Say("Not run yet")
	}
	return m.theme.Say("What to do")
}

// resultWord is how the last run of a part ended.
func (m *Model) resultWord(a *course.Activity, r grader.Report) string {
	switch {
	case a.Kind == course.Example && r.Verdict == grader.Pass:
		return m.theme.Say("ran to its end, %s", draw.Duration(r.Environment.Elapsed.Total()))
	case a.Kind == course.Demonstration && r.Outcome == grader.Observed:
		return m.theme.Say("what it left")
	}
	return string(r.Verdict) + ": " + m.theme.Outcome(r)
}

// activityKeys are the keys of a part that asks for something.
func (m *Model) activityKeys() []binding {
	a := m.activity()
	var list []binding
	result := m.options.Session.Result(a)
	switch {
	case len(a.Choices) > 0 && !m.answered():
		list = append(list, binding{"Enter", "answer", "commit the choice under the cursor"}, binding{"j/k", "move", "through the choices; a digit does the same"})
	case !m.answered():
		list = append(list, binding{"Enter", "write", "write the texts"}, binding{"j/k", "scroll", "the text"})
	case a.Runs() && result == nil:
		list = append(list, binding{"Enter", "run", "run it, and set what you predicted beside it"})
	case a.Kind == course.Power && result == nil:
		list = append(list, binding{"Enter", "explore", "a crash after every operation of yours"})
	case a.Kind == course.Fresh && !m.options.Session.Finished(a):
		list = append(list, binding{"Enter", "begin", "put the first version into a backup"})
	default:
		list = append(list, binding{"Enter", "go on", "to the next part"})
	}
	if a.Runs() && m.answered() {
		list = append(list, binding{"r", "run", "run it; saving a file of it does the same"})
	}
	if len(a.Edits) > 0 {
		list = append(list, binding{"e", "edit", "its files in your editor"})
	}
	if a.Skip && m.options.Session.Choice(a) == a.Right {
		list = append(list, binding{"s", "skip", "leave this page out; that is recorded"})
	}
	if m.mayRevise(a) {
		list = append(list, binding{"w", "revise", "write what you learned from the difference"})
	}
	if result != nil && a.Runs() || a.Kind == course.Power {
		list = append(list, binding{"o", "evidence", "everything that the run shows: operations, output, where values were read"})
	}
	if a.Kind == course.Writing {
		return list
	}
	return append(list, binding{lang.Key("[ and ]"), "lower pane", "scroll the pane below the text"})
}

// owned are the files of the student in the operations of a part's run.
func (m *Model) owned(a *course.Activity) []string {
	return append(append([]string{}, a.Edits...), workbench.Places(m.exercise())...)
}
