// Package object is the compiled half of lowered programs: what interface values of interpreted types hold, and the
// statements that the interpreter cannot be trusted with. Lowered text calls it; nothing else writes calls to it. It
// runs in the worker, inside the sandbox, and imports the standard library alone.
//
// A value of a type that the program declares is held in an interface as a Boxed: the plain value with a descriptor of
// its type. Two boxes are equal exactly when Go's values would be, so that they serve as map keys, sentinel errors and
// context keys. A box knows its methods: compiled code that asks for error, fmt.Formatter, json.Marshaler and the like
// gets them.
package object
