package sandbox

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fieldbook/grader"
)

// Report is what doctor found: what the worker says of itself, what attacks on a real worker came to, and what the worker
// looks like from outside.
type Report struct {
	Level   string        `json:"level"` // Weak when a layer is broken, whatever the layers say
	Layers  []Layer       `json:"layers"`
	Attacks []Attack      `json:"attacks"`
	Checks  []Check       `json:"checks"` // empty where the system does not show other processes
	Broken  []string      `json:"broken,omitempty"`
	Elapsed time.Duration `json:"elapsed_ns"`
}

// Attack is one attack and how it ended.
type Attack struct {
	Name     string        `json:"name"`
	Held     bool          `json:"held"`
	Expected bool          `json:"expected"` // an active layer promises to hold it
	Evidence string        `json:"evidence"`
	Elapsed  time.Duration `json:"elapsed_ns"`
}

// Check is one look at a worker from outside.
type Check struct {
	Name  string `json:"name"`
	Right bool   `json:"right"`
	Found string `json:"found"`
}

// Doctor attacks workers started as Options say, each with one attack, and looks at one from outside. An error means that
// no worker could be started at all; everything else is in the report.
func Doctor(ctx context.Context, options Options) (Report, error) {
	began := time.Now()
	pool, err := NewPool(options)
	if err != nil {
		return Report{}, err
	}
	defer pool.Close()
	var report Report
	if report.Level, report.Layers, err = pool.Probe(ctx); err != nil {
		return Report{}, err
	}
	if report.Checks, err = pool.inspect(ctx); err != nil {
		return Report{}, err
	}
	g, err := newGrounds(options.TempDir)
	if err != nil {
		return Report{}, startError(err)
	}
	defer g.free()
	all := attacks()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		tried, err := pool.attack(ctx, name, all[name], g)
		if err != nil {
			return Report{}, err
		}
		report.Attacks = append(report.Attacks, tried)
	}
	report.conclude()
	report.Elapsed = time.Since(began)
	return report, nil
}

// conclude names what is broken: a layer that is on and did not hold, or does not show from outside.
func (r *Report) conclude() {
	for _, a := range r.Attacks {
		if a.Expected && !a.Held {
			r.Broken = append(r.Broken, a.Name+": "+a.Evidence)
		}
	}
	for _, c := range r.Checks {
		if !c.Right {
			r.Broken = append(r.Broken, c.Name+": "+c.Found)
		}
	}
	if len(r.Broken) > 0 {
		r.Level = Weak
	}
}

// attack tries one attack in a worker of its own.
func (p *Pool) attack(ctx context.Context, name string, a attack, g *grounds) (Attack, error) {
	began := time.Now()
	result, err := p.run(ctx, Job{Request: g.encode(), Profile: a.profile, Limits: a.limits}, name)
	if err != nil {
		return Attack{}, err
	}
	defer result.Artifacts.Close()
	tried := Attack{Name: name, Expected: len(a.layers) == 0, Elapsed: time.Since(began)}
	for _, layer := range result.Layers {
		if layer.Active && slices.Contains(a.layers, layer.Name) {
			tried.Expected = true
		}
	}
	reply, held := strings.CutPrefix(string(result.Reply), heldReply)
	switch {
	case slices.Contains(a.ends, result.Outcome):
		tried.Held, tried.Evidence = true, fmt.Sprintf("%s: %s", result.Outcome, result.Cause)
	case result.Outcome == grader.Observed && held:
		tried.Held, tried.Evidence = true, reply
	case result.Outcome == grader.Observed:
		tried.Evidence = "it got through"
	default:
		tried.Evidence = fmt.Sprintf("ended otherwise than it should: %s: %s", result.Outcome, result.Cause)
	}
	if a.outside != nil {
		if err := a.outside(g); err != nil {
			tried.Held, tried.Evidence = false, err.Error()
		}
	}
	return tried, nil
}

// inspect looks at a worker that waits for its request.
func (p *Pool) inspect(ctx context.Context) ([]Check, error) {
	done, err := p.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	w, err := p.take(ctx, plainShape())
	if err != nil {
		return nil, err
	}
	defer w.discard()
	return w.checks(), nil
}

// newGrounds makes what attacks are aimed at: a file and a folder that every user may read and write, so that only the
// sandbox is in the way.
func newGrounds(dir string) (*grounds, error) {
	folder, err := os.MkdirTemp(dir, "fieldbook-doctor-")
	if err != nil {
		return nil, err
	}
	g := &grounds{parent: os.Getpid(), folder: folder}
	canary := filepath.Join(folder, canaryName)
	for _, step := range []func() error{
		func() error { return os.Chmod(folder, 0o777) },
		func() error { return os.WriteFile(canary, []byte(canaryText), 0o666) },
		func() error { return os.Chmod(canary, 0o666) },
	} {
		if err := step(); err != nil {
			g.free()
			return nil, err
		}
	}
	if g.ports, g.port, err = openPorts(); err != nil {
		g.port = 0 // a machine without a loopback address has nothing to attack there
	}
	return g, nil
}

func (g *grounds) free() {
	g.ports.close()
	_ = os.RemoveAll(g.folder)
}

// Write prints the report for people, without colour: layers, attacks, the look from outside, and the level.
func (r Report) Write(to io.Writer) error {
	var text strings.Builder
	mark := map[bool]string{true: "on", false: "MISSING"}
	text.WriteString("Layers\n")
	for _, layer := range r.Layers {
		fmt.Fprintf(&text, "  %-8s %-13s %s\n", mark[layer.Active], layer.Name, layer.Detail)
	}
	text.WriteString("\nAttacks on a real worker\n")
	for _, a := range r.Attacks {
		state := "held"
		switch {
		case !a.Held && a.Expected:
			state = "BROKEN"
		case !a.Held:
			state = "open"
		}
		fmt.Fprintf(&text, "  %-8s %-27s %s\n", state, a.Name, a.Evidence)
	}
	if len(r.Checks) > 0 {
		text.WriteString("\nA worker seen from outside\n")
		for _, c := range r.Checks {
			state := "right"
			if !c.Right {
				state = "WRONG"
			}
			fmt.Fprintf(&text, "  %-8s %-27s %s\n", state, c.Name, c.Found)
		}
	}
	fmt.Fprintf(&text, "\nLevel: %s. %s\n", r.Level, levelMeaning(r.Level))
	if len(r.Broken) > 0 {
		text.WriteString("The sandbox does not do what it says; please report this with the lines above.\n")
	}
	_, err := io.WriteString(to, text.String())
	return err
}

// levelMeaning is a level in one sentence.
func levelMeaning(level string) string {
	switch level {
	case Strong:
		return "Every layer is on; learner code sees no file of this machine."
	case Standard:
		return "Learner code can open no file outside its folder, no socket and no process; it can see that a file exists."
	default:
		return "Only limits of time and memory hold: run nothing here that you would not run yourself."
	}
}
