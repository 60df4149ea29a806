// Package assistant is the part of Lucy's shop that students write functions of: it backs the shop up and restores it, and
// takes work in, hands it out and has it finished under the rules of its queue.
//
// It is copied: a task gets a copy of these sources, without the file of the function that is replaced, and runs it in the
// interpreter. It is compiled and tested as ordinary Go as well. What an exercise replaces stands alone in its file
// (restore.go, manifest.go) and declares nothing else. Rows, refusals and limits are in package shop, so no type is
// declared here, and as few other names as possible: a learner's helper may have any name that is free.
//
// Every statement goes through package database and every file through package files, where it is logged. Times are UTC
// seconds and money is whole cents. Runs in the sandboxed worker and in native tests; imports supplied packages only.
package assistant
