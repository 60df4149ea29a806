// Package worker is the child's side of a run: it calls a program's entry as the request asks (a probe in a world, a
// function for a table of cases, a main function) and makes the reply. What made the program runnable does not matter: the
// interpreter hands one in, and a program that the Go toolchain built is one.
//
// It runs in the worker. The request and the reply are its contract with package probe, on the parent's side. Built programs
// link it, so it imports grader, grader/sandbox and the runtime, and nothing that would make them large.
package worker
