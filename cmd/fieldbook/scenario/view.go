package scenario

import (
	"fmt"
	"strings"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/runtime/fieldnotes"
)

// roomy is the width from which the columns of a time line have their whole names.
const roomy = 64

// sideBySide is the width from which the three artifacts stand beside each other.
const sideBySide = 96

// Show draws evidence: the three artifacts beside each other where there is room, below them the time line with the window
// between effect and checkpoint, and what the artifacts show that they must not.
func Show(t draw.Theme, e Evidence, width int) []string {
	checkpoint := draw.Pane{Title: fieldnotes.CheckpointFile, Lines: checkpointLines(t, e)}
	effects := draw.Pane{Title: fieldnotes.EffectsFile, Lines: effectLines(t, e)}
	trace := draw.Pane{Title: fieldnotes.TraceFile}
	inner := draw.InnerWidth(width)
	if width >= sideBySide {
		checkpoint.Width, effects.Width = 40, 30
		inner = width - checkpoint.Width - effects.Width - 6
	}
	trace.Lines = traceLines(t, e, inner)
	var lines []string
	if width >= sideBySide {
		lines = framed(t, width, checkpoint, effects, trace)
	} else {
		for _, pane := range []draw.Pane{checkpoint, effects, trace} {
			lines = append(lines, framed(t, width, pane)...)
		}
	}
	lines = append(lines, "", t.Title.On(t.Say("Time line")))
	lines = append(lines, TimeLine(t, e, width)...)
	if findings := e.Findings(); len(findings) > 0 {
		lines = append(lines, "", t.Title.On(t.Say("What the artifacts show")))
		lines = append(lines, FindingLines(t, findings, width)...)
	}
	return lines
}

// framed is a frame as high as the highest of its panes needs.
func framed(t draw.Theme, width int, panes ...draw.Pane) []string {
	height := 1
	for _, p := range panes {
		height = max(height, len(p.Lines))
	}
	return t.Frame(width, height+2, []draw.Row{{Height: height, Panes: panes}})
}

// FindingLines are findings, one paragraph each.
func FindingLines(t draw.Theme, findings []Finding, width int) []string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, draw.HangFlow(t.Differ.On(draw.DifferSign)+" ", t.Message(f.Message), width)...)
	}
	return lines
}

// missing are the lines of an artifact that is not there or cannot be read.
func missing(t draw.Theme, e Evidence, file string) []string {
	if !e.Has(file) {
		return []string{t.Faint.On(t.Say("absent"))}
	}
	for _, p := range e.Problems {
		if p.File == file {
			return append([]string{t.Differ.On(draw.DifferSign + " " + t.Say("unreadable"))}, draw.Wrap(shown(p.Cause), 24)...)
		}
	}
	return nil
}

func checkpointLines(t draw.Theme, e Evidence) []string {
	c := e.Checkpoint
	if c == nil {
		return missing(t, e, fieldnotes.CheckpointFile)
	}
	return []string{
		"run_id       " + shown(c.RunID),
		"phase        " + t.Strong.On(shown(string(c.Phase))),
		fmt.Sprintf("step         %d", c.Step),
		fmt.Sprintf("budget_left  %d", c.BudgetLeft),
		fmt.Sprintf("recovered    %t", c.Recovered),
		"stop_reason",
		"  " + shown(c.StopReason),
		"idempotency_key",
		"  " + shown(c.IdempotencyKey),
	}
}

func effectLines(t draw.Theme, e Evidence) []string {
	if e.Effects == nil {
		return missing(t, e, fieldnotes.EffectsFile)
	}
	count := t.Say("%d keys", len(e.Effects))
	if len(e.Effects) == 1 {
		count = t.Say("1 key")
	}
	lines := []string{t.Strong.On(count)}
	for _, key := range e.Keys() {
		effect := e.Effects[key]
		lines = append(lines, shown(key), "  "+shown(t.Say("%s, order %s", effect.Tenant, effect.OrderID)), "  "+shown(effect.Status))
	}
	return lines
}

func traceLines(t draw.Theme, e Evidence, width int) []string {
	if len(e.Trace) == 0 {
		if lines := missing(t, e, fieldnotes.TraceFile); lines != nil {
			return lines
		}
		return []string{t.Faint.On(t.Say("no event"))}
	}
	var lines []string
	for _, event := range e.Trace {
		lines = append(lines, draw.Hang(draw.Right(fmt.Sprint(event.Line), 3)+" ", event.Told(), width)...)
	}
	if e.Unfinished {
		lines = append(lines, t.Changed.On("    "+t.Say("a line that was never finished")))
	}
	return lines
}

