package plain

import (
	"fmt"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader"
	"fieldbook/units"
)

// forget drops what Unit B has built up.
func (m *mode) forget() {
	if m.breakage != nil {
		m.breakage.Close()
	}
	m.breakage, m.baseline, m.injection = nil, nil, nil
}

// runKind runs the student's file as the step asks.
func (m *mode) runKind() (workbench.Run, error) {
	e, err := m.exercise()
	if err != nil {
		return workbench.Run{}, err
	}
	if m.kind() == units.Construct {
		return m.Session.Bench.Run(m.ctx, e)
	}
	if err := m.open(); err != nil {
		return workbench.Run{}, err
	}
	return m.breakage.Repair(m.ctx)
}

// chooseStart lists what the unit may start from and records the choice.
func (m *mode) chooseStart() error {
	list, err := m.Session.Candidates()
	if err != nil {
		return err
	}
	for i, c := range list {
		state := c.Label
		if c.Refused {
			state = m.Texts.Say("INVALID, cannot be chosen")
		}
		m.item(fmt.Sprintf("%3d  ", i+1), "%s: %s. %s.", m.Texts.Message(c.Name), state, m.Texts.Message(c.Detail))
	}
	n, ok, err := m.pick("Number to start from:", len(list))
	if err != nil || !ok {
		return err
	}
	c := list[n-1]
	if c.Refused {
		m.say("This handoff cannot be used: %s. Choose another one, or write it again in the first unit.", m.Texts.Message(c.Detail))
		return nil
	}
	m.forget()
	if err := m.Session.Choose(c.Start); err != nil {
		return err
	}
	m.say("Chosen: %s, %s.", m.Texts.Message(c.Name), c.Label)
	return m.Session.Finish()
}

// open opens what the unit starts from and runs its baseline, once.
func (m *mode) open() error {
	if m.breakage != nil && m.breakage.Exercise.Name == m.unit().ExerciseOf(m.step()) {
		return nil
	}
	m.forget()
	x, err := m.Session.OpenStart(m.ctx)
	if err != nil {
		return err
	}
	baseline, err := x.Baseline(m.ctx)
	if err != nil {
		x.Close()
		return err
	}
	m.breakage, m.baseline = x, &baseline
	return nil
}

func (m *mode) runBaseline() error {
	m.forget()
	if err := m.open(); err != nil {
		return err
	}
	m.report(m.baseline.Report, workbench.Places(m.breakage.Exercise))
	switch {
	case m.baseline.Same && m.breakage.Handoff != nil:
		m.say("The recorded result, byte for byte.")
	case m.baseline.Report.Verdict == grader.Pass && !m.baseline.Same:
		m.say("INVALID: the code passes, and its result is not the recorded one.")
	}
	if m.baseline.Verdict() == grader.Pass {
		return m.Session.Finish()
	}
	return nil
}

// found opens the unit's start and makes sure that its fault is injected; false when that cannot be.
func (m *mode) found() (bool, error) {
	if err := m.open(); err != nil {
		return false, err
	}
	if m.baseline.Verdict() != grader.Pass {
		m.say("The baseline does not pass, so nothing is injected. Run it to see why.")
		return false, nil
	}
	if fault := m.unit().FaultOf(m.step()); m.injection == nil || m.injection.Fault != fault {
		injection, err := m.breakage.Inject(m.ctx, fault)
		if err != nil {
			return false, err
		}
		m.injection = &injection
	}
	if !m.injection.Found {
		m.say("None of %d edits gives exactly the declared failure of %s. Start from the reference to see it.", m.injection.Candidates, m.injection.Fault)
	}
	return m.injection.Found, nil
}

// inject says what the fault caused. The edit stays hidden.
func (m *mode) inject() error {
	found, err := m.found()
	if err != nil || !found {
		return err
	}
	m.say("INJECTED_FAILURE reproduced. What it caused:")
	for i, step := range workbench.Consequence(m.breakage.Exercise, m.injection.Fault) {
		m.item(fmt.Sprintf("%3d. ", i+1), "%s.", m.Texts.Message(step))
	}
	m.say("What the probe observed:")
	for i, f := range m.injection.Broken.Fields {
		yours := "-"
		if i < len(m.injection.Good.Fields) {
			yours = m.injection.Good.Fields[i].Observed.String()
		}
		m.item("  ", "%s: yours %s, injected %s.", f.Name, yours, f.Observed)
	}
	if err := m.differences(); err != nil {
		return err
	}
	m.say("The edit opens after your diagnosis.")
	return m.Session.Finish()
}

// differences says in which cells the two worlds differ.
func (m *mode) differences() error {
	found, err := m.found()
	if err != nil || !found {
		return err
	}
	if len(m.injection.Differences) == 0 {
		m.say("No table of the two worlds differs; what differs is in the files. Fields that were read from them:")
		for i, f := range m.injection.Broken.Fields {
			if i < len(m.injection.Good.Fields) && !f.Observed.Equal(m.injection.Good.Fields[i].Observed) {
				m.item("  ", "%s: yours %s, injected %s. From %s.", f.Name, m.injection.Good.Fields[i].Observed, f.Observed, m.Texts.Message(f.From))
			}
		}
		return nil
	}
	m.say("All tables of the two worlds were compared, row by row. Cells that differ:")
	for _, d := range m.injection.Differences {
		m.item("  ", "%s, %s.%s: yours %s, injected %s.", d.Cell.Database, d.Cell.Table, d.Cell.Column, evidence.Short(d.Want), evidence.Short(d.Got))
	}
	return nil
}

func (m *mode) brokenOperations() error {
	m.operations(evidence.Timeline(m.injection.Broken.Operations, workbench.Places(m.breakage.Exercise)...))
	return nil
}

// diagnosis says the edit, and whether the student's texts name it.
func (m *mode) diagnosis() error {
	found, err := m.found()
	if err != nil || !found {
		return err
	}
	i := m.injection
	d := course.Diagnose(m.Session.Answers(m.unit().ID, m.step()), *i)
	if i.Supplied {
		m.say("SUPPLIED_FAULT: the course's own broken function took the place of %s.", i.Path)
	} else {
		m.say("The edit, in your own source: %s. Candidate %d of %d.", m.Texts.Message(i.Edit.What), i.Candidate, i.Candidates)
		for n, line := range i.Before {
			m.item("  ", "yours, line %d: %s", i.Edit.Line+n, draw.Tabs(line))
		}
		for n, line := range i.After {
			m.item("  ", "injected, line %d: %s", i.Edit.Line+n, draw.Tabs(line))
		}
	}
	if d.OnLine > 0 {
		m.named(d.Line, m.Texts.Say("line %d is the line that was changed", d.OnLine))
	}
	if len(i.Differences) == 0 {
		m.named(d.Cell, m.Texts.Say("%s is where it shows", m.Texts.Message(d.WasIn)))
	} else {
		m.named(d.Cell, m.Texts.Say("%s is the cell that differs", d.WasIn))
	}
	return nil
}

func (m *mode) named(named bool, fact string) {
	if named {
		m.say("You named it: %s.", fact)
		return
	}
	m.say("Not in your text: %s.", fact)
}
