package scenario

import (
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/runtime/fieldnotes"
)

// Tell is Show for a line mode: the same, file after file, with words where Show has frames and signs.
func Tell(t draw.Theme, e Evidence, width int) []string {
	var lines []string
	for _, file := range []struct {
		name  string
		lines []string
	}{
		{fieldnotes.CheckpointFile, checkpointLines(t, e)},
		{fieldnotes.EffectsFile, effectLines(t, e)},
		{fieldnotes.TraceFile, traceLines(t, e, width-2)},
	} {
		lines = append(lines, file.name)
		for _, line := range file.lines {
			lines = append(lines, "  "+line)
		}
	}
	lines = append(lines, t.Say("Time line"))
	for _, m := range moments(t, e) {
		if m.heading {
			lines = append(lines, shown(m.what))
			continue
		}
		lines = append(lines, draw.Hang("  "+m.sign+" ", m.told(t), width)...)
	}
	if findings := e.Findings(); len(findings) > 0 {
		lines = append(lines, t.Say("What the artifacts show"))
		lines = append(lines, FindingLines(t, findings, width)...)
	}
	return lines
}

// told is a moment in a sentence.
func (m moment) told(t draw.Theme) string {
	what := shown(m.what)
	switch {
	case m.window:
		return t.Say("%s: the effect is there, the checkpoint says %s; inside the window", what, shown(m.phase))
	case m.effect:
		return t.Say("%s: the effect is there, the checkpoint says %s", what, shown(m.phase))
	default:
		return t.Say("%s: no effect, the checkpoint says %s", what, shown(m.phase))
	}
}
