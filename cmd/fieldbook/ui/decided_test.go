package ui

import (
	"strings"
	"testing"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/grader"
)

// The verdict of a run is shown before the run is kept, and the verdict of an earlier one never takes its place.
func TestVerdictComesFirst(t *testing.T) {
	m := mustModel(t, draw.Theme{}, 100, 30)
	goTo(m, "ch19-a", "construct")
	m.toWork()
	report := mustLoad[grader.Report](t, "naive")
	early := report
	early.Stages = nil

	stale, current := make(chan grader.Report), make(chan grader.Report)
	m.busy, m.deciding = "running", current
	m.Update(decided{early, stale})
	if m.step.run != nil || m.busy != "running" {
		t.Fatalf("another run's verdict is shown while this one is %s", m.busy)
	}
	m.Update(decided{early, current})
	frame := m.Frame()
	if !strings.Contains(frame, string(early.Verdict)) || !strings.Contains(frame, "keeping the run") {
		t.Errorf("the verdict does not show:\n%s", frame)
	}
	m.ranWith(report)
	if m.busy != "" || m.step.run.Attempt.Number != 1 || len(m.step.run.Report.Stages) != len(report.Stages) {
		t.Errorf("the run that was kept is not the one that is shown: %+v", m.step.run.Attempt)
	}
	m.Update(decided{early, current})
	if m.busy != "" || len(m.step.run.Report.Stages) != len(report.Stages) {
		t.Error("a late verdict takes the place of the run that was kept")
	}
}

// A run that is not decided ends without a verdict of its own.
func TestDecisionEndsWithTheRun(t *testing.T) {
	verdict := make(chan grader.Report)
	close(verdict)
	if message := decision(verdict)(); message != nil {
		t.Errorf("a run without a verdict told %v", message)
	}
}
