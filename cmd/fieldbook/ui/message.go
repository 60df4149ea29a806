package ui

import (
	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader"
	"fieldbook/grader/crash"
	"fieldbook/grader/task"
)

// event is what a command that ran outside the update loop reports back. Every message of our own is one; whatever else
// arrives is the terminal's.
type event interface{ event() }

type (
	// ran ends a run of the exercise, or of the repair.
	ran struct {
		run workbench.Run
		err error
	}
	// decided tells the verdict of a run that goes on: the rest of its evidence is read, and it is kept.
	decided struct {
		report grader.Report
		of     <-chan grader.Report // the run that it is of
	}
	// started ends the opening of what Unit B starts from, with its baseline.
	started struct {
		breakage *workbench.Breakage
		baseline workbench.Baseline
		err      error
	}
	// injected ends the search for a fault.
	injected struct {
		breakage  *workbench.Breakage // in which it was looked for
		injection task.Injection
		err       error
	}
	// saved says that the watcher saw a save of the student's file.
	saved struct{ files []string }
	// laid says that the files of a part are in place.
	laid struct {
		activity *course.Activity
		err      error
	}
	// performed ends the run of a part.
	performed struct {
		activity *course.Activity
		run      workbench.Run
		err      error
	}
	// explored ends an exploration of crashes.
	explored struct {
		activity *course.Activity // that asked about it first; nil for none
		matrix   *crash.Matrix
		run      workbench.Run
		err      error
	}
	// edited ends the student's editor.
	edited struct{ err error }
)

func (ran) event()       {}
func (decided) event()   {}
func (started) event()   {}
func (injected) event()  {}
func (saved) event()     {}
func (edited) event()    {}
func (laid) event()      {}
func (performed) event() {}
func (explored) event()  {}
