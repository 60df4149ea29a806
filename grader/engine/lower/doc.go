// Package lower compiles the type-checked packages of one run into a small core of Go that the interpreter
// (yaegi v0.16.1) is known to run as Go 1.26 would.
//
// The interpreter is silently wrong about many things: loop variables, deferred arguments, named results, interface
// values, method values, types declared in interpreted code, constants. Patching source text construct by construct
// leaves the combinations wrong. So this package treats the interpreter as a machine with few instructions, and
// compiles for it, in the way a compiler lowers a language to an intermediate form:
//
//   - All packages of the program become ONE package, "program", in one source text: monomorphised generics,
//     initialisation order and method dispatch need the whole program.
//   - Expressions are flattened as far as order of evaluation asks for; constants are written with their types.
//   - Variables that closures share or whose address is taken live behind a pointer of their own, made where the
//     variable is declared: one for each iteration of a loop.
//   - Function literals become top-level functions that take what they capture and return the closure.
//   - Methods become functions. Declared types become their underlying types, except structs.
//   - A value of a type that the program declares is boxed when it is converted to an interface (package object), with
//     a descriptor of its type: dynamic types, assertions, switches, equality, printing and JSON go by that.
//   - defer, recover and panic are calls of package object, compiled, that run closures.
//
// # Contract with the engine
//
// Give Program every package of the run that is not compiled in (copied runtime packages, probe, learner's file),
// type-checked, in dependency order. Each is checked against the REAL export data of what it imports, generic standard
// packages (slices, maps, cmp, iter, and the generic functions of sync and strings) included: their bodies are supplied
// here as source, in folder library.
//
//	lowered, refusals, err := lower.Program(packages, options)
//
// Refusals stand at the learner's own positions; with any there is no Lowered. An error is ours, never the student's
// (infrastructure). Check is Program for its refusals alone.
//
// Lowered.Text is the one file of package "program", Go that can be type-checked again; unused variables and imports
// (types.Error.Soft) are to be ignored. It imports compiled packages under their own paths, and package object
// (ObjectPath), whose symbols object.Symbols returns in the interpreter's form. To run it:
//
//	i.Use(offered); i.Use(object.Symbols(offered))
//	i.Eval(string(lowered.Text))                  // declares; runs nothing of the program
//	start := i.Eval("program." + lowered.Start)   // func(): initialises every package in dependency order
//	run := i.Eval("program." + lowered.Function("fieldbook/probe", "Run"))
//	call both as Go function values and recover around them
//
// What recover gives there is an *object.Thrown for a panic of the program's own, so that a panic of a supplied function
// cannot be forged; object.Value and object.Describe put run-time errors into Go's words.
//
// A function keeps its signature when every type in it is a compiled, basic or composed one. An interface declared in
// interpreted code becomes any, and variadic parameters become slices.
//
// Lowered.Position maps a line of Text to the learner's file and line, whatever a //line comment says. Every statement of
// Text stands on a line of its own, so a line is enough.
//
// # The learner's line
//
// Position puts each call into a supplied package (Options.Supplied) down to the line of the called function's name. Calls are
// flattened, so a call in a condition, in the header of an if or a for, in an argument or in a deferred closure is a statement
// with its own line, evaluated after its arguments. Supplied packages get the plain values that boxes hold where they take an
// any.
//
// # Limits
//
// Refused are unsafe, reflection on declared types, more than a few goto statements, and little else (see refuse). Not
// refused, and not byte for byte Go's:
//
//   - when an index or the elements of a literal are read beside a call in the same expression: Go leaves it open;
//   - a negative zero in a struct or an array that is passed, when all else of it is zero: it loses its sign;
//   - the text of "hash of unhashable type";
//   - addresses.
package lower
