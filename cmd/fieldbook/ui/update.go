package ui

import (
	"os/exec"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader"
	"fieldbook/units"
)

// press does what a key means: first for what lies on top, then for the screen, then for every screen.
func (m *Model) press(key, text string) tea.Cmd {
	m.spend()
	switch key {
	case "ctrl+c":
		return m.leave()
	case "ctrl+l":
		return redraw()
	}
	m.notice = ""
	if m.overlay != noOverlay {
		return m.pressOverlay(key, text)
	}
	if box := m.focused(); box != nil {
		return m.pressBox(box, key, text)
	}
	switch key {
	case "?":
		m.open(helpOverlay)
		return nil
	case "q":
		return m.leave()
	}
	if m.screen == mapScreen {
		return m.pressMap(key)
	}
	return m.pressStep(key)
}

// longestPause is how long a student may think between two keys before the rest counts as being away.
const longestPause = 5 * time.Minute

// spend adds the time since the last key to the step that is shown.
func (m *Model) spend() {
	now := m.options.Now()
	if m.screen == stepScreen && !m.pressed.IsZero() {
		m.options.Session.Spend(min(now.Sub(m.pressed), longestPause))
	}
	m.pressed = now
}

func (m *Model) leave() tea.Cmd {
	m.leaving = true
	return tea.Quit
}

// happened takes what a command outside the loop reports.
func (m *Model) happened(e event) tea.Cmd {
	switch e := e.(type) {
	case ran:
		return m.hasRun(e)
	case decided:
		if m.deciding == e.of {
			m.busy = "keeping the run"
			m.step.run = &workbench.Run{Report: e.report}
			m.step.cursor, m.step.timeline = m.firstOfInterest(e.report), scroll{}
		}
	case started:
		m.busy = ""
		if e.breakage != nil && e.breakage.Exercise.Name != m.unit().ExerciseOf(m.current()) {
			e.breakage.Close() // the student has gone on to a step of another exercise
			return m.prepare()
		}
		m.hasStarted(e)
	case injected:
		m.busy = ""
		if m.leftBehind(e) {
			return m.prepare()
		}
		if e.err != nil {
			m.fails(e.err)
			return nil
		}
		m.injection = &e.injection
		m.step.cursor, m.step.timeline = m.firstOfInterest(e.injection.Broken), scroll{}
		if e.injection.Found && m.kind() == units.Inject {
			m.finish()
		}
	case performed:
		return m.hasPerformed(e)
	case explored:
		m.hasExplored(e)
	case laid:
		if e.err != nil {
			m.fails(e.err)
		}
		if e.activity == m.activity() {
			m.readOwn()
			return m.watcher.begin(m.ctx, m.files())
		}
	case saved:
		m.readOwn()
		// The watcher goes on waiting, whatever becomes of this save.
		return tea.Batch(m.watcher.wait(), m.rerun())
	case edited:
		if e.err != nil {
			m.notice = "The editor ended with an error: " + e.err.Error() + ". Set EDITOR to another one."
		}
		m.readOwn()
		// Editors that save without notification, and files that were edited while the screen was away.
		return m.rerun()
	}
	return nil
}

func (m *Model) hasRun(e ran) tea.Cmd {
	m.busy, m.deciding = "", nil
	if e.run.Report.Outcome != "" {
		m.step.run = &e.run
		m.step.runs++
		m.step.cursor, m.step.timeline = m.firstOfInterest(e.run.Report), scroll{}
		if e.run.Report.Verdict == grader.Pass && (m.kind() == units.Construct || m.kind() == units.Repair) && e.err == nil {
			m.finish()
		}
	}
	if e.err != nil {
		m.fails(e.err)
	}
	if e.run.Report.Verdict == grader.Pass {
		m.refresh() // the prediction can be revised now
	}
	if m.again {
		m.again = false
		return m.rerun()
	}
	return nil
}

func (m *Model) hasStarted(e started) {
	if e.err != nil {
		m.fails(e.err)
		return
	}
	if m.breakage != nil && m.breakage != e.breakage {
		m.breakage.Close()
	}
	m.breakage, m.baseline = e.breakage, &e.baseline
	if e.baseline.Verdict() == grader.Pass && m.kind() == units.Baseline {
		m.finish()
	}
}

// finish records the student's step as finished.
func (m *Model) finish() {
	if err := m.options.Session.Finish(); err != nil {
		m.fails(err)
	}
}

// run runs the student's file: the exercise, or in Unit B the repair.
func (m *Model) run() tea.Cmd {
	kind := m.kind()
	if kind != units.Construct && kind != units.Repair {
		return nil
	}
	if m.busy != "" {
		m.again = true
		return nil
	}
	bench, e, breakage, ctx := m.options.Session.Bench, m.exercise(), m.breakage, m.ctx
	if kind == units.Repair && breakage == nil {
		return m.start() // the repair runs when its baseline is there
	}
	m.busy = "running"
	if kind == units.Repair {
		return tea.Batch(m.toWork(), func() tea.Msg {
			run, err := breakage.Repair(ctx)
			return ran{run, err}
		})
	}
	verdict := make(chan grader.Report, 1)
	m.deciding = verdict
	bench = bench.Deciding(func(r grader.Report) {
		select {
		case verdict <- r:
		default: // of the second execution of a run that passed
		}
	})
	return tea.Batch(m.toWork(), decision(verdict), func() tea.Msg {
		defer close(verdict)
		run, err := bench.Run(ctx, e)
		return ran{run, err}
	})
}

// decision waits for a verdict; a run that ends without one closes the channel.
func decision(verdict <-chan grader.Report) tea.Cmd {
	return func() tea.Msg {
		if report, ok := <-verdict; ok {
			return decided{report, verdict}
		}
		return nil
	}
}

// start opens what the student's unit starts from and runs its baseline.
func (m *Model) start() tea.Cmd {
	if m.busy != "" {
		return nil
	}
	m.busy = "verifying and executing"
	session, ctx := m.options.Session, m.ctx
	return func() tea.Msg {
		x, err := session.OpenStart(ctx)
		if err != nil {
			return started{err: err}
		}
		baseline, err := x.Baseline(ctx)
		return started{x, baseline, err}
	}
}

// inject looks for the step's fault.
func (m *Model) inject() tea.Cmd {
	if m.busy != "" {
		return nil
	}
	if m.breakage == nil || m.baseline == nil || m.baseline.Verdict() != grader.Pass {
		return m.start()
	}
	m.busy = "looking for the edit"
	x, fault, ctx := m.breakage, m.unit().FaultOf(m.current()), m.ctx
	return func() tea.Msg {
		injection, err := x.Inject(ctx, fault)
		return injected{x, injection, err}
	}
}

// leftBehind reports whether the student has gone on to another exercise or fault while one was looked for.
func (m *Model) leftBehind(e injected) bool {
	if e.breakage != m.breakage {
		return true
	}
	return (m.kind() == units.Inject || m.kind() == units.Diagnose) && e.err == nil && e.injection.Fault != m.unit().FaultOf(m.current())
}

// edit opens the files of the part in the student's editor.
func (m *Model) edit() tea.Cmd {
	files := m.files()
	if len(files) == 0 {
		return nil
	}
	if len(m.options.Editor) == 0 {
		m.notice = "No editor is known. Set EDITOR, or open " + files[0] + " in one: saving runs it."
		return nil
	}
	command := exec.CommandContext(m.ctx, m.options.Editor[0], append(slices.Clone(m.options.Editor[1:]), files...)...)
	return tea.Exec(inTerminal{command}, func(err error) tea.Msg { return edited{err} })
}
