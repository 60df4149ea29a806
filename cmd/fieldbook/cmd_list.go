package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

func (p *program) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the units and exercises, and where you stand",
		Long: `List prints every unit with its steps and planned minutes, every exercise, and how far you have come.

JSON: edition, edition_date, runtime_digest, note, workspace (null without one),
units[{id, title, language, question, role, minutes, assumes, exercise, handoff, handoff_written,
steps[{id, title, kind, minutes, within (a step whose minutes it is part of), done}]}],
exercises[{name, title, kind, files, attempts, passed}].`,
		Args:        takes(),
		Annotations: exitStatus(6),
		RunE:        p.does(func(ctx context.Context, _ *cobra.Command, _ []string) error { return p.list() }),
	}
}

// listResult is the object that list prints.
type listResult struct {
	Edition     string         `json:"edition"`
	EditionDate string         `json:"edition_date"`
	Runtime     string         `json:"runtime_digest"`
	Note        string         `json:"note"`
	Workspace   *string        `json:"workspace"`
	Units       []listUnit     `json:"units"`
	Exercises   []listExercise `json:"exercises"`
}

type listUnit struct {
	ID       string     `json:"id"`
	Title    string     `json:"title"`
	Language string     `json:"language"`
	Question string     `json:"question"`
	Role     units.Role `json:"role"`
	Minutes  int        `json:"minutes"`
	Assumes  []string   `json:"assumes"`
	Exercise string     `json:"exercise"`
	Handoff  string     `json:"handoff"`
	Written  bool       `json:"handoff_written"`
	Steps    []listStep `json:"steps"`
}

type listStep struct {
	ID      string         `json:"id"`
	Title   string         `json:"title"`
	Kind    units.StepKind `json:"kind"`
	Minutes int            `json:"minutes"`
	Within  string         `json:"within,omitempty"`
	Done    bool           `json:"done"`
}

type listExercise struct {
	Name     string         `json:"name"`
	Title    string         `json:"title"`
	Kind     exercises.Kind `json:"kind"`
	Files    []string       `json:"files"`
	Attempts int            `json:"attempts"`
	Passed   int            `json:"passed"`
}

// fictitious is said wherever the course introduces itself.
func fictitious() string {
	return lang.Key("Minutes are estimates. All names, shops and accounts are fictitious.")
}

func (p *program) list() error {
	result, err := p.survey()
	if err != nil {
		return err
	}
	return p.print(result, func(out printer) { out.printList(result, p.language) })
}

// survey gathers what list shows. It changes nothing: a workspace is only read, and none is made.
func (p *program) survey() (listResult, error) {
	result := listResult{
		Edition: units.Edition, EditionDate: units.EditionDate, Runtime: teaching.Digest(), Note: fictitious(),
		Units: []listUnit{}, Exercises: []listExercise{},
	}
	place, err := p.find()
	if err != nil {
		return result, err
	}
	progress := &workspace.Progress{}
	var work *workspace.Workspace
	if place.Exists {
		if work, err = workspace.Open(place.Path, p.now); err != nil {
			return result, err
		}
		if read, err := work.ReadProgress(); err == nil {
			progress = read // a damaged record is set aside by the next program that writes
		}
		result.Workspace = &place.Path
	}
	for _, u := range units.In(string(p.language)) {
		result.Units = append(result.Units, surveyUnit(u, progress, work))
	}
	for _, e := range exercises.All() {
		item := listExercise{Name: e.Name, Title: e.Title, Kind: e.Kind}
		for _, r := range e.Replaces {
			item.Files = append(item.Files, r.File)
		}
		if work != nil {
			attempts, err := work.ListAttempts(e.Name)
			if err != nil {
				return result, err
			}
			item.Attempts = len(attempts)
			for _, a := range attempts {
				if a.Verdict.ExitCode() == 0 {
					item.Passed++
				}
			}
		}
		result.Exercises = append(result.Exercises, item)
	}
	return result, nil
}

func surveyUnit(u *units.Unit, progress *workspace.Progress, work *workspace.Workspace) listUnit {
	item := listUnit{ID: u.ID, Title: u.Title, Language: u.Language(), Question: u.Question, Role: u.Role, Minutes: u.Minutes, Assumes: u.Assumes, Exercise: u.Exercise, Handoff: u.Handoff}
	done := progress.Of(u.ID)
	for _, s := range u.Steps {
		item.Steps = append(item.Steps, listStep{ID: s.ID, Title: s.Title, Kind: s.Kind, Minutes: s.Minutes, Within: s.Within, Done: !done.Of(s.ID).Done.IsZero()})
	}
	if work != nil {
		item.Written = regular(filepath.Join(work.Root(), workspace.Handoffs, u.Handoff))
	}
	return item
}

func (out printer) printList(r listResult, l lang.Language) {
	out.lines(out.Say("%s   %s edition, %s   runtime %s…", out.Title.On("Fieldbook"), r.Edition, r.EditionDate, r.Runtime[:12]))
	out.para("%s", out.Message(r.Note))
	if r.Workspace != nil {
		out.para("Workspace: %s", *r.Workspace)
	} else {
		out.para("No workspace yet: the first run makes one, or `fieldbook init`.")
	}
	for _, u := range r.Units {
		names := 0
		for _, s := range u.Steps {
			names = max(names, len(s.ID))
		}
		out.section("%s   %s   %d minutes", u.ID, u.Title, u.Minutes)
		if missing := l.Missing(u.Language); missing != "" {
			out.lines(draw.Hang("  ", missing, out.width)...)
		}
		out.lines(draw.Hang("  ", u.Question, out.width)...)
		for _, s := range u.Steps {
			sign := draw.OpenSign
			if s.Done {
				sign = out.Pass.On(draw.PassSign)
			}
			out.lines(draw.Cut(fmt.Sprintf("  %s %-*s  %-36s %s", sign, names, s.ID, s.Title, out.planned(u, s)), out.width))
		}
		if u.Written {
			out.lines("  " + out.Pass.On(draw.PassSign) + " " + draw.Fit(out.Say("handoff"), 13) + u.Handoff)
		}
	}
	out.section("Exercises")
	for _, e := range r.Exercises {
		state := out.Say("not tried")
		if e.Attempts > 0 {
			state = out.Say("%d attempts, %d passed", e.Attempts, e.Passed)
		}
		out.lines(draw.Cut(fmt.Sprintf("  %-20s  %s  %s", e.Name, draw.Fit(out.Message(e.Title), 44), state), out.width))
	}
}

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// planned is a step's time; a step without one is part of another, or outside the unit's minutes.
func (out printer) planned(u listUnit, s listStep) string {
	if s.Minutes > 0 {
		return fmt.Sprintf("%2d min", s.Minutes)
	}
	for _, other := range u.Steps {
		if s.Within != "" && other.ID == s.Within {
			return out.Say("part of %s", other.Title)
		}
	}
	return "     -"
}
