// Package lock takes advisory locks on whole files. A lock belongs to the open file, so a second opening in the same
// process is refused like one in another process, and it ends with the file's last descriptor: a process that dies
// holds nothing. It tells the leftovers of a crashed run from what a running one still needs.
//
// Used by runtime/files and runtime/database. Imports nothing of ours; the sandbox must allow flock.
package lock
