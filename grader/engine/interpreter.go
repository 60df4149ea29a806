package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing/fstest"

	"github.com/traefik/yaegi/interp"

	"fieldbook/grader/engine/lower/object"
	"fieldbook/grader/engine/symbols"
	"fieldbook/runtime/world"
)

// Interpreter runs one prepared program, once, in the process that it is in: the worker. It is no boundary; the sandbox
// around the process is.
type Interpreter struct {
	interp  *interp.Interpreter
	panics  *panicWriter
	start   func()
	entry   reflect.Value
	reached reflect.Value // the program's line variable
	lines   LineMap
	texts   fstest.MapFS // what was compiled, by names
}

// NewInterpreter returns an interpreter that holds the offered packages and waits for a program. stdout is where fmt.Print
// and its like write; stderr receives notes about panics in goroutines, which ParseTrace reads.
func NewInterpreter(stdout, stderr io.Writer) (*Interpreter, error) {
	i := &Interpreter{texts: fstest.MapFS{}}
	i.panics = &panicWriter{out: stderr, where: i.where}
	i.interp = interp.New(interp.Options{
		GoPath:               ".",
		Stdin:                emptyReader{},
		Stdout:               stdout,
		Stderr:               i.panics,
		Args:                 []string{},
		Env:                  []string{},
		SourcecodeFilesystem: i.texts, // else an import would look for source on the host
	})
	exports := symbols.Exports()
	redirect(exports, stdout)
	for _, set := range []interp.Exports{exports, object.Symbols(exports)} {
		if err := i.interp.Use(set); err != nil {
			return nil, fmt.Errorf("loading the symbols of the offered packages: %w", err)
		}
	}
	return i, nil
}

// redirect gives fmt's printing functions the interpreter's output. The interpreter does so itself when it is given
// "fmt/fmt", and then compiles its own sources of slices, maps and cmp, which takes longer than everything else and which
// lowered programs never import. The same package under another spelling of its key spares that.
func redirect(exports interp.Exports, stdout io.Writer) {
	p := exports["fmt/fmt"]
	delete(exports, "fmt/fmt")
	exports["fmt//fmt"] = p
	p["Print"] = reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(stdout, a...) })
	p["Printf"] = reflect.ValueOf(func(format string, a ...any) (int, error) { return fmt.Fprintf(stdout, format, a...) })
	p["Println"] = reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprintln(stdout, a...) })
	p["Scan"] = reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fscan(emptyReader{}, a...) })
	p["Scanf"] = reflect.ValueOf(func(format string, a ...any) (int, error) { return fmt.Fscanf(emptyReader{}, format, a...) })
	p["Scanln"] = reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fscanln(emptyReader{}, a...) })
}

// LoadFirst compiles the first text of a prepared program, or of many that have it in common. An error is a fault of ours.
func (i *Interpreter) LoadFirst(text string) error { return i.compile("first.go", text) }

// Load compiles a prepared program without running any of it. A program without a first text, though its second needs one,
// goes with that of LoadFirst. An error is a fault of ours.
func (i *Interpreter) Load(p Prepared) error {
	if p.First != "" {
		if err := i.LoadFirst(p.First); err != nil {
			return err
		}
	}
	if err := i.compile("second.go", p.Text); err != nil {
		return err
	}
	start, err := i.named(p.Start)
	if err != nil {
		return err
	}
	run, ok := start.Interface().(func())
	if !ok {
		return fmt.Errorf("the program's start has the type %s", start.Type())
	}
	if i.entry, err = i.named(p.Entry); err != nil {
		return err
	}
	if i.reached, err = i.named(lineVariable); err != nil {
		return err
	}
	i.start, i.lines = run, p.Lines
	return nil
}

// compile compiles a text under a name. The interpreter tells the imports of two texts apart by their names.
func (i *Interpreter) compile(name, text string) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the interpreter panicked while it compiled %s: %v", name, fault)
		}
	}()
	i.texts[name] = &fstest.MapFile{Data: []byte(text)}
	if _, err := i.interp.EvalPath(name); err != nil {
		return fmt.Errorf("the interpreter refuses the lowered %s: %w", name, err)
	}
	return nil
}

// named returns a package-level name of the program.
func (i *Interpreter) named(name string) (reflect.Value, error) {
	v, err := i.interp.Eval("program." + name)
	if err != nil {
		return reflect.Value{}, fmt.Errorf("the program has no %s: %w", name, err)
	}
	return v, nil
}

// Probe returns the program's entry as a probe. Calling it initialises the program's packages first, so it is to be called
// once. A panic of the program comes out of the call; Crash says what it was.
func (i *Interpreter) Probe() (func(context.Context, *world.World) (world.Observation, error), error) {
	if !i.entry.IsValid() {
		return nil, errNotLoaded
	}
	probe, ok := i.entry.Interface().(func(context.Context, *world.World) (world.Observation, error))
	if !ok {
		return nil, fmt.Errorf("the probe has the type %s", i.entry.Type())
	}
	return func(ctx context.Context, w *world.World) (world.Observation, error) {
		i.start()
		return probe(ctx, w)
	}, nil
}

// Main returns the program's entry as a main function; see Probe.
func (i *Interpreter) Main() (func(), error) {
	if !i.entry.IsValid() {
		return nil, errNotLoaded
	}
	main, ok := i.entry.Interface().(func())
	if !ok {
		return nil, fmt.Errorf("the main function has the type %s", i.entry.Type())
	}
	return func() {
		i.start()
		main()
	}, nil
}

var errNotLoaded = errors.New("no program is loaded")

// Position returns what says where a call into a supplied package comes from: the line that the program reached last. It
// is not taken back when a callback returns, so what a supplied function does after it called a closure of the program is
// put down to the closure's last line; and goroutines share one.
func (i *Interpreter) Position() func() (file string, line int) { return i.where }

// where is the learner's line that the program reached last.
func (i *Interpreter) where() (file string, line int) {
	if !i.reached.IsValid() {
		return "", 0
	}
	file, line, _ = i.lines.Position(int(i.reached.Int()))
	return file, line
}

// emptyReader is standard input: it is at its end.
type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, io.EOF }
