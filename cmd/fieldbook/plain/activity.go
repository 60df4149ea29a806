package plain

import (
	"fmt"
	"strconv"
	"strings"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/exercises"
	"fieldbook/grader"
)

// parts are what there is to do in the step, in order.
func (m *mode) parts() []*course.Activity { return m.Session.Activities(m.unit(), m.step()) }

// resume points at the first part that the student has not done since they stopped. The step's text has been read.
func (m *mode) resume() {
	list := m.parts()
	m.part = m.Session.Stopped(list)
	if m.part == 0 || m.part < len(list) && list[m.part].Kind != course.Work && m.Session.Finished(list[m.part]) {
		m.part++
	}
}

// current is the part that comes next, nil after the last one.
func (m *mode) current() *course.Activity {
	if list := m.parts(); m.part < len(list) {
		return list[m.part]
	}
	return nil
}

// goOn does the next part and points at the one after it.
func (m *mode) goOn() error {
	a := m.current()
	if err := m.Session.Stop(a); err != nil {
		return err
	}
	if err := m.do(a); err != nil {
		return err
	}
	list := m.parts() // recording something opens or closes parts
	for i, other := range list {
		if other.ID == a.ID && (m.Session.Finished(a) || !a.Runs()) {
			m.part = i + 1
		}
	}
	if a.Kind == course.Reading && m.part >= len(list) && len(m.Session.Left()) == 0 {
		m.say("That was the last part of this step.")
	}
	return nil
}

// listParts lists the parts of the step with their state and goes to the chosen one.
func (m *mode) listParts() error {
	list := m.parts()
	for i, a := range list {
		state := ""
		if a.Kind != course.Reading && a.Kind != course.Work {
			state = ": " + m.Texts.Say("to do")
			if m.Session.Finished(a) {
				state = ": " + m.Texts.Say("done")
			}
		}
		m.item(fmt.Sprintf("%3d  ", i+1), "%s%s", a.Title, state)
	}
	n, ok, err := m.pick("Number of a part to go to, or Enter to stay:", len(list))
	if err != nil || !ok {
		return err
	}
	m.part = n - 1
	return m.goOn()
}

// do reads a part's text, asks what it asks, runs what it runs, and says what came of it.
func (m *mode) do(a *course.Activity) error {
	m.empty()
	m.say("%s.", strings.TrimSuffix(a.Title, "."))
	m.text(a.Text)
	if a.Kind == course.Work {
		m.say("This is the work of the step; the choices below do it.")
		return nil
	}
	if len(a.Choices) > 0 {
		return m.question(a)
	}
	if a.Kind == course.Revision {
		m.compared(a)
	}
	if !m.Session.Committed(a) {
		if written, err := m.commit(a); err != nil || !written {
			return err
		}
	} else {
		m.committed(a)
	}
	m.answer(a)
	switch {
	case a.Kind == course.Fresh:
		return m.fresh(a)
	case a.Kind == course.Power:
		return m.crash()
	case a.Kind == course.Writing:
		return m.written()
	case a.Runs():
		return m.perform(a)
	}
	return nil
}

func (m *mode) text(markdown string) {
	for _, line := range m.theme().Markdown(markdown, m.Width) {
		fmt.Fprintln(m.Out, line.Text)
	}
}

// question asks for one of several answers and says which is right.
func (m *mode) question(a *course.Activity) error {
	for i, choice := range a.Choices {
		m.item(fmt.Sprintf("%3d  ", i+1), "%s", choice)
	}
	if m.Session.Choice(a) == 0 {
		n, ok, err := m.pick("Number of your answer, or Enter to leave it open:", len(a.Choices))
		if err != nil || !ok {
			return err
		}
		if err := m.Session.Write(a, []string{strconv.Itoa(n)}); err != nil {
			return err
		}
	}
	chosen := m.Session.Choice(a)
	switch {
	case a.Right == 0:
		m.say("You chose %d. It becomes the probe that you write yourself.", chosen)
		return nil
	case chosen == a.Right:
		m.say("Right. %s", a.Answer)
	default:
		m.say("You chose %d, and %d is right. %s", chosen, a.Right, a.Answer)
	}
	if !a.Skip || chosen != a.Right || m.Session.Skipped(m.unit().ID, m.step().ID, a.Page) {
		return nil
	}
	answer, err := m.ask("Type skip to skip this page, which is recorded, or Enter to read it:")
	if err != nil || answer != "skip" {
		return err
	}
	return m.Session.Skip(a)
}

// commit asks for each text and commits them. Nothing is committed when one is left empty.
func (m *mode) commit(a *course.Activity) (written bool, err error) {
	var texts []string
	for _, ask := range a.Asks {
		m.empty()
		text, err := m.ask(ask.Text + ":")
		if err != nil {
			return false, err
		}
		texts = append(texts, text)
	}
	if err := m.Session.Write(a, texts); err != nil {
		return false, err
	}
	if len(texts) > 0 {
		m.say("Committed. The texts stay as they are; what you learn later is a revision.")
	}
	return true, nil
}

