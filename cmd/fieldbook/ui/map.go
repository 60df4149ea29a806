package ui

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/grader"
	"fieldbook/units"
)

// courseMap is the list of units; the steps of one of them are shown.
type courseMap struct {
	open   string // unit whose steps are shown
	unit   string // under the cursor
	step   string // under the cursor; "" on the unit itself
	scroll scroll
	survey map[string]course.Survey // by unit, read when the map is opened
}

// at puts the cursor where the student stopped.
func (c *courseMap) at(s *course.Session) {
	c.open, c.unit, c.step = s.Unit().ID, s.Unit().ID, s.Step().ID
	c.survey = map[string]course.Survey{}
}

// place is a line of the map.
type place struct{ unit, step string }

func (m *Model) places() []place {
	var list []place
	for _, u := range m.options.Session.Bench.Units {
		list = append(list, place{u.ID, ""})
		if u.ID == m.courses.open {
			for _, s := range u.Steps {
				list = append(list, place{u.ID, s.ID})
			}
		}
	}
	return list
}

func (m *Model) pressMap(key string) tea.Cmd {
	list := m.places()
	at := 0
	for i, p := range list {
		if p == (place{m.courses.unit, m.courses.step}) {
			at = i
		}
	}
	switch key {
	case "down", "j":
		at = min(at+1, len(list)-1)
	case "up", "k":
		at = max(at-1, 0)
	case "home", "g":
		at = 0
	case "end", "G":
		at = len(list) - 1
	case "v", "t", "/", "s":
		return m.look(key)
	case "a":
		return m.openAttempts()
	case "c":
		return m.enter(m.unit().ID, m.current().ID)
	case "enter":
		return m.enterPlace(list[at])
	}
	m.courses.unit, m.courses.step = list[at].unit, list[at].step
	return nil
}

// pickPlace puts the cursor on a line of the list; on the line where it is already, it opens that.
func (m *Model) pickPlace(line int) {
	if list, at := m.places(), m.courses.scroll.top+line; at >= 0 && at < len(list) {
		m.courses.unit, m.courses.step = list[at].unit, list[at].step
	}
}

// enterPlace opens a step. A unit shows its steps first, and opens where the student stopped in it the second time.
func (m *Model) enterPlace(p place) tea.Cmd {
	if p.step != "" {
		return m.enter(p.unit, p.step)
	}
	if m.courses.open != p.unit {
		m.courses.open = p.unit
		return nil
	}
	u, err := units.Named(m.options.Session.Bench.Units, p.unit)
	if err != nil {
		return nil
	}
	return m.enter(p.unit, m.options.Session.Resume(u))
}

// showMap opens the course map with fresh facts.
func (m *Model) showMap() {
	m.watcher.stop()
	m.screen = mapScreen
	m.courses.at(m.options.Session)
}

func (m *Model) survey(u *units.Unit) course.Survey {
	if v, ok := m.courses.survey[u.ID]; ok {
		return v
	}
	v, err := m.options.Session.Survey(u)
	if err != nil {
		m.fails(err)
	}
	m.courses.survey[u.ID] = v
	return v
}

// mapLeft is the width of the list of units.
func mapLeft(width int) int { return min(max(width*52/100, 34), 56) }

// twoPanes is the width from which the map has its second pane.
const twoPanes = 60

func (m *Model) mapFrame(width, height int) []string {
	left := mapLeft(width)
	if width < twoPanes {
		left = width - 2
	}
	lines, cursor := m.unitList(left - 2)
	m.courses.scroll.follow(cursor, height-2)
	shown, err := units.Named(m.options.Session.Bench.Units, m.courses.unit)
	if err != nil {
		return nil
	}
	if width < twoPanes {
		m.hit = hitArea{right: width, top: 2, height: height - 2, pick: m.pickPlace}
		return m.theme.Frame(width, height, []draw.Row{{Panes: []draw.Pane{{Title: "Units", Lines: m.courses.scroll.window(lines, height-2)}}}})
	}
	right := width - left - 5
	m.hit = hitArea{right: left + 1, top: 2, height: height - 2, pick: m.pickPlace}
	return m.theme.Frame(width, height, []draw.Row{{Panes: []draw.Pane{
		{Title: "Units", Width: left, Lines: m.courses.scroll.window(lines, height-2)},
		{Title: m.mapTitle(shown), Lines: m.unitFacts(shown, right)},
	}}})
}

func (m *Model) mapTitle(u *units.Unit) string {
	if u == m.unit() {
		return m.theme.Say("Continue with Enter")
	}
	return u.ID
}

// unitList is the list with the line of its cursor.
func (m *Model) unitList(width int) (lines []string, cursor int) {
	t, s := m.theme, m.options.Session
	for _, u := range s.Bench.Units {
		spent := 0.0
		for _, step := range u.Steps {
			spent += s.Progress.Of(u.ID).Of(step.ID).Spent.Minutes()
		}
		sign := draw.OpenSign
		if u == m.unit() {
			sign = t.Accent.On(draw.HereSign)
		}
		line := sign + " " + t.Strong.On(draw.Fit(u.ID, 11)) + " " + u.Title
		lines = append(lines, m.pick(u.ID, "", line, m.theme.Say("%.0f of %d", spent, u.Minutes), width, len(lines), &cursor))
		if u.ID != m.courses.open {
			continue
		}
		for i := range u.Steps {
			step := &u.Steps[i]
			record := s.Progress.Of(u.ID).Of(step.ID)
			line := "    " + m.stepSign(u, step) + " " + step.Title
			lines = append(lines, m.pick(u.ID, step.ID, line, fmt.Sprintf("%3.0f %3s", record.Spent.Minutes(), m.planned(u, step, width)), width, len(lines), &cursor))
		}
	}
	lines = append(lines, "")
	for _, line := range draw.Hang(" ", t.Say("✓ done  ▸ here  • to do  minutes: spent, plan"), width) {
		lines = append(lines, t.Faint.On(line))
	}
	return lines, cursor
}

