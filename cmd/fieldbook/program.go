package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/grader/check"
	"fieldbook/grader/engine/toolchain"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/task"
	"fieldbook/handoff/key"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// program is one run of fieldbook.
type program struct {
	system
	flags globals
	exit  int  // what a command that did its work exits with
	begun bool // a command was found and its arguments were right
	stays bool // the command goes on until a person ends it

	language lang.Language // chosen when a command begins
	texts    lang.Texts    // in that language

	pool *sandbox.Pool
}

// globals are the flags that every command has.
type globals struct {
	workspace      string
	engine         string
	referee        bool
	requireSandbox string
	json           bool
	plain          bool
	noColor        bool
	lang           string
}

func (g *globals) addFlags(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVar(&g.workspace, "workspace", "", "workspace `folder`; default: the nearest parent with .fieldbook, else one in your data folder")
	f.StringVar(&g.engine, "engine", string(task.Auto), "what executes your code, by `name`: yaegi, the interpreter; go, the Go toolchain; auto, the interpreter and, for what it would run wrong, the toolchain")
	f.BoolVar(&g.referee, "referee", false, "run both engines and compare what they did")
	f.StringVar(&g.requireSandbox, "require-sandbox", "", "run nothing in a sandbox below this `level`: strong, standard or weak")
	f.BoolVar(&g.json, "json", false, "print one JSON object, for errors too")
	f.BoolVar(&g.plain, "plain", false, "line mode: append-only text with numbered choices")
	f.StringVar(&g.lang, "lang", "", "`language` of the course: en or pt-BR; default: LANG's, else en")
	f.BoolVar(&g.noColor, "no-color", false, "print no escape sequences")
	complete(cmd, "engine", string(task.Auto), string(task.Interpreter), string(task.Go))
	complete(cmd, "require-sandbox", sandbox.Strong, sandbox.Standard, sandbox.Weak)
	complete(cmd, "lang", string(lang.English), string(lang.Portuguese))
}

// complete has a shell complete a flag with the values that it takes.
func complete(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag was defined a line before
	}
}

func (g *globals) check() error {
	if !slices.Contains(task.Choices(), task.Choice(g.engine)) {
		return usage("unknown_engine", "--engine=%s is not known", "The engines are auto, yaegi and go.", g.engine)
	}
	switch g.requireSandbox {
	case "", sandbox.Strong, sandbox.Standard, sandbox.Weak:
		return nil
	}
	return usage("unknown_level", "--require-sandbox=%s is not known", "The levels are strong, standard and weak.", g.requireSandbox)
}

// run is the program: it returns the exit code.
func run(ctx context.Context, args []string, s system) (code int) {
	p := &program{system: s}
	defer func() {
		if fault := recover(); fault != nil {
			code = p.fail(ctx, crashed(fault))
		}
	}()
	defer p.close()
	p.guessLanguage(args)
	root := p.command()
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	if err := root.ExecuteContext(ctx); err != nil || ctx.Err() != nil {
		return p.fail(ctx, err)
	}
	return p.exit
}

func (p *program) close() {
	if p.pool == nil {
		return
	}
	level, layers := p.pool.Level()
	if level != "" && !p.stays && sandbox.AtLeast(level, p.flags.requireSandbox) {
		p.notice(level, layers)
	}
	p.pool.Close()
}

// notice says, once, what a sandbox lacks that has run something.
func (p *program) notice(level string, layers []sandbox.Layer) {
	if text := sandbox.Notice(level, layers); text != "" {
		p.say("%s", p.texts.Message(text))
	}
}

// bench is what works: units, engine, sandbox and key. It has no workspace yet.
func (p *program) bench() (*workbench.Bench, error) {
	if p.pool == nil {
		pool, err := sandbox.NewPool(sandbox.Options{Require: p.flags.requireSandbox})
		if err != nil {
			return nil, err
		}
		p.pool = pool
	}
	return &workbench.Bench{
		Units: units.In(string(p.language)),
		Keys:  key.Store{Folder: p.config},
		Task: task.Options{
			Engine:  check.New(p.pool, teaching.Tree()),
			Engines: task.Engines{Choice: task.Choice(p.flags.engine), Toolchain: p.toolchain(), Referee: p.flags.referee},
			Pool:    p.pool,
			Require: p.flags.requireSandbox,
			Edition: units.Edition,
			Now:     p.now,
		},
	}, nil
}

