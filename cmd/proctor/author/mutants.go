package author

import (
	"context"
	"fmt"
	"path"
	"time"

	"golang.org/x/sync/errgroup"

	"fieldbook/exercises"
	"fieldbook/grader/fault"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
)

// Survey is what became of every single-node mutant of an exercise's reference.
type Survey struct {
	Exercise   string   `json:"exercise"`
	Mutants    int      `json:"mutants"`    // edits there are
	Compile    int      `json:"compile"`    // of them, that type-check
	Killed     int      `json:"killed"`     // of those, that a probe tells from the reference
	Equivalent int      `json:"equivalent"` // justified by name
	Survivors  []Mutant `json:"survivors"`  // neither killed nor justified
	ByProbe    []Count  `json:"by_probe"`   // how many each probe kills first
	Justified  []Mutant `json:"justified"`
}

// Mutant is one edit of the reference.
type Mutant struct {
	Name   string `json:"name"`
	Line   int    `json:"line"` // of the reference
	Reason string `json:"reason,omitempty"`
}

// Count is how many mutants one probe kills first.
type Count struct {
	Probe string `json:"probe"`
	Kills int    `json:"kills"`
}

// maxJustified is the largest part of the mutants that an author may justify as equivalent, in per cent.
const maxJustified = 5

// mutantCPU bounds a mutant that loops. It is CPU time and not wall time: a busy machine kills no mutant.
const mutantCPU = 2 * time.Second

// survey runs every mutant of the reference against everything until something kills it.
func (s *subject) survey(ctx context.Context) (*Survey, Item, error) {
	item := Item{Subject: s.exercise.Name, Name: "mutants"}
	begun := time.Now()
	file := s.exercise.Replaces[0].File
	text, err := teaching.Source(file)
	if err != nil {
		return nil, item, err
	}
	edits, err := fault.Mutants(text)
	if err != nil {
		return nil, item, err
	}
	fates, err := s.fates(ctx, text, edits)
	if err != nil {
		return nil, item, err
	}
	survey := s.count(&item, text, edits, fates)
	item.Saw = fmt.Sprintf("%d of %d mutants that compile are killed, %d justified, %d left", survey.Killed, survey.Compile, survey.Equivalent, len(survey.Survivors))
	item.Elapsed = time.Since(begun)
	item.close()
	return survey, item, nil
}

// fates returns what killed each mutant first; a fate without a probe was killed by nothing.
func (s *subject) fates(ctx context.Context, text []byte, edits []fault.Edit) ([]kill, error) {
	bounded := *s
	limited := *s.exercise
	if limited.Limits.CPU == 0 || limited.Limits.CPU > mutantCPU {
		limited.Limits.CPU = mutantCPU
	}
	bounded.exercise = &limited
	fates := make([]kill, len(edits))
	s.checker.Progress.Grow(len(edits))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(s.checker.Parallel, 1))
	for i, e := range edits {
		group.Go(func() error {
			kills, err := bounded.kills(ctx, s.checker.Engines[0], task.Source{Path: s.exercise.Replaces[0].File, Name: "mutant.go", Text: e.Apply(text)}, false)
			if err != nil {
				return fmt.Errorf("mutant %d, line %d: %w", i+1, e.Line, err)
			}
			if len(kills) > 0 {
				fates[i] = kills[0]
			}
			s.checker.Progress.Step()
			return nil
		})
	}
	return fates, group.Wait()
}

// count sorts the mutants by their fates, and complains about those that neither a probe kills nor a reason justifies.
func (s *subject) count(item *Item, text []byte, edits []fault.Edit, fates []kill) *Survey {
	survey := &Survey{Exercise: s.exercise.Name, Mutants: len(edits), Survivors: []Mutant{}, Justified: []Mutant{}}
	reasons := map[string]string{}
	lines := map[string]int{}
	for _, e := range s.set.Equivalent {
		reasons[e.Mutant], lines[e.Mutant] = e.Reason, e.Line
	}
	where := path.Join(holdoutName, s.exercise.Name, "equivalent.yaml")
	names := fault.Names(text, edits)
	counts := map[string]int{}
	for i, fate := range fates {
		m := Mutant{Name: names[i], Line: edits[i].Line, Reason: reasons[names[i]]}
		_, justified := lines[m.Name]
		switch {
		case fate.void:
			item.Void = true
		case fate.probe == theCompiler:
			if justified {
				item.complain(where, lines[m.Name], "this mutant does not compile: %s", m.Name)
			}
			delete(lines, m.Name)
			continue
		case fate.probe == "" && justified:
			survey.Equivalent++
			survey.Justified = append(survey.Justified, m)
		case fate.probe == "":
			survey.Survivors = append(survey.Survivors, m)
			item.complain(s.exercise.Replaces[0].File, m.Line, "no probe kills the mutant %s", m.Name)
		default:
			survey.Killed++
			counts[fate.probe]++
			if justified {
				item.complain(where, lines[m.Name], "%s kills this mutant, so it is not equivalent: %s", fate.probe, m.Name)
			}
		}
		survey.Compile++
		delete(lines, m.Name)
	}
	for _, e := range s.set.Equivalent {
		if _, unknown := lines[e.Mutant]; unknown {
			item.complain(where, e.Line, "the reference has no such mutant: %s", e.Mutant)
		}
	}
	if 100*survey.Equivalent > maxJustified*survey.Compile {
		item.complain(where, 0, "%d of %d mutants are justified, more than %d in a hundred", survey.Equivalent, survey.Compile, maxJustified)
	}
	survey.ByProbe = s.byProbe(counts)
	return survey
}

// byProbe lists the probes in the order in which mutants meet them, those that kill none too.
func (s *subject) byProbe(counts map[string]int) []Count {
	list := []Count{{Probe: theVisibleProbe, Kills: counts[theVisibleProbe]}}
	for _, c := range s.set.Cases {
		list = append(list, Count{Probe: c.Name, Kills: counts[c.Name]})
	}
	if s.exercise.Kind == exercises.Source && s.exercise.Crash != nil {
		list = append(list, Count{Probe: theCrashMatrix, Kills: counts[theCrashMatrix]})
	}
	return list
}
