// Package enter puts the current process into the sandbox: it is the worker's first act, before any byte of learner
// source is read or, in a natively built binary, before any learner package is initialised.
//
// It runs in the worker only and imports nothing of ours. There are two ways in. A program that starts itself again calls
// Enter from sandbox.Serve. A binary built from learner code cannot wait for main, because package initialisers run
// before it: there, one file added to the learner's own package blank-imports this package, whose init enters when the
// command line says so. Go initialises a package's imports before the package, so the layers are on before the learner's
// first variable is computed.
//
// The layers, in the order in which they are put on (later ones take away what earlier ones need):
//
//	descriptors   the result descriptor moves to a high number, standard input is the null device
//	namespaces    own mount tree with nothing in it but a size-limited scratch; own process ids; own users
//	capabilities  every capability dropped
//	limits        address space, CPU seconds, file size, descriptors, threads, no core file
//	landlock      no path outside scratch, no TCP, no signal to a process outside
//	seccomp       an allow list of system calls; the rest is refused or ends the process
//
// Each layer reports whether it is on, and if not, why. A missing layer is never an error here: the parent computes the
// level from the report and decides.
package enter
