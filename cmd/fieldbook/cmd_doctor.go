package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/watch"
	"fieldbook/grader"
	"fieldbook/grader/sandbox"
	"fieldbook/handoff"
	"fieldbook/handoff/key"
)

func (p *program) doctorCommand() *cobra.Command {
	warm := false
	cmd := &cobra.Command{
		Use:   "doctor [--warm]",
		Short: "Check this machine: sandbox, workspace, key, editor, watching",
		Long: `Doctor starts a real worker of the sandbox, attacks it, and says of each layer whether it is active or missing, with the
level that they amount to: strong, standard or weak. Then it looks at what else the course needs. It changes nothing; with
--warm it has the Go toolchain compile ahead what programs are linked with, for --engine=go.

JSON: ok, level, sandbox{level, layers[{name, active, detail}], attacks[{name, held, expected, evidence}], checks, broken},
checks[{name, ok, needed, found, hint}].`,
		Args:        takes(),
		Annotations: exitStatus(6),
		RunE:        p.does(func(ctx context.Context, _ *cobra.Command, _ []string) error { return p.doctor(ctx, warm) }),
	}
	cmd.Flags().BoolVar(&warm, "warm", false, "compile ahead what the Go toolchain links programs with")
	return cmd
}

// diagnosis is the object that doctor prints.
type diagnosis struct {
	OK      bool           `json:"ok"`
	Level   string         `json:"level"`
	Sandbox sandbox.Report `json:"sandbox"`
	Checks  []machineCheck `json:"checks"`
}

// machineCheck is one thing besides the sandbox.
type machineCheck struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Needed bool   `json:"needed"` // the course does not work without it
	Found  string `json:"found"`
	Hint   string `json:"hint,omitempty"`
}

func (p *program) doctor(ctx context.Context, warm bool) error {
	report, err := sandbox.Doctor(ctx, sandbox.Options{})
	if err != nil {
		return err
	}
	d := diagnosis{Level: report.Level, Sandbox: report, OK: len(report.Broken) == 0 && sandbox.AtLeast(report.Level, p.flags.requireSandbox)}
	d.Checks = []machineCheck{p.checkWorkspace(), p.checkKey(), p.checkEditor(), p.checkWatching(ctx), p.checkToolchain()}
	if warm {
		d.Checks = append(d.Checks, p.warmToolchain(ctx))
	}
	for _, c := range d.Checks {
		d.OK = d.OK && (c.OK || !c.Needed)
	}
	if !d.OK {
		p.exit = grader.ExitVoid
	}
	return p.print(d, func(out printer) { out.printDiagnosis(d) })
}

func (out printer) printDiagnosis(d diagnosis) {
	out.lines(out.Title.On(out.Say("Sandbox")) + "   " + d.Level)
	for _, layer := range d.Sandbox.Layers {
		out.item("  "+out.sign(layer.Active)+" "+draw.Fit(layer.Name, 14), "%s", out.stateOf(layer.Active)+layer.Detail)
	}
	held := 0
	for _, a := range d.Sandbox.Attacks {
		if a.Held {
			held++
		}
	}
	out.section("Attacks on a real worker: %d of %d held, %s", held, len(d.Sandbox.Attacks), draw.Duration(d.Sandbox.Elapsed))
	name := 0
	for _, a := range d.Sandbox.Attacks {
		name = max(name, draw.Width(a.Name))
	}
	for _, a := range d.Sandbox.Attacks {
		if !a.Held || a.Expected {
			out.item("  "+out.sign(a.Held)+" "+draw.Fit(a.Name, name)+"  ", "%s", a.Evidence)
		}
	}
	for _, c := range d.Sandbox.Checks {
		if !c.Right {
			out.item("  "+out.sign(false)+" "+draw.Fit(c.Name, name)+"  ", "%s", c.Found)
		}
	}
	for _, b := range d.Sandbox.Broken {
		out.item("  "+out.Differ.On(out.Say("BROKEN"))+" ", "%s", b)
	}
	out.section("This machine")
	for _, c := range d.Checks {
		out.item("  "+out.sign(c.OK)+" "+draw.Fit(out.Format(c.Name), 14), "%s", strings.TrimSpace(out.Message(c.Found)+" "+out.Message(c.Hint)))
	}
	out.lines("")
	switch {
	case !d.OK:
		out.para("Something that is needed is broken or below what was required.")
	case d.Level == sandbox.Weak:
		out.para("The level is weak: run only code that you trust.")
	default:
		out.para("Everything that is needed works.")
	}
}

func (out printer) sign(good bool) string {
	if good {
		return out.Pass.On(draw.PassSign)
	}
	return out.Differ.On(draw.DifferSign)
}

