package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"fieldbook/grader"
)

func (p *program) tourCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tour",
		Short: "See the whole course work once, in a few seconds",
		Long: `Tour performs the main job of the course on the supplied reference, in a temporary workspace that it removes: install,
probe, rows before and after, handoff, re-execution, a fault found and injected, repair. Each stage is shown as it happens,
with its evidence and its time. Nothing of yours is touched.

JSON: verdict, elapsed_ns, stages[{name, verdict, elapsed_ns, evidence}].`,
		Args:        takes(),
		Annotations: exitStatus(1, 3, 4, 5, 6),
		RunE:        p.does(func(ctx context.Context, _ *cobra.Command, _ []string) error { return p.tour(ctx) }),
	}
}

// tourResult is the object that tour prints.
type tourResult struct {
	Verdict grader.Verdict `json:"verdict"`
	Elapsed time.Duration  `json:"elapsed_ns"`
	Stages  []tourStage    `json:"stages"`
}

type tourStage struct {
	Name     string         `json:"name"`
	Verdict  grader.Verdict `json:"verdict"`
	Elapsed  time.Duration  `json:"elapsed_ns"`
	Evidence string         `json:"evidence"`
}

func (p *program) tour(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "fieldbook-tour-")
	if err != nil {
		return fmt.Errorf("make a temporary workspace: %w", err)
	}
	defer os.RemoveAll(folder)
	out := p.printer()
	if p.flags.json {
		out.w = io.Discard
	}
	t := &tour{out: out, begun: time.Now(), result: tourResult{Verdict: grader.Pass}}
	if err := t.prepare(p, folder); err != nil {
		return err
	}
	defer t.close()
	t.introduce()
	for _, stage := range t.stages() {
		if err := t.perform(ctx, stage); err != nil {
			return err
		}
		if t.result.Verdict != grader.Pass {
			break
		}
	}
	t.result.Elapsed = time.Since(t.begun)
	return p.finish(t.result.Verdict, t.result, func(printer) { t.conclude() })
}
