// Package toolchain is the second engine: it builds a checked program with the Go toolchain, where one and the source of
// this module are at hand. What it builds is the same copy that the interpreter runs, with a main function that serves the
// same requests (package grader/probe/worker), so that everything after this package is the same for both engines.
//
// It runs in the parent. The go command works offline, without cgo, with nothing of the user's environment, in a build cache
// that is Fieldbook's own and kept between runs, and under limits of time, memory and output. It compiles and links, and
// runs nothing of the learner's: what is built runs in the sandbox, which package enter puts on before any learner package is
// initialised.
//
// The program has passed every check by then, so a compiler that refuses it disagrees with our checker. That is a fault of
// ours, never the student's. It imports grader, grader/engine and the runtime's sources.
package toolchain
