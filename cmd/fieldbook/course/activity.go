package course

import (
	"fmt"
	"strings"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/runtime/world"
	"fieldbook/units"
)

// Kind says what a student does in an activity.
type Kind string

// The kinds of activities.
const (
	Reading       Kind = "read"          // a text
	Choosing      Kind = "question"      // one of several answers; what is right is said afterwards
	Recalling     Kind = "check"         // a text; the answer is revealed after it
	Example       Kind = "example"       // values of a program's output are predicted, then it runs
	Writing       Kind = "prompts"       // texts that the step asks for
	Demonstration Kind = "demonstration" // a supplied function runs
	Finding       Kind = "find"          // a line is named
	Picking       Kind = "gap"           // one of the things that nothing has shown yet
	Challenge     Kind = "challenge"     // fields are predicted, then a supplied probe meets the student's function
	Power         Kind = "crash"         // an operation is named, then the crash matrix shows
	OwnProbe      Kind = "own-probe"     // the student's probe and expectation run
	Fresh         Kind = "from-memory"   // the first solution is put aside
	Cases         Kind = "cases"         // a direct exercise on its table and on the student's own cases
	Impostors     Kind = "impostors"     // wrong functions meet the student's cases
	Revision      Kind = "revision"      // what was predicted is compared with what ran
	Work          Kind = "work"          // the screen of the step's own kind
)

// Ask is one text that an activity asks for.
type Ask struct {
	ID   string
	Text string
	Line bool // one line is enough
}

// Activity is one thing to do in a step. What belongs together in it is committed together.
type Activity struct {
	ID      string // unique in its step: "packages/question", "example/budget"; "" for the step's own text
	Kind    Kind
	Title   string
	Text    string // Markdown that is read first
	Asks    []Ask
	Choices []string // instead of a text: the answer is one of these
	Right   int      // number of the right choice, from 1; 0: every choice will do
	Answer  string   // revealed after an attempt
	Page    string   // id of the page that it belongs to, ""
	Skip    bool     // a right answer may skip the rest of the page
	Edits   []string // files of the workspace that the student edits for it

	unit, step    string // where its answers are recorded
	example       *units.Example
	challenge     *units.Challenge
	demonstration *units.Demonstration
	exercise      string
}

// Runs reports whether the activity has something to run.
func (a *Activity) Runs() bool {
	switch a.Kind {
	case Example, Demonstration, Challenge, OwnProbe, Cases, Impostors:
		return true
	}
	return false
}

// kind is how the record of a step names the answer to one of the activity's asks.
func (a *Activity) kind(ask Ask) string {
	if a.Kind == Writing || a.Kind == Revision {
		return ask.ID
	}
	return a.ID + "/" + ask.ID
}

// Activities are what a student does in a step, in order. What opens later is not among them yet.
func (s *Session) Activities(u *units.Unit, step *units.Step) []*Activity {
	l := lister{session: s, unit: u, step: step}
	l.add(Activity{Kind: Reading, Title: step.Title, Text: l.stepText()})
	switch {
	case step.Rereads != "" || step.Closed:
		l.prompts(step.Prompts)
		if s.Answered(u.ID, step) {
			l.pages()
		}
		return l.list
	case step.OwnProbe:
		l.prompts(step.Prompts)
		l.ownProbe()
	case step.Transfer != nil:
		l.prompts(step.Prompts[:min(1, len(step.Prompts))])
		l.transfer()
		l.impostors()
		l.prompts(step.Prompts[min(1, len(step.Prompts)):])
	case step.Kind == units.Predict || step.Kind == units.Construct || step.Kind == units.Diagnose:
		l.examples(step.Examples, "")
		l.prompts(step.Prompts)
	default:
		l.pages()
		l.examples(step.Examples, "")
		l.demonstration()
		l.find()
		l.work()
		l.challenges()
		l.gaps()
		l.power()
		l.impostors()
		l.prompts(step.Prompts)
		l.compare()
		return l.list
	}
	l.work()
	l.revision(u, step)
	return l.list
}

// lister gathers the activities of a step.
type lister struct {
	session *Session
	unit    *units.Unit
	step    *units.Step
	list    []*Activity
}

// say is a text of the interface in the student's language.
func (l *lister) say(format string, args ...any) string { return l.session.Words.Say(format, args...) }

func (l *lister) add(a Activity) {
	a.unit, a.step = l.unit.ID, l.step.ID
	l.list = append(l.list, &a)
}

// stepText is the step's own text, with the tables that belong to it.
func (l *lister) stepText() string {
	text := strings.TrimPrefix(l.unit.Text(l.step), "# "+l.step.Title+"\n\n")
	if missing := l.session.Language.Missing(l.unit.Language()); missing != "" {
		text = missing + "\n\n" + text
	}
	text = strings.TrimRight(text, "\n") + "\n" + l.unit.Exhibits(l.step)
	if l.unit.Pause != nil && l.unit.Pause.Step == l.step.ID {
		text += "\n" + l.unit.Recap()
	}
	return text
}

