// Package submission reads the archive that a student hands in for one unit, as the student's program does after writing it and
// the instructor's before grading: what is in it belongs together, and nothing is in it beside that. The handoffs in it are
// verified as files of their own; what their code does, only executing them shows.
//
// It imports nothing of ours but handoff and handoff/archive, and runs in the parent.
package submission
