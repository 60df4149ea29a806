// Command proctor is the instructor's command: it runs holdout cases on handoffs or sources and re-executes saved
// handoffs. It is the only program that imports exercises/holdout.
//
// main starts the worker when the sandbox asks for one, and otherwise calls run with what the operating system gives the
// program. One file holds one command.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
)

func main() {
	if sandbox.IsWorker(os.Args) {
		probe.Serve() // never returns
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second interrupt ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], stdio{out: os.Stdout, err: os.Stderr}))
}
