// Package object is the compiled half of lowered programs: what interface values of interpreted types hold, and the
// statements that the interpreter cannot be trusted with. Lowered text calls it; nothing else writes calls to it. It
// runs in the worker, inside the sandbox, and imports the standard library alone.
package object
