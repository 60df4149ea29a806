// Command fieldbook is the student's command: the course in a terminal, and every part of it as a command of its own.
//
// main starts the worker when the sandbox asks for one, and otherwise calls run with what the operating system gives the
// program. One file holds one command; package workbench does the work, package draw makes the text, package ui is the app.
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
	os.Exit(run(ctx, os.Args[1:], thisSystem()))
}
