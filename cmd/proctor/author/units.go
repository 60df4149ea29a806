package author

import (
	"context"
	"fmt"

	"fieldbook/cmd/proctor/lint"
	"fieldbook/grader/task"
	"fieldbook/units"
)

// CheckUnits checks units: their texts, the code in them, and that what they show is what runs.
func (c *Checker) CheckUnits(ctx context.Context, o task.Options, list []*units.Unit) ([]Item, error) {
	if c.Progress == nil {
		c.Progress = silence{}
	}
	var jobs []job
	for _, u := range list {
		texts := "texts"
		if u.Language() != units.Base {
			texts += " in " + u.Language()
		}
		jobs = append(jobs, job{item: Item{Subject: u.ID, Name: texts}, do: func(_ context.Context, i *Item) error {
			found, err := lint.Unit(u)
			i.Complaints = found
			i.Saw = fmt.Sprintf("%d files keep the voice", len(u.Names()))
			return err
		}})
		if u.Language() != units.Base {
			continue // programs are shared: they were run with the original
		}
		jobs = append(jobs, job{item: Item{Subject: u.ID, Name: "examples and challenges"}, do: func(ctx context.Context, i *Item) error {
			found, err := lint.Run(ctx, o, u)
			i.Complaints = found
			i.Saw = fmt.Sprintf("%d examples print what is recorded", len(u.Examples()))
			return err
		}})
	}
	return c.run(ctx, jobs)
}