func (out printer) stateOf(active bool) string {
	if active {
		return out.Say("active: ")
	}
	return out.Say("missing: ")
}

func (p *program) checkWorkspace() machineCheck {
	c := machineCheck{Name: lang.Key("workspace"), Needed: true}
	place, err := p.find()
	if err != nil {
		c.Found = err.Error()
		return c
	}
	c.Found = place.Path + ", " + p.texts.Message(place.Reason)
	if !place.Exists {
		c.OK, c.Hint = true, lang.Key("(not there yet; the first run makes it)")
		return c
	}
	probe, err := os.CreateTemp(place.Path, ".fieldbook-*")
	if err != nil {
		c.Hint = "It cannot be written: name another one with --workspace."
		return c
	}
	probe.Close()
	c.OK = os.Remove(probe.Name()) == nil
	return c
}

func (p *program) checkKey() machineCheck {
	c := machineCheck{Name: lang.Key("signing key"), Needed: true}
	k, err := p.keyStore().Load()
	var refused *handoff.Error
	switch {
	case err == nil:
		c.OK, c.Found = true, k.ID()
	case errors.As(err, &refused) && refused.Code == key.CodeMissing:
		c.OK, c.Found = true, lang.Key("not made yet; the first handoff makes it")
	case errors.As(err, &refused):
		c.Found, c.Hint = refused.Message, refused.Hint
	default:
		c.Found = err.Error()
	}
	return c
}

func (p *program) checkEditor() machineCheck {
	c := machineCheck{Name: lang.Key("editor")}
	editor := p.editor()
	if len(editor) == 0 {
		c.Found, c.Hint = lang.Key("none found"), lang.Key("Set EDITOR, or edit in a program of its own: saving a file runs it.")
		return c
	}
	c.Found = strings.Join(editor, " ")
	if _, err := exec.LookPath(editor[0]); err != nil {
		c.Hint = "It is not installed: set EDITOR to one that is."
		return c
	}
	c.OK = true
	return c
}

// notified is how long the operating system may take to tell of a save.
const notified = 2 * time.Second

// checkWatching saves a file and waits to be told.
func (p *program) checkWatching(ctx context.Context) machineCheck {
	c := machineCheck{Name: lang.Key("watching")}
	folder, err := os.MkdirTemp("", "fieldbook-watch-")
	if err != nil {
		c.Found = err.Error()
		return c
	}
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithTimeout(ctx, notified)
	defer cancel()
	file := filepath.Join(folder, "file.go")
	changes := watch.New(ctx, []string{file}, watch.Options{Poll: time.Hour}).Changes()
	if err := os.WriteFile(file, []byte("saved"), 0o600); err != nil {
		c.Found = err.Error()
		return c
	}
	if _, open := <-changes; open {
		c.OK, c.Found = true, lang.Key("saves are notified")
		return c
	}
	c.Found, c.Hint = lang.Key("saves are not notified here"), lang.Key("They are found by looking, a little later; r runs by hand.")
	return c
}

// checkToolchain looks for Go by its own VERSION file: running it would leave files in the user's folders. With the source it
// is the second engine.
func (p *program) checkToolchain() machineCheck {
	c := machineCheck{Name: "go"}
	path, err := exec.LookPath("go")
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		c.Found, c.Hint = lang.Key("not installed"), lang.Key("Not needed: the course brings its own checker and interpreter.")
		return c
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(path)), "VERSION"))
	version, _, _ := strings.Cut(string(text), "\n")
	if err != nil || version == "" {
		version = path
	}
	c.OK, c.Found = true, fmt.Sprintf(lang.Key("%s, not needed"), version)
	if source, err := p.toolchain().Source(); err == nil {
		c.Found = fmt.Sprintf(lang.Key("%s, not needed; the second engine, with the source in %s"), version, source)
	} else {
		c.Hint = fmt.Sprintf(lang.Key("and not the second engine: %s."), grader.AsError(err).Message)
	}
	return c
}

// warmToolchain makes the second engine ready: after it a build takes a second.
func (p *program) warmToolchain(ctx context.Context) machineCheck {
	c := machineCheck{Name: lang.Key("second engine"), Needed: true} // it was asked for
	tc, begun := p.toolchain(), time.Now()
	if err := tc.Warm(ctx); err != nil {
		e := grader.AsError(err)
		c.Found, c.Hint = e.Error(), e.Hint
		return c
	}
	c.OK, c.Found = true, fmt.Sprintf(lang.Key("%s, warm after %s"), tc.Version(), draw.Duration(time.Since(begun)))
	return c
}
