// Package plain is the course as a line mode: append-only text with numbered choices, for screen readers and for
// terminals that cannot move a cursor. It shows the same session of package course as the app and can do all that the app
// can. Values that differ are said in words, and nothing depends on columns. It runs in the parent.
package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/units"
)

// Options are what the line mode works with.
type Options struct {
	Session *course.Session
	Explain func(error) *grader.Error
	Editor  []string // command that edits a file in this terminal; empty where there is none
	In      io.Reader
	Out     io.Writer
	Width   int
	Texts   lang.Texts // the language in which it speaks
	Courses []string   // where an instructor's course.yaml may lie
}

// mode is the line mode at work.
type mode struct {
	Options
	ctx   context.Context
	input input

	run       *workbench.Run
	runs      int
	breakage  *workbench.Breakage
	baseline  *workbench.Baseline
	injection *task.Injection
	part      int // the next part of the step, an index
	leaving   bool
}

// errLeft ends the loop: the input has ended.
var errLeft = errors.New("the input has ended")

// Run shows the course until the student leaves, the input ends or ctx does.
func Run(ctx context.Context, o Options) error {
	m := &mode{Options: o, ctx: ctx, input: input{scanner: bufio.NewScanner(o.In)}}
	defer m.forget()
	m.welcome()
	m.resume()
	for !m.leaving {
		m.showStep()
		if err := m.choose(m.choices()); err != nil {
			if errors.Is(err, errLeft) {
				return nil
			}
			return err
		}
	}
	return nil
}

// input reads typed lines one at a time, and only when one is asked for: an editor that was started in between gets the
// terminal for itself.
type input struct {
	scanner *bufio.Scanner
	pending chan typed // of a line that was asked for and has not come
}

type typed struct {
	line string
	open bool
}