// committed says the texts that stay.
func (m *mode) committed(a *course.Activity) {
	for i, text := range m.Session.Texts(a) {
		m.item("  ", "%s: %s", strings.TrimSuffix(a.Asks[i].Text, ":"), text)
	}
}

// answer says what is revealed after an attempt.
func (m *mode) answer(a *course.Activity) {
	switch a.Kind {
	case course.Recalling:
		m.say("The course's answer: %s", a.Answer)
		m.say("Yours stays beside it. Nobody scores it: compare the two.")
	case course.Finding:
		right, calls := m.Session.Found(a)
		m.named(right, m.Texts.Say("%s calls your function", calls))
	}
}

func (m *mode) fresh(a *course.Activity) error {
	if m.Session.Finished(a) {
		m.say("Begun. Your first version lies in a backup.")
		return nil
	}
	answer, err := m.ask("Type begin to put your first version into a backup, or Enter to leave it:")
	if err != nil || answer != "begin" {
		return err
	}
	backup, err := m.Session.StartFresh(a)
	if err == nil {
		m.say("The starter is in its place. Your first version is in backup %s.", backup)
	}
	return err
}

// perform runs a part, says what was predicted beside what was observed, and asks for a revision where they differ.
func (m *mode) perform(a *course.Activity) error {
	if why := m.Session.Ready(a); why != "" {
		m.say("%s", why)
		return nil
	}
	if err := m.Session.Prepare(m.ctx, a); err != nil {
		return err
	}
	for _, place := range a.Edits {
		m.say("Your file: %s", m.Session.Bench.Work.Path(place))
	}
	if len(a.Edits) > 0 {
		answer, err := m.ask("Enter runs it. Type later to come back to it:")
		if err != nil || answer == "later" {
			return err
		}
	}
	run, err := m.Session.Perform(m.ctx, a)
	if run.Report.Outcome != "" {
		m.Session.Performed(a, run)
	}
	if err != nil {
		return err
	}
	m.heard(a)
	if len(a.Asks) == 0 || course.Differs(m.Session.Rows(a)) == 0 || len(m.Session.Revised(a)) > 0 {
		return nil
	}
	text, err := m.ask("A revision: what do you say now of the values that differ? Enter for none:")
	if err != nil || text == "" {
		return err
	}
	return m.Session.Revise(a, text)
}

// heard says the last run of a part.
func (m *mode) heard(a *course.Activity) {
	result := m.Session.Result(a)
	if result == nil {
		return
	}
	r := result.Report
	m.say("%s, %s: %s (%s). Engine %s. Sandbox %s.", result.Evidence, r.Label, r.Verdict, draw.Outcome(r), r.Environment.Engine, r.Environment.Sandbox)
	m.cause(r)
	m.messages(r.Diagnostics)
	m.compared(a)
	m.operations(evidence.Timeline(r.Operations, append(append([]string{}, a.Edits...), m.ownPlaces()...)...))
	m.printed(r.Output)
	if missing := m.Session.Missing(a); missing != "" {
		m.say("%s", missing)
	}
	if a.Kind == course.Example && a.Answer != "" {
		m.say("Once more: %s", a.Answer)
	}
}

func (m *mode) ownPlaces() []string {
	e, err := m.exercise()
	if err != nil {
		return nil
	}
	return workbench.Places(e)
}

// compared says each value: predicted, expected, observed.
func (m *mode) compared(a *course.Activity) {
	for _, r := range m.Session.Rows(a) {
		var parts []string
		for _, part := range []struct{ name, value string }{{"predicted", r.Predicted}, {"expected", r.Expected}, {"observed", r.Observed}} {
			if part.value != "" {
				parts = append(parts, part.name+" "+part.value)
			}
		}
		state := "Agrees."
		if !r.As {
			state = "DIFFERS."
		}
		m.item("  ", "%s: %s. %s", r.Name, strings.Join(parts, ", "), state)
	}
	for _, text := range m.Session.Revised(a) {
		m.item("  ", "Revised: %s", text)
	}
}

// lines of the contract, as the operations of the last run show them.
func (m *mode) contract() error {
	e, err := m.exercise()
	if err != nil {
		return err
	}
	var report grader.Report
	if m.run != nil {
		report = m.run.Report
	}
	for i, step := range e.Follow(e.Contract, report.Operations) {
		state := m.progress(step.Progress)
		if step.Line > 0 {
			state = m.Texts.Say("%s, your line %d", state, step.Line)
		}
		m.item(fmt.Sprintf("%3d  ", i+1), "%s (%s)", m.Texts.Message(step.Rule.Text), state)
	}
	return nil
}

// progress says how far the log of a run has come with a line of the contract.
func (m *mode) progress(p exercises.Progress) string {
	switch p {
	case exercises.Seen:
		return m.Texts.Say("seen")
	case exercises.TooLate:
		return m.Texts.Say("seen too late")
	default:
		return m.Texts.Say("not yet")
	}
}