// toolchain is the second engine, which looks for Go when it is first needed.
func (p *program) toolchain() *toolchain.Toolchain {
	return toolchain.New(toolchain.Config{
		Getenv: p.getenv, Folder: p.folder, Cache: filepath.Join(p.cache, "toolchain"),
		Warming: func() {
			if !p.stays { // an app has the screen
				p.say("Compiling what the Go toolchain links programs with: the first time takes a minute.")
			}
		},
	})
}

// How long a command waits for another program to leave the workspace: one command ends by itself, an app does not.
const lockWait = 10 * time.Second

// find says where the workspace is.
func (p *program) find() (workspace.Place, error) {
	return workspace.Find(p.flags.workspace, p.folder, p.data)
}

// open opens the workspace and takes it for this program. Where there is none, one is made and set up.
func (p *program) open(ctx context.Context, command string) (*workbench.Bench, func(), error) {
	b, made, done, err := p.take(ctx, command)
	if err != nil || !made {
		return b, done, err
	}
	if _, err := b.SetUp(); err != nil {
		done()
		return nil, nil, err
	}
	return b, done, nil
}

// take opens the workspace, or makes an empty one, and takes it for this program.
func (p *program) take(ctx context.Context, command string) (b *workbench.Bench, made bool, done func(), err error) {
	if b, err = p.bench(); err != nil {
		return nil, false, nil, err
	}
	place, err := p.find()
	if err != nil {
		return nil, false, nil, err
	}
	if place.Exists {
		b.Work, err = workspace.Open(place.Path, p.now)
	} else {
		p.say("Making a workspace, %s: %s", p.texts.Message(place.Reason), place.Path)
		b.Work, err = workspace.Create(place.Path, units.Edition, p.now)
	}
	if err != nil {
		return nil, false, nil, err
	}
	lock, err := b.Work.Lock(ctx, p.holder(command), lockWait)
	if err != nil {
		return nil, false, nil, err
	}
	// The lock ends with the program in any case: what giving it back says matters to nobody.
	return b, !place.Exists, func() { _ = lock.Unlock() }, nil
}

// holder is this program in the note of a workspace's lock.
func (p *program) holder(command string) workspace.Holder {
	return workspace.Holder{Command: strings.TrimSpace("fieldbook " + command), Stays: p.stays}
}

// say tells the reader something beside the result; a script that reads JSON is told nothing.
func (p *program) say(format string, args ...any) {
	if !p.flags.json {
		fmt.Fprintln(p.err, p.texts.Say(format, args...))
	}
}

// theme is how this run's texts are drawn.
func (p *program) theme() draw.Theme {
	t := p.system.theme(p.flags.noColor)
	t.Texts = p.texts
	return t
}

// printer writes text in the program's theme and width.
type printer struct {
	draw.Theme
	w     io.Writer
	width int
}

func (p *program) printer() printer {
	return printer{Theme: p.theme(), w: p.out, width: p.printWidth()}
}

func (p printer) lines(lines ...string) {
	for _, line := range lines {
		fmt.Fprintln(p.w, strings.TrimRight(line, " "))
	}
}

// para prints a paragraph, wrapped.
func (p printer) para(format string, args ...any) { p.item("", format, args...) }

// item prints a paragraph after a prefix; its further lines are indented by as much.
func (p printer) item(prefix, format string, args ...any) {
	p.lines(draw.HangFlow(prefix, p.Say(format, args...), p.width)...)
}

// section prints an empty line and a heading.
func (p printer) section(format string, args ...any) { p.lines("", p.Title.On(p.Say(format, args...))) }

// print writes a result: the object under --json, else the text.
func (p *program) print(object any, text func(printer)) error {
	if p.flags.json {
		return writeJSON(p.out, object)
	}
	text(p.printer())
	return nil
}

// finish is print followed by the exit code of a verdict.
func (p *program) finish(v grader.Verdict, object any, text func(printer)) error {
	p.exit = v.ExitCode()
	return p.print(object, text)
}

func writeJSON(w io.Writer, object any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(object)
}

// commandLine is a command's name and arguments for the note in a workspace's lock.
func commandLine(cmd *cobra.Command, args []string) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return strings.TrimSpace(name + " " + strings.Join(args, " "))
}