func (l *lister) prompts(list []units.Prompt) {
	if len(list) == 0 {
		return
	}
	title := l.say("Your notes")
	switch {
	case l.step.Kind == units.Predict || l.step.OwnProbe:
		title = l.say("Your prediction")
	case l.step.Kind == units.Diagnose:
		title = l.say("Your diagnosis")
	case l.step.Notes != "":
		title = l.say("Your notes, kept in %s", l.step.Notes)
	}
	var asks []Ask
	for _, p := range list {
		asks = append(asks, Ask{ID: p.ID, Text: p.Ask})
	}
	l.add(Activity{ID: "prompts/" + list[0].ID, Kind: Writing, Title: title, Asks: asks})
}

// pages are the pages of the step: question, text, examples, check. A page that was skipped has its question alone.
func (l *lister) pages() {
	pages := l.unit.Pages(l.step)
	for i, p := range pages {
		where := l.say("%d of %d: %s", i+1, len(pages), p.Title)
		if q := p.Question; q != nil {
			l.add(Activity{ID: p.ID + "/question", Kind: Choosing, Page: p.ID, Title: where, Text: q.Ask,
				Asks: []Ask{{ID: "answer", Line: true}}, Choices: q.Choices, Right: q.Right, Answer: q.Because, Skip: p.Skip})
		}
		if l.session.Skipped(l.unit.ID, l.step.ID, p.ID) {
			continue
		}
		text := l.unit.PageText(l.step, p)
		if first, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(first, "# ") {
			text = strings.TrimLeft(rest, "\n") // the pane has the title
		}
		l.add(Activity{ID: p.ID + "/text", Kind: Reading, Page: p.ID, Title: where, Text: text})
		l.examples(p.Examples, p.ID)
		l.add(Activity{ID: p.ID + "/check", Kind: Recalling, Page: p.ID, Title: l.say("Check of %s", p.Title), Text: p.Check.Ask,
			Asks: []Ask{{ID: "answer", Text: l.say("Your answer, without looking back")}}, Answer: p.Check.Answer})
	}
}

func (l *lister) examples(list []units.Example, page string) {
	for _, e := range list {
		source, err := l.unit.ExampleSource(l.step, e)
		if err != nil {
			continue // reading the unit refuses an example that is not there
		}
		var asks []Ask
		for _, name := range e.Ask {
			asks = append(asks, Ask{ID: name, Text: name, Line: true})
		}
		text := e.Purpose + "\n\n```go\n" + strings.TrimRight(string(source), "\n") + "\n```\n"
		l.add(Activity{ID: "example/" + e.Name, Kind: Example, Page: page, Title: l.say("Example %s, SUPPLIED", e.Name), Text: text,
			Asks: asks, Answer: e.Again, Edits: []string{ExamplePlace(e)}, example: &e})
	}
}

// ExamplePlace is where the student's copy of an example lies in the workspace: a folder of its own, since each is a program.
func ExamplePlace(e units.Example) string { return "examples/" + e.Name + "/main.go" }

func (l *lister) demonstration() {
	d := l.step.Demonstration
	if d == nil {
		return
	}
	source, err := l.unit.Source(d.Source)
	if err != nil {
		return
	}
	l.add(Activity{ID: "demonstration", Kind: Demonstration, Title: l.say("The first idea runs, SUPPLIED"), demonstration: d, exercise: l.unit.ExerciseOf(l.step),
		Text: l.say("Run it, and read what it leaves.") + "\n\n```go\n" + strings.TrimRight(string(source), "\n") + "\n```\n"})
}

func (l *lister) find() {
	if f := l.step.Find; f != nil {
		l.add(Activity{ID: "find", Kind: Finding, Title: l.say("Name the line"), Text: f.Ask, exercise: l.unit.ExerciseOf(l.step),
			Asks: []Ask{{ID: "line", Text: l.say("File and line, such as probe.go:12"), Line: true}}})
	}
}

func (l *lister) challenges() {
	for _, c := range l.step.Challenges {
		source, err := l.unit.Source(c.Probe)
		if err != nil {
			continue
		}
		var asks []Ask
		for _, f := range c.Expect {
			asks = append(asks, Ask{ID: f.Field, Text: f.Field + ", " + l.valueWord(f.Value), Line: true})
		}
		l.add(Activity{ID: "challenge/" + c.ID, Kind: Challenge, Title: l.say("Challenge: %s", c.Title), exercise: l.unit.ExerciseOf(l.step), challenge: &c, Asks: asks,
			Text: c.Ask + "\n\n" + l.say("The probe, SUPPLIED:") + "\n\n```go\n" + strings.TrimRight(string(source), "\n") + "\n```\n"})
	}
}

// valueWord says which values a field can have, so that a prediction can be written as one.
func (l *lister) valueWord(v world.Value) string {
	switch v.Kind() {
	case world.Bool:
		return l.say("true or false")
	case world.Int:
		return l.say("a number")
	default:
		return l.say("none or a class of refusal")
	}
}

func (l *lister) gaps() {
	if len(l.step.Gaps) == 0 {
		return
	}
	a := Activity{ID: "gap", Kind: Picking, Title: l.say("Not yet shown"), Asks: []Ask{{ID: "choice", Line: true}},
		Text: l.say("Your PASS has not shown any of these. Choose the one that your own probe will show.")}
	for _, g := range l.step.Gaps {
		a.Choices = append(a.Choices, g.Text+". "+g.Look)
	}
	l.add(a)
}

