// Package recovery is the part of the recoverable runtime that students write functions of: a policy that judges what a
// model proposes, an executor that has one effect for one key, and a run that goes on where the last one was cut short.
//
// It is copied: a task gets a copy of these sources, without the file of the function that is replaced, and runs it in the
// interpreter. It is compiled and tested as ordinary Go as well. What an exercise replaces stands alone in its file
// (decide.go, execute.go, run.go, outstanding.go) and declares nothing else. The notebook, its files and their types are in package
// fieldnotes, so no type is declared here, and as few other names as possible.
//
// Four parts with boundaries between them: the model proposes, Decide decides, Execute alone has effects, the checkpoint
// remembers. The trace stands beside them and decides nothing. Runs in the sandboxed worker and in native tests; imports
// supplied packages only.
package recovery