// Told is an event on one line: its name and what it is about.
func (e Event) Told() string {
	about := ""
	switch e.Name {
	case Decision:
		about = e.Word("reason")
	case CheckpointEvent:
		about = e.Word("phase")
		if reason := e.Word("stop_reason"); reason != "" {
			about += ", " + reason
		}
	case Committed, Reused:
		about = e.Word("idempotency_key")
	case Outcome:
		about = fmt.Sprintf("%s, verified %s, recovered %s, reused %s", e.Word("stop_reason"), e.Word("verified"), e.Word("recovered"), e.Word("reused"))
	}
	return shown(e.Name + " " + about)
}

// moment is a line of the time line.
type moment struct {
	sign, what string
	heading    bool
	effect     bool // it is there
	phase      string
	window     bool // an effect is there, and no checkpoint says so
}

// moments follows the trace, run by run.
func moments(t draw.Theme, e Evidence) []moment {
	var all []moment
	now := moment{phase: string(fieldnotes.New)}
	add := func(sign, what string) {
		m := now
		m.sign, m.what = sign, what
		all = append(all, m)
	}
	for _, episode := range e.Episodes() {
		heading := t.Say("not recorded")
		if episode.Run != nil {
			heading = strings.TrimPrefix(episode.Run.Command, "fieldbook scenario ")
		}
		all = append(all, moment{heading: true, what: t.Say("run %d  %s", episode.Number, heading)})
		for _, event := range episode.Events {
			switch event.Name {
			case Committed:
				now.effect, now.window = true, true
			case Reused:
				now.effect = true
			case CheckpointEvent:
				now.phase = event.Word("phase")
				now.window = now.window && now.phase == string(fieldnotes.Prepared)
			}
			add(fmt.Sprint(event.Line), strings.TrimSpace(event.Name+" "+brief(event)))
		}
		switch run := episode.Run; {
		case run == nil:
		case run.ExitCode == fieldnotes.ExitCrashed:
			now.effect = now.effect || run.Left[fieldnotes.EffectsFile] != ""
			add(draw.DifferSign, t.Say("the process is gone"))
		case run.ExitCode > fieldnotes.ExitInvalid:
			add(draw.DifferSign, t.Say("it came to no end"))
		case len(episode.Events) == 0:
			now.effect = run.Left[fieldnotes.EffectsFile] != ""
			add(draw.OpenSign, t.Say("it printed %q and noted nothing", run.Printed))
		}
	}
	return all
}

// brief is what a line of the time line needs of an event.
func brief(event Event) string {
	switch event.Name {
	case Decision:
		return event.Word("reason")
	case CheckpointEvent:
		return event.Word("phase")
	case Outcome:
		return event.Word("stop_reason")
	}
	return ""
}

// TimeLine draws the events of a trace from top to bottom, run by run, with what the world and the checkpoint say at each. The
// bracket is the window: the effect is there, and no checkpoint says so.
func TimeLine(t draw.Theme, e Evidence, width int) []string {
	all := moments(t, e)
	if len(all) == 0 {
		return []string{t.Faint.On(t.Say("Nothing was recorded, and the trace has no event."))}
	}
	what := 24
	for _, m := range all {
		what = max(what, draw.Width(shown(m.what)))
	}
	effect, phase := 8, 16
	if width < roomy {
		effect, phase = 3, 9
	}
	what = min(what, max(width-4-2-effect-phase-3, 8))
	var lines []string
	if width >= roomy {
		lines = append(lines, t.Faint.On(draw.Spaces(4+what+2)+draw.Fit(t.Say("effect"), effect)+draw.Fit("checkpoint", phase)+t.Say("window")))
	}
	told := false
	for i, m := range all {
		if m.heading {
			lines = append(lines, t.Accent.On(draw.Cut(shown(m.what), width)))
			continue
		}
		there := "·"
		if m.effect {
			there = "●"
		}
		bracket := ""
		if m.window {
			bracket, told = t.Changed.On(bracketAt(all, i)), true
		}
		line := draw.Right(m.sign, 3) + " " + draw.Fit(shown(m.what), what) + "  " + draw.Fit(there, effect) + draw.Fit(shown(m.phase), phase) + bracket
		lines = append(lines, strings.TrimRight(draw.Cut(line, width), " "))
	}
	if told {
		lines = append(lines, draw.Wrap(t.Say("window: the effect is there, and no checkpoint says so. A run that ends inside it must find the effect by its key."), width)...)
	}
	return lines
}

// bracketAt is the piece of the bracket at a moment inside the window.
func bracketAt(all []moment, i int) string {
	inside := func(step int) bool {
		for n := i + step; n >= 0 && n < len(all); n += step {
			if !all[n].heading {
				return all[n].window
			}
		}
		return false
	}
	switch before, after := inside(-1), inside(1); {
	case !before && !after:
		return "╶"
	case !before:
		return "┐"
	case !after:
		return "┘"
	}
	return "│"
}