func (l *lister) power() {
	if l.step.CrashQuestion != "" {
		l.add(Activity{ID: "crash", Kind: Power, Title: l.say("When the power fails"), exercise: l.unit.ExerciseOf(l.step), Text: l.step.CrashQuestion,
			Asks: []Ask{{ID: "operation", Text: l.say("The operation, and what nobody could do after it")}}})
	}
}

func (l *lister) ownProbe() {
	l.add(Activity{ID: "own-probe", Kind: OwnProbe, Title: "MY_TRANSFER", exercise: l.unit.ExerciseOf(l.step), Edits: []string{ProbePlace, ExpectationPlace},
		Text: l.say("Your probe lies in `%s`, and what you expect of it in `%s`. Write the expectation first.", ProbePlace, ExpectationPlace)})
}

func (l *lister) transfer() {
	e, err := exercises.Named(l.step.Transfer.Exercise)
	if err != nil {
		return
	}
	place := e.Replaces[0].File
	if l.step.Transfer.Memory {
		l.add(Activity{ID: "from-memory", Kind: Fresh, Title: l.say("Begin with an empty function"), exercise: e.Name,
			Text: l.say("Your first version goes into a backup, and the starter takes its place. Both stand side by side when the second one passes.")})
	}
	l.add(Activity{ID: "cases", Kind: Cases, Title: e.Title, exercise: e.Name, Edits: []string{place, CasesPlace(e)},
		Text: e.Summary + "\n\n" + l.say("Your function lies in `%s`, your cases in `%s`.", place, CasesPlace(e))})
	if l.step.Transfer.Memory {
		l.versions(place)
	}
}

// versions are the function as it was before the student began again, and as it is: shown once the second one passes.
func (l *lister) versions(place string) {
	fresh, cases := l.list[len(l.list)-2], l.list[len(l.list)-1]
	backup := l.session.backup(fresh)
	result := l.session.Result(cases)
	if backup == "" || result == nil || result.Report.Verdict != grader.Pass {
		return
	}
	first, err := l.session.Bench.Work.BackupText(backup, place)
	if err != nil {
		return // somebody has cleared the backups
	}
	for _, source := range result.Attempt.Sources {
		if source.Path != place {
			continue
		}
		second, err := l.session.Bench.Work.AttemptText(result.Attempt, source)
		if err != nil {
			return
		}
		l.add(Activity{ID: "versions", Kind: Reading, Title: l.say("Your two versions"), Text: l.say("The first version:") + "\n\n" + code(first) +
			"\n" + l.say("The second, from memory, %s:", result.Evidence) + "\n\n" + code(second)})
	}
}

// code is Go source as Markdown.
func code(source []byte) string {
	return "```go\n" + strings.TrimRight(string(source), "\n") + "\n```\n"
}

func (l *lister) impostors() {
	if l.step.Impostors == "" {
		return
	}
	e, err := exercises.Named(l.step.Impostors)
	if err != nil {
		return
	}
	l.add(Activity{ID: "impostors", Kind: Impostors, Title: l.say("Impostors"), exercise: e.Name, Edits: []string{CasesPlace(e)},
		Text: l.say("%d wrong functions meet the cases that you kept in `%s`. Each must be rejected by one of them.", len(e.Impostors), CasesPlace(e))})
}

// revision asks for a revision in the step whose prediction it revises, once something ran.
func (l *lister) revision(u *units.Unit, step *units.Step) {
	if step.Revision == "" || !l.session.Answered(u.ID, step) || !l.session.hasRun(u, step) {
		return
	}
	var predicted strings.Builder
	predicted.WriteString(l.say("What you predicted, and what ran.") + "\n\n")
	for i, text := range l.session.Answers(u.ID, step) {
		fmt.Fprintf(&predicted, "- *%s*: %s\n", step.Prompts[i].ID, strings.Join(strings.Fields(text), " "))
	}
	l.add(Activity{ID: "revision", Kind: Revision, Title: l.say("Predicted beside observed"), Text: predicted.String(), exercise: u.ExerciseOf(step),
		Asks: []Ask{{ID: "revision", Text: step.Revision}}})
	last := l.list[len(l.list)-1]
	last.unit, last.step = u.ID, step.ID
}

// compare asks under Connect, and under the injected failure, for the revision of the unit's prediction.
func (l *lister) compare() {
	if l.step.Kind != units.Connect && l.step.Kind != units.Inject {
		return
	}
	for i := range l.unit.Steps {
		if l.unit.Steps[i].Kind == units.Predict {
			l.revision(l.unit, &l.unit.Steps[i])
		}
	}
}

// work is the screen of the step's own kind.
func (l *lister) work() {
	switch l.step.Kind {
	case units.Construct, units.Connect, units.Choose, units.Baseline, units.Inject, units.Repair, units.Submit:
		l.add(Activity{ID: "work", Kind: Work, Title: l.step.Title})
	}
}
