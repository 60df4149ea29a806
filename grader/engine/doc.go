// Package engine turns a learner's Go file into a program that the interpreter runs as Go would, and runs it.
//
// Two halves live here, on two sides of the sandbox.
//
// In the parent, Engine.Prepare puts the learner's file in its place in the copied runtime, holds it to the rules of a
// learner's file, type-checks the whole copy with export data embedded in this binary, asks package lower what the
// interpreter could not run right, and lowers the rest. What is wrong with the source comes back as diagnostics, all of
// them at once, at the learner's own lines; an error is only ever a fault of ours.
//
// In the worker, NewInterpreter makes a warm interpreter with the offered symbols alone, Load gives it a Prepared
// program, and Probe or Main returns the program's entry as a Go function to be called. Classify says what a recovered
// panic was, in Go's words, at the learner's line. What a program's probe needs of supplied files is a text of its own, the
// same from save to save: LoadFirst compiles it before the learner saves, which spares a run of restore.go a quarter
// of its time (run-p50-ms of BenchmarkSaveToVerdict).
//
// The engine imports the list of what is offered, export data, symbols, package lower, and the words of package grader.
// It never sees an expected value.
package engine

//go:generate go run ./internal/extract/generate
