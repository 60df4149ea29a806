package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/check"
	"fieldbook/grader/engine/toolchain"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/task"
	"fieldbook/handoff"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// stdio is where the program writes.
type stdio struct{ out, err io.Writer }

// program is one run of proctor.
type program struct {
	stdio
	json    bool
	require string // sandbox level
	choice  string // of the engine
	referee bool   // both engines run everything and must agree
	exit    int    // what a command that did its work exits with
	begun   bool   // a command was found and its arguments were right

	pool     *sandbox.Pool
	checker  *check.Checker
	engines  task.Engines
	progress *progress
	runs     []*holdoutRun // those that may be used again
}

// run is the program: it returns the exit code.
func run(ctx context.Context, args []string, s stdio) int {
	// A flag before --json that cannot be read ends the parsing there, and the error is wanted as an object all the same.
	p := &program{stdio: s, progress: newProgress(s.err), json: slices.Contains(args, "--json")}
	defer p.close()
	root := p.command()
	root.SetArgs(args)
	root.SetOut(s.out)
	root.SetErr(s.err)
	if err := root.ExecuteContext(ctx); err != nil || ctx.Err() != nil {
		return p.fail(ctx, err)
	}
	return p.exit
}

func (p *program) close() {
	if p.pool != nil {
		p.pool.Close()
	}
}

const exitStatus = `
EXIT STATUS
  With several files the highest code of all of them.
    0  every file passes
    1  NEEDS_WORK: a file fails a case
    2  wrong use of the command, or input that cannot be read
    3  UNSUPPORTED: right Go that the interpreter would run wrong
    4  INVALID: a handoff that fails verification
    5  LIMIT: time, memory or output used up, or the sandbox was tried
    6  VOID: our machine or our program failed; nothing is scored
  130  interrupted`

func (p *program) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "proctor",
		Short:         "Run holdouts and re-verify handoffs",
		Long:          "Proctor is the instructor's command of Fieldbook." + "\n" + exitStatus,
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usage("no command is named", "See `proctor --help`.")
		},
	}
	root.PersistentFlags().BoolVar(&p.json, "json", p.json, "print one JSON object, for errors too")
	root.PersistentFlags().StringVar(&p.require, "require-sandbox", "", "run nothing in a sandbox below this `level`: strong, standard or weak")
	root.PersistentFlags().StringVar(&p.choice, "engine", string(task.Auto), "what executes code: yaegi, the interpreter; go, the Go toolchain; `auto`, the interpreter and, for what it would run wrong, the toolchain")
	root.PersistentFlags().BoolVar(&p.referee, "referee", false, "run both engines and compare what they did")
	root.AddCommand(p.checkCommand(), p.holdoutCommand(), p.newCommand(), p.packCommand(), p.receiptCommand(), p.verifyCommand())
	return root
}

// begin makes what every task works with.
func (p *program) begin() (err error) {
	p.begun = true
	switch p.require {
	case "", sandbox.Strong, sandbox.Standard, sandbox.Weak:
	default:
		return &grader.Error{Code: "unknown_level", Message: "--require-sandbox=" + p.require + " is not known", Hint: "The levels are strong, standard and weak.", Exit: grader.ExitUsage}
	}
	if !slices.Contains(task.Choices(), task.Choice(p.choice)) {
		return &grader.Error{Code: "unknown_engine", Message: "--engine=" + p.choice + " is not known", Hint: "The engines are auto, yaegi and go.", Exit: grader.ExitUsage}
	}
	p.engines = task.Engines{Choice: task.Choice(p.choice), Referee: p.referee, Toolchain: p.toolchain()}
	if p.pool, err = sandbox.NewPool(sandbox.Options{Require: p.require}); err != nil {
		return err
	}
	p.checker = check.New(p.pool, teaching.Tree())
	return nil
}

// toolchain is the second engine, which looks for Go, and for the folders that it needs, when it is first asked.
func (p *program) toolchain() *toolchain.Toolchain {
	cache, err := os.UserCacheDir()
	if err == nil {
		cache = filepath.Join(cache, "fieldbook", "toolchain")
	}
	folder, _ := os.Getwd() // where there is none, the source is not looked for around it
	return toolchain.New(toolchain.Config{
		Getenv: os.Getenv, Folder: folder, Cache: cache,
		Warming: func() {
			fmt.Fprintln(p.err, "Compiling what the Go toolchain links programs with: the first time takes a minute.")
		},
	})
}

// task makes a task for an exercise.
func (p *program) task(e *exercises.Exercise) (*task.Task, error) {
	return task.New(p.taskOptions(), e)
}

// taskOptions are what every task works with.
func (p *program) taskOptions() task.Options {
	return task.Options{Engine: p.checker, Engines: p.engines, Pool: p.pool, Require: p.require, Edition: units.Edition, Now: time.Now}
}

// drawSeed is a seed that nobody knows before the run; the report says it, so that the run can be repeated.
func drawSeed() uint64 {
	var bytes [4]byte
	_, _ = rand.Read(bytes[:]) // crypto/rand never returns an error
	return uint64(binary.BigEndian.Uint32(bytes[:]))
}

// fail tells the reader about an error and returns the exit code.
func (p *program) fail(ctx context.Context, err error) int {
	e := p.explain(ctx, err)
	if p.json {
		p.write(map[string]any{"error": map[string]string{"code": e.Code, "message": e.Message, "hint": e.Hint}})
		return e.Exit
	}
	fmt.Fprintf(p.err, "proctor: %s\n", e.Message)
	if e.Hint != "" {
		fmt.Fprintf(p.err, "         %s\n", e.Hint)
	}
	if e.Code == "internal" {
		fmt.Fprintf(p.err, "         cause: %v\n", e.Cause)
	}
	return e.Exit
}

func (p *program) explain(ctx context.Context, err error) *grader.Error {
	if ctx.Err() != nil {
		return &grader.Error{Code: "interrupted", Message: "interrupted", Hint: "What was written before stays, and nothing is half written.", Exit: grader.ExitInterrupted}
	}
	if refused := refusal(err); refused != nil {
		return refused
	}
	if known := (*grader.Error)(nil); !errors.As(err, &known) && !p.begun {
		return &grader.Error{Code: "usage", Message: err.Error(), Hint: "See `proctor --help`, or `proctor COMMAND --help`.", Exit: grader.ExitUsage}
	}
	return grader.AsError(err)
}

// refusal is a handoff's refusal as an error of the command; nil for any other error.
func refusal(err error) *grader.Error {
	var refused *handoff.Error
	if !errors.As(err, &refused) {
		return nil
	}
	exits := map[handoff.Kind]int{handoff.Invalid: grader.ExitInvalid, handoff.Input: grader.ExitUsage, handoff.Machine: grader.ExitVoid}
	return &grader.Error{Code: refused.Code, Message: refused.Message, Hint: refused.Hint, Exit: exits[refused.Kind], Cause: refused.Cause}
}

func (p *program) write(object any) {
	encoder := json.NewEncoder(p.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(object) // a closed pipe has no reader to tell
}

// usage is a wrong use of a command.
func usage(message, hint string) error {
	return &grader.Error{Code: "usage", Message: message, Hint: hint, Exit: grader.ExitUsage}
}

// count notes the code of one file among several: the highest stays.
func (p *program) count(code int) { p.exit = max(p.exit, code) }