// wideList is the width from which the list says of which step another one is a part.
const wideList = 50

// planned is a step's minutes. A step that is a part of another one has none, and names that one where there is room.
func (m *Model) planned(u *units.Unit, step *units.Step, width int) string {
	if step.Minutes > 0 {
		return strconv.Itoa(step.Minutes)
	}
	if within := u.Step(step.Within); within != nil && width >= wideList {
		return m.theme.Say("in %s", within.Title)
	}
	return "-"
}

// pick is one line of the list, marked when the cursor is on it.
func (m *Model) pick(unit, step, line, right string, width, at int, cursor *int) string {
	line = draw.Fit(" "+line, width-draw.Width(right)-1) + " " + m.theme.Faint.On(right)
	if m.courses.unit == unit && m.courses.step == step {
		*cursor = at
		return m.mark(line)
	}
	return line
}

// stepSign is a step's state in one sign.
func (m *Model) stepSign(u *units.Unit, step *units.Step) string {
	switch {
	case m.options.Session.Done(u.ID, step.ID):
		return m.theme.Pass.On(draw.PassSign)
	case u == m.unit() && step.ID == m.current().ID:
		return m.theme.Accent.On(draw.HereSign)
	default:
		return draw.OpenSign
	}
}

// unitFacts is the right side of the map: where the student stopped, the unit's question, what is kept, the runs.
func (m *Model) unitFacts(u *units.Unit, width int) []string {
	t, v := m.theme, m.survey(u)
	var lines []string
	section := func(title string, body ...string) {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, t.Title.On(title))
		lines = append(lines, body...)
	}
	if u == m.unit() {
		lines = append(lines, draw.Wrap(t.Say("You stopped at %s.", m.current().Title), width)...)
	}
	section(t.Say("The question of this unit"), draw.Wrap(u.Question, width)...)
	if v.Last != nil && len(v.Last.Fields) > 0 {
		section(t.Say("The last run: %s", v.Last.Verdict), m.lastRun(v.Last.Fields, width)...)
	}
	var kept []string
	for _, k := range v.Kept {
		sign := draw.OpenSign
		if k.There {
			sign = t.Pass.On(draw.PassSign)
		}
		kept = append(kept, draw.Hang(sign+" "+draw.Fit(t.Message(k.Name), 14)+" ", t.Message(k.Detail), width)...)
	}
	section(t.Say("Kept so far"), kept...)
	if len(v.Attempts) > 0 {
		section(t.Say("Runs"), m.runChart(v, width)...)
	}
	section(t.Say("Assumed"), draw.Wrap(t.Say("%s. Everything else is taught here. All names and accounts are fictitious.", strings.Join(u.Assumes, ", ")), width)...)
	return lines
}

// lastRun is the comparison in the little room there is: what differs with its values, the rest by name.
func (m *Model) lastRun(fields []grader.Field, width int) []string {
	var lines []string
	for _, f := range fields {
		if f.Agrees {
			lines = append(lines, draw.Cut(m.theme.Pass.On(draw.PassSign)+" "+f.Name, width))
			continue
		}
		text := m.theme.Say("%s: expected %s, observed %s", f.Name, f.Expected, m.theme.Differ.On(f.Observed.String()))
		lines = append(lines, draw.Hang(m.theme.Differ.On(draw.DifferSign)+" ", text, width)...)
	}
	return lines
}

// runChart is one sign a run, the latest at the right, and the count.
func (m *Model) runChart(v course.Survey, width int) []string {
	t := m.theme
	passed := 0
	var signs []string
	for _, a := range v.Attempts {
		sign := t.Differ.On(draw.DifferSign)
		if a.Verdict == grader.Pass {
			passed++
			sign = t.Pass.On(draw.PassSign)
		}
		signs = append(signs, sign)
	}
	if room := width / 2; len(signs) > room && room > 0 {
		signs = signs[len(signs)-room:]
	}
	return []string{strings.Join(signs, " "), t.Say("passed: %d of %d", passed, len(v.Attempts))}
}

func mapKeys() []binding {
	return append([]binding{
		{"Enter", "open", "open the step, or the steps of the unit"},
		{"j/k", "move", "move the cursor; the arrow keys do the same"},
		{"c", "continue", "go on where you stopped"},
		{"/", "search", "in every text, command and key"},
		{"t", "terms", "the card: terms with the paragraph that defines each, calls, usual slips"},
		{"a", "attempts", "your attempts, with what changed between them"},
		{"s", "submission", "what will be submitted, and how much of it is there"},
		{"v", "sources", "the supplied sources"},
	}, always()...)
}
