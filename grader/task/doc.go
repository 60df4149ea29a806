// Package task is one exercise at work: a learner's files are installed into a private copy of the runtime, run by the
// visible probe, compared, broken by a fault, repaired, saved as a handoff and loaded again. Commands, the app and the
// instructor's batches all work through it.
//
// It ties engine, sandbox, probe and fault together and imports handoff and exercises besides. It runs in the parent.
// A report says what the learner's code did; an error says that the task could not be done, and whose fault that is.
package task
