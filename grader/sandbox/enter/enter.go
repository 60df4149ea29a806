package enter

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

// The first command-line argument of a worker. The environment stays empty, so the command line is what says it.
const (
	// Arg asks main to serve: the program is ours and is trusted until it has read its request.
	Arg = "__worker"
	// NativeArg asks this package's init to enter, before the learner's packages are initialised.
	NativeArg = "__worker-native"
)

// Exit codes of a worker that ends without having run anything, or whose result cannot be delivered.
const (
	ExitNotEntered = 90 // the layers could not be put on; the report says why
	ExitNoRequest  = 91 // the parent went away before it sent a request
	ExitNoFrame    = 92 // the completion frame could not be written
)

// Bounds inside the process. They come before the kernel's, so that a program that goes too far ends with Go's own words.
const (
	maxStack   = 64 << 20 // bytes of one goroutine's stack
	maxThreads = 64
)

// Worker is a process that has entered.
type Worker struct {
	Config      Config
	Report      Report
	Descriptors Descriptors
}

// entered is the worker of this process when init entered: main finds it here.
var entered *Worker

func init() {
	if len(os.Args) > 1 && os.Args[1] == NativeArg {
		entered = mustEnter()
	}
}

// Enter reads the configuration, puts every layer on and reports. A process that has entered already is returned as it
// is. When the process was not started by a parent of this package, or cannot enter, it ends.
func Enter() *Worker {
	if entered == nil {
		entered = mustEnter()
	}
	return entered
}

func mustEnter() *Worker {
	w := &Worker{}
	if err := w.Descriptors.inherit(os.Args); err != nil {
		fmt.Fprintf(os.Stderr, "This command is started by Fieldbook itself and is of no use by hand (%v).\n", err)
		os.Exit(ExitNotEntered)
	}
	payload, err := w.Descriptors.ReadFrame(MaxStartFrame)
	if err != nil {
		os.Exit(ExitNoRequest)
	}
	if w.Config, err = DecodeConfig(payload); err == nil {
		err = w.enter()
	}
	if err != nil {
		w.Report.Failed = err.Error()
	}
	if writeErr := w.Descriptors.WriteResult(Frame(w.Report.Encode())); writeErr != nil || err != nil {
		os.Exit(ExitNotEntered)
	}
	return w
}

// enter puts the layers on, in the order of the package comment.
func (w *Worker) enter() error {
	w.boundRuntime()
	w.Descriptors.closeStrangers()
	if err := w.Descriptors.arrange(); err != nil {
		return fmt.Errorf("arranging descriptors: %w", err)
	}
	w.note("descriptors", nil, "result descriptor moved, standard input null")
	return w.putOn()
}

// boundRuntime sets the limits that the Go runtime keeps by itself, and what makes a run repeatable: one processor, so
// that no slice header can be torn by a race, and a time zone that does not depend on the machine.
func (w *Worker) boundRuntime() {
	runtime.GOMAXPROCS(1)
	debug.SetMaxStack(maxStack)
	debug.SetMaxThreads(maxThreads)
	// The collector works harder towards this limit, and the closer to the hard one it is, the sooner a program that only
	// grows meets its end: with 60% of it, 100,000 goroutines took 1.5 s to die, with 90% half of that.
	debug.SetMemoryLimit(w.Config.Memory / 10 * 9)
	time.Local = time.UTC
	w.note("runtime", nil, fmt.Sprintf("one processor, stack %d MiB, %d threads", maxStack>>20, maxThreads))
}

// useFolder makes the folder that the parent made the scratch folder.
func (w *Worker) useFolder() error {
	w.Report.Folder = w.Config.Folder
	if w.Config.Folder == "" {
		return nil
	}
	return os.Chdir(w.Config.Folder)
}

// note records a layer: active with its detail, or missing because of err.
func (w *Worker) note(name string, err error, detail string) {
	layer := Layer{Name: name, Active: err == nil, Detail: detail}
	if err != nil {
		layer.Detail = err.Error()
	}
	w.Report.Layers = append(w.Report.Layers, layer)
}

// leftOut reports whether the parent asked for a sandbox without this layer.
func (w *Worker) leftOut(name string) bool { return slices.Contains(w.Config.Without, name) }
