package plain

import (
	"fmt"
	"strings"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/matrix"
	"fieldbook/cmd/fieldbook/submit"
)

// attempts lists the attempts and says what changed before the chosen one.
func (m *mode) attempts() error {
	e, err := m.exercise()
	if err != nil {
		return err
	}
	work := m.Session.Bench.Work
	list, err := work.ListAttempts(e.Name)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		m.say("Nothing has run yet. Every run is kept, the first one for good.")
		return nil
	}
	for i, a := range list {
		m.item(fmt.Sprintf("%3d  ", i+1), "%s, %s, %s: %s (%s).", a.Evidence(), a.Time.Local().Format("2 Jan 15:04"), a.Label, a.Verdict, strings.ReplaceAll(string(a.Outcome), "_", " "))
	}
	n, ok, err := m.pick("Number of an attempt to hear what changed before it, or Enter for none:", len(list))
	if err != nil || !ok {
		return err
	}
	if n == 1 {
		m.say("No attempt came before this one.")
		return nil
	}
	after, before := list[n-1], list[n-2]
	for _, source := range after.Sources {
		text, err := work.AttemptText(after, source)
		if err != nil {
			return err
		}
		var old []byte
		for _, earlier := range before.Sources {
			if earlier.Path == source.Path {
				if old, err = work.AttemptText(before, earlier); err != nil {
					return err
				}
			}
		}
		m.say("%s, from %s to %s. A minus begins a line that is gone, a plus a new one.", source.Path, before.Evidence(), after.Evidence())
		for _, line := range (draw.Theme{}).Diff(string(old), string(text), max(m.Width, 400)) {
			fmt.Fprintln(m.Out, line)
		}
	}
	return nil
}

// crash explores what a crash after each operation leaves, and says what breaks.
func (m *mode) crash() error {
	e, err := m.exercise()
	if err != nil {
		return err
	}
	question := m.Session.Question(m.unit(), e)
	if question != nil && !m.Session.Committed(question) {
		m.say("First say after which operation you would least like the power to fail: %s asks it.", question.Title)
		return nil
	}
	m.say("Exploring what a crash after each of your operations leaves. This takes a few seconds.")
	found, run, err := m.Session.Explore(m.ctx, e, question)
	if err != nil {
		return err
	}
	if question != nil && run.Attempt.Number > 0 {
		m.Session.Performed(question, run)
	}
	if found == nil {
		m.cause(run.Report)
		m.messages(run.Report.Diagnostics)
		return nil
	}
	if len(found.Rows) == 0 {
		m.say("There is no matrix: %s %s", found.Cause, found.Hint)
		return nil
	}
	m.say("%s, crash matrix: %s. %d operations, %d states explored, %d distinct.", run.Attempt.Evidence(), found.Verdict, len(found.Operations), found.Explored, len(found.States))
	for _, r := range found.Rows {
		var broken []string
		for j, c := range r.Cells {
			if !c.Holds() {
				broken = append(broken, found.Invariants[j].ID)
			}
		}
		state := m.Texts.Say("every invariant holds")
		if len(broken) > 0 {
			state = m.Texts.Say("BROKEN") + ": " + strings.Join(broken, ", ")
		}
		m.item("  ", "After %s, %s: %s.", matrix.After(r), strings.TrimSpace(r.Place+" "+r.What), state)
	}
	for _, cell := range matrix.Breaches(found, len(found.Invariants)) {
		m.say("%s", matrix.Heading(m.theme(), found, cell))
		for _, line := range matrix.Detail(draw.Theme{}, found, cell, m.Width) {
			fmt.Fprintln(m.Out, line)
		}
	}
	return nil
}

// term says the terms of the unit's card, and the paragraph that defines the chosen one.
func (m *mode) term() error {
	terms := m.unit().Card().Terms
	for i, t := range terms {
		m.item(fmt.Sprintf("%3d  ", i+1), "%s: %s", t.Term, t.Means)
	}
	n, ok, err := m.pick("Number of a term, or Enter for none:", len(terms))
	if err != nil || !ok {
		return err
	}
	t := terms[n-1]
	if t.Lies != "" {
		m.say("It lies in %s.", t.Lies)
	}
	for _, check := range t.Checked {
		m.say("Checked by %s.", check)
	}
	m.text(m.unit().Paragraph(t))
	return nil
}

// mostFound is how many places a search lists.
const mostFound = 40

// search looks for a word in every text and goes to the chosen place.
func (m *mode) search() error {
	query, err := m.ask("Words to look for:")
	if err != nil || query == "" {
		return err
	}
	type place struct{ unit, step string }
	var places []place
	for _, u := range m.Session.Bench.Units {
		for i := range u.Steps {
			step := &u.Steps[i]
			for _, a := range m.Session.Activities(u, step) {
				text := strings.Join(strings.Fields(a.Title+" "+a.Text), " ")
				at := strings.Index(strings.ToLower(text), strings.ToLower(query))
				if at < 0 || at > len(text) || len(places) == mostFound {
					continue
				}
				places = append(places, place{u.ID, step.ID})
				m.item(fmt.Sprintf("%3d  ", len(places)), "%s, %s: …%s", u.ID, step.Title, draw.Cut(text[at:], 120))
			}
		}
	}
	if len(places) == 0 {
		m.say("No text has %q.", query)
		return nil
	}
	n, ok, err := m.pick("Number of a place to go to, or Enter to stay:", len(places))
	if err != nil || !ok {
		return err
	}
	return m.visit(places[n-1].unit, places[n-1].step)
}

// submission says what will be submitted of the unit, and how much of it is there.
func (m *mode) submission() error {
	items, err := submit.List(m.Session.Bench.Work, m.unit(), m.Session.Progress)
	if err != nil {
		return err
	}
	m.items(items)
	return nil
}

func (m *mode) items(items []submit.Item) {
	for _, i := range items {
		m.item("  ", "%s: %s.", strings.TrimSuffix(i.What, "."), i.State())
	}
}

// submit makes the archive and says where it lies.
func (m *mode) submit() error {
	made, err := submit.Make(m.Session.Bench.Work, m.unit(), m.Session.Progress, m.Courses...)
	if err != nil {
		return err
	}
	for _, file := range made.Files {
		fmt.Fprintln(m.Out, "Saved evidence: "+file) // one line, whatever its width: scripts read it
	}
	m.items(made.Items)
	fmt.Fprintln(m.Out, "Saved evidence: "+made.Archive)
	m.say("Read back and verified: %d bytes, sha256 %s.", made.Bytes, made.SHA256)
	if made.SubmitTo != "" {
		m.say("What to do with it: %s", made.SubmitTo)
	} else {
		m.say("What to do with it: hand in this one file as your instructor asks; no course.yaml says where.")
	}
	for _, limit := range m.unit().Limits {
		m.say("Not shown: %s", limit)
	}
	fmt.Fprintln(m.Out, made.Course.Line())
	return m.Session.Finish()
}