func (i *input) next(ctx context.Context) (string, error) {
	if i.pending == nil {
		pending := make(chan typed, 1)
		go func() {
			open := i.scanner.Scan()
			pending <- typed{i.scanner.Text(), open}
		}()
		i.pending = pending
	}
	select {
	case t := <-i.pending:
		i.pending = nil
		if !t.open {
			return "", errLeft
		}
		return strings.TrimSpace(t.line), nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (m *mode) say(format string, args ...any) {
	for _, line := range draw.Flow(m.Texts.Say(format, args...), m.Width) {
		fmt.Fprintln(m.Out, line)
	}
}

// item is a line of a list, wrapped with its continuation indented.
func (m *mode) item(prefix, format string, args ...any) {
	for _, line := range draw.HangFlow(prefix, m.Texts.Say(format, args...), m.Width) {
		fmt.Fprintln(m.Out, line)
	}
}

// theme draws what package draw makes: without colours, in the language of the course.
func (m *mode) theme() draw.Theme { return draw.Theme{Texts: m.Texts} }

func (m *mode) empty() { fmt.Fprintln(m.Out) }

// fails says what is wrong and what to do.
func (m *mode) fails(err error) {
	e := m.Explain(err)
	m.say("%s. %s", m.Texts.Message(e.Message), m.Texts.Message(e.Hint))
}

// ask reads one line after a question.
func (m *mode) ask(question string) (string, error) {
	m.say("%s", m.Texts.Format(question))
	return m.input.next(m.ctx)
}

// pick asks for a number from 1 to last. ok is false when nothing was typed, or nothing that is one of them; that is said.
func (m *mode) pick(question string, last int) (n int, ok bool, err error) {
	answer, err := m.ask(question)
	if err != nil || answer == "" {
		return 0, false, err
	}
	n, _ = strconv.Atoi(answer) // 0 for what is no number
	if n < 1 || n > last {
		m.say("There is no number %s here; type one from 1 to %d.", answer, last)
		return 0, false, nil
	}
	return n, true, nil
}

// choice is one numbered possibility. Its letter does the same as its number, wherever the choice stands in the list.
type choice struct {
	letter string
	what   string
	do     func() error
}

// choose lists the choices and does the chosen one. 0 always leaves.
func (m *mode) choose(list []choice) error {
	m.empty()
	for i, c := range list {
		m.item(fmt.Sprintf("%2d  ", i+1), "%s", m.Texts.Format(c.what))
	}
	m.item(" 0  ", "%s", m.Texts.Say("quit"))
	for {
		answer, err := m.ask("Your choice, then Enter:")
		if err != nil {
			return err
		}
		n, known := number(list, answer)
		switch {
		case !known:
			m.say("Type a number from 0 to %d.", len(list))
			continue
		case n == 0:
			m.leaving = true
			return nil
		}
		err = list[n-1].do()
		if err != nil && (errors.Is(err, errLeft) || m.ctx.Err() != nil) {
			return err
		}
		if err != nil {
			m.fails(err)
		}
		return nil
	}
}

// number finds the choice that an answer names by its number or its letter; 0 is to leave.
func number(list []choice, answer string) (n int, known bool) {
	if answer == "q" {
		return 0, true
	}
	for i, c := range list {
		if answer == c.letter && answer != "" {
			return i + 1, true
		}
	}
	n, err := strconv.Atoi(answer)
	return n, err == nil && n >= 0 && n <= len(list)
}

func (m *mode) welcome() {
	m.say("Fieldbook, %s edition, line mode. Workspace: %s.", units.Edition, m.Session.Bench.Work.Root())
	m.say("Minutes are estimates. All names and accounts are fictitious.")
	if m.Session.Aside != "" {
		m.say("The record of your progress could not be read; it is kept in backup %s. Your files are untouched.", m.Session.Aside)
	}
}

func (m *mode) unit() *units.Unit    { return m.Session.Unit() }
func (m *mode) step() *units.Step    { return m.Session.Step() }
func (m *mode) kind() units.StepKind { return m.step().Kind }

func (m *mode) exercise() (*exercises.Exercise, error) { return m.Session.Exercise() }

// showStep says where the student is.
func (m *mode) showStep() {
	u := m.unit()
	at := 1
	for i := range u.Steps {
		if u.Steps[i].ID == m.step().ID {
			at = i + 1
		}
	}
	state := m.Texts.Say("To do.")
	if m.Session.Done(u.ID, m.step().ID) {
		state = m.Texts.Say("Done.")
	}
	m.empty()
	if n := m.step().Minutes; n > 0 {
		state = m.Texts.Say("About %d minutes.", n) + " " + state
	}
	m.say("%s, step %d of %d: %s. %s", u.ID, at, len(u.Steps), m.step().Title, state)
}

// closed says whether the other pages stay closed, until the texts of the step are written.
func (m *mode) closed() bool { return m.step().Closed && !m.Session.Answered(m.unit().ID, m.step()) }

// choices are what the student can do in the step, in the order of use.
func (m *mode) choices() []choice {
	list := []choice{{"t", "read the text of this step", m.read}}
	if a := m.current(); a != nil {
		list = append(list, choice{"g", "go on in this step: " + a.Title, m.goOn})
	}
	if len(m.parts()) > 1 {
		list = append(list, choice{"l", "list the parts of this step", m.listParts})
	}
	switch m.kind() {
	case units.Construct, units.Repair:
		list = append(list,
			choice{"e", "edit your file", m.edit},
			choice{"r", "run your file", m.runFile},
			choice{"h", "open the next hint; that is recorded", m.hint})
		if m.run != nil {
			list = append(list, choice{"a", "hear the last run again", m.again}, choice{"o", "bytes of an operation", m.operation})
		}
		list = append(list, choice{"k", "hear the contract, and what the last run has shown of it", m.contract}, choice{"x", "explore crashes", m.crash})
	case units.Choose:
		list = append(list, choice{"c", "choose what to start from", m.chooseStart})
	case units.Baseline:
		list = append(list, choice{"r", "run the baseline", m.runBaseline})
	case units.Inject:
		list = append(list, choice{"r", "inject the failure", m.inject})
		if m.injection != nil && m.injection.Found {
			list = append(list, choice{"o", "hear the operations of the broken run", m.brokenOperations})
		}
	case units.Submit:
		list = append(list, choice{"y", "submit: make the archive for your instructor", m.submit})
	case units.Diagnose:
		list = append(list, choice{"d", "hear what differs", m.differences})
	}
	if len(m.step().Prompts) > 0 {
		if m.Session.Answered(m.unit().ID, m.step()) {
			list = append(list, choice{"w", "hear what you committed", m.answers})
		} else {
			list = append(list, choice{"w", "write the texts and commit them", m.write})
		}
	}
	list = append(list, choice{"n", "next step", m.next})
	if m.closed() {
		return append(list, choice{"m", "course map", m.courseMap}, choice{"?", "help", m.help})
	}
	if m.Session.Back() != nil {
		list = append(list, choice{"p", "previous step", m.back})
	}
	if m.Session.HasScenarios() {
		list = append(list, choice{"y", "hear what scenarios have left", m.artifacts})
	}
	return append(list,
		choice{"m", "course map", m.courseMap},
		choice{"i", "look up a term", m.term},
		choice{"f", "find words in every text", m.search},
		choice{"b", "what will be submitted, and how much of it is there", m.submission},
		choice{"u", "your attempts, and what changed between them", m.attempts},
		choice{"s", "read a supplied source", m.source},
		choice{"?", "help", m.help})
}
