package ui

import (
	"fmt"
	"testing"
	"time"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/runtime/world"
)

// keys presses keys one after the other; commands that they start are not run.
func keys(m *Model, names ...string) {
	for _, name := range names {
		m.press(name, name)
	}
}

// goTo opens a step.
func goTo(m *Model, unit, step string) { m.enter(unit, step) }

// toPart shows the first part of a kind.
func toPart(m *Model, kind course.Kind) {
	for i, a := range m.step.cards {
		if a.Kind == kind {
			m.show(i)
			return
		}
	}
}

// performedWith ends a run of the part that is shown.
func (m *Model) performedWith(report grader.Report) {
	m.Update(performed{activity: m.activity(), run: workbench.Run{Report: report, Attempt: workspace.Attempt{Number: 7}}})
}

// attemptsWith keeps two attempts at the exercise: the first idea, and one that passes.
func (m *Model) attemptsWith(t *testing.T) {
	t.Helper()
	for _, attempt := range []struct{ name, text string }{
		{"naive", "package assistant\n\nfunc Restore() error {\n\tpause()\n\treturn copy()\n}\n"},
		{"passed", "package assistant\n\nfunc Restore() error {\n\tif err := pauseImage(); err != nil {\n\t\treturn err\n\t}\n\treturn copy()\n}\n"},
	} {
		report := mustLoad[grader.Report](t, attempt.name)
		_, err := m.options.Session.Bench.Work.AddAttempt(workspace.Attempt{Exercise: "restore", Label: "VISIBLE", Outcome: report.Outcome, Verdict: report.Verdict,
			Sources: []workspace.AttemptSource{{Path: "runtime/assistant/restore.go", Name: "restore.go", Text: []byte(attempt.text)}}}, report)
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (m *Model) ranWith(report grader.Report) {
	number := m.step.runs + 1
	m.Update(ran{run: workbench.Run{Report: report, Attempt: workspace.Attempt{Number: number}}})
}

// injectedWith leads to the injected failure of the recorded injection, started from the reference.
func (m *Model) injectedWith(t *testing.T) {
	t.Helper()
	goTo(m, "ch19-b", "choose")
	if err := m.options.Session.Choose(workspace.ReferenceStart); err != nil {
		t.Fatal(err)
	}
	goTo(m, "ch19-b", "inject")
	m.toWork()
	i := mustLoad[task.Injection](t, "injection")
	m.baseline = &workbench.Baseline{Report: i.Good, Same: true}
	m.Update(injected{injection: i})
}

// frames are the screens that are held, each with what leads to it.
func frames() map[string]func(*testing.T, *Model) {
	return map[string]func(*testing.T, *Model){
		"map": func(*testing.T, *Model) {},
		"map-unit-b": func(_ *testing.T, m *Model) {
			keys(m, "G", "enter")
		},
		"opening": func(_ *testing.T, m *Model) { goTo(m, "ch19-a", "opening") },
		"concepts-end": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "concepts")
			m.Frame()
			keys(m, "G")
		},
		"predict-writing": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "predict")
			toPart(m, course.Writing)
			m.step.focus = 0
			for _, r := range "Paused is 1, because the copy leaves the pause of the live shop where it is." {
				m.press(string(r), string(r))
			}
			m.press("tab", "")
			m.press("T", "T")
		},
		"predict-committed": func(t *testing.T, m *Model) {
			goTo(m, "ch19-a", "predict")
			toPart(m, course.Writing)
			for i := range m.step.boxes {
				m.step.boxes[i].insert(fmt.Sprintf("Text number %d.", i+1))
			}
			m.commit()
		},
		"construct-needs-work": func(t *testing.T, m *Model) {
			goTo(m, "ch19-a", "construct")
			m.toWork()
			m.ranWith(mustLoad[grader.Report](t, "naive"))
			keys(m, "h")
		},
		"construct-rows": func(t *testing.T, m *Model) {
			goTo(m, "ch19-a", "construct")
			m.toWork()
			m.ranWith(mustLoad[grader.Report](t, "naive"))
			keys(m, "o", "z")
		},
		"construct-operation": func(t *testing.T, m *Model) {
			goTo(m, "ch19-a", "construct")
			m.toWork()
			m.ranWith(mustLoad[grader.Report](t, "passed"))
			keys(m, "enter")
		},
		"construct-messages": func(t *testing.T, m *Model) {
			goTo(m, "ch19-a", "construct")
			m.toWork()
			m.ranWith(mustLoad[grader.Report](t, "compile"))
		},
		"construct-limit": func(t *testing.T, m *Model) {
			goTo(m, "ch19-a", "construct")
			m.toWork()
			m.ranWith(grader.Report{Exercise: "restore", Label: "VISIBLE", Outcome: grader.MemoryLimit, Verdict: grader.Limit,
				Cause: "limit: 256 MiB of memory; asked for more", Hint: "Something grows without end."})
		},
		"inject-consequence": func(t *testing.T, m *Model) {
			m.injectedWith(t)
		},
		"inject-operations": func(t *testing.T, m *Model) {
			m.injectedWith(t)
			keys(m, "o")
		},
		"help": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "construct")
			m.toWork()
			keys(m, "?")
		},
		"question": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "primers")
			toPart(m, course.Choosing)
			keys(m, "j")
		},
		"question-answered": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "primers")
			toPart(m, course.Choosing)
			keys(m, "enter")
		},
		"contents": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "primers")
			keys(m, "c", "j")
		},
		"example-predicting": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "primers")
			toPart(m, course.Example)
			keys(m, "enter", "1", "enter", "0")
		},
		"example-compared": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "primers")
			toPart(m, course.Example)
			keys(m, "enter", "1", "enter", "0", "enter")
			m.performedWith(grader.Report{Outcome: grader.Observed, Verdict: grader.Pass, Label: "EXAMPLE",
				Output:      grader.Output{Text: "stored: 1\nread again: 1\n", Total: 24},
				Environment: grader.Environment{Engine: "yaegi", Sandbox: "standard", Elapsed: grader.Elapsed{Run: 6 * time.Millisecond}}})
		},
		"check-revealed": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "primers")
			toPart(m, course.Recalling)
			keys(m, "enter", "A", "ctrl+s")
		},
		"challenge-compared": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "challenge")
			toPart(m, course.Challenge)
			keys(m, "enter", "x", "enter", "y", "enter")
			m.performedWith(grader.Report{Outcome: grader.Observed, Verdict: grader.Pass, Label: "CHALLENGE", Fields: []grader.Field{
				{Name: "finish", Expected: world.StringValue("permission"), Observed: world.StringValue("permission"), Agrees: true},
				{Name: "status", Expected: world.StringValue("READY"), Observed: world.StringValue("READY"), Agrees: true},
			}})
		},
		"impostors": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "transfer")
			toPart(m, course.Impostors)
			m.performedWith(grader.Report{Outcome: grader.Observed, Verdict: grader.NeedsWork, Label: "IMPOSTOR", Fields: []grader.Field{
				{Name: "constant-true", Expected: world.StringValue("rejected"), Observed: world.StringValue("rejected"), Agrees: true, From: "Agrees with everything."},
				{Name: "length-only", Expected: world.StringValue("rejected"), Observed: world.StringValue("accepted by every case"), From: "Counts the names and never looks at one."},
			}})
		},
		"contract": func(t *testing.T, m *Model) {
			goTo(m, "ch19-a", "construct")
			m.toWork()
			m.ranWith(mustLoad[grader.Report](t, "passed"))
			keys(m, "o", "o", "z")
		},
		"attempts": func(t *testing.T, m *Model) {
			m.attemptsWith(t)
			goTo(m, "ch19-a", "construct")
			keys(m, "a")
		},
		"diff": func(t *testing.T, m *Model) {
			m.attemptsWith(t)
			goTo(m, "ch19-a", "construct")
			m.toWork()
			keys(m, "d")
		},
		"search": func(_ *testing.T, m *Model) {
			keys(m, "/")
			for _, r := range "every claim" {
				m.press(string(r), string(r))
			}
		},
		"refused-forward": func(_ *testing.T, m *Model) {
			goTo(m, "ch19-a", "predict")
			keys(m, "n")
		},
	}
}
