// Package fieldnotes is what the recoverable runtime of the field notes works with: proposals and the policy that they are
// judged by, the checkpoint of a run, its effects, and the notebook, a folder that holds all three on the disk.
//
// Supplied: compiled, and offered to interpreted code. Every durable operation goes through package files and is logged
// under the call that asked for it. All tenants, addresses and orders are fictitious. Runs in the sandboxed worker and in
// native tests. Imports runtime/files and runtime/operation only.
package fieldnotes
