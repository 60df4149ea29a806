package probe

import (
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe/worker"
	"fieldbook/grader/sandbox"
)

// classify turns how a worker ended into the execution's outcome.
func (e *Execution) classify(result sandbox.Result, message worker.Request) {
	e.end(result.Outcome, result.Cause, result.Hint)
	switch result.Outcome {
	case grader.Observed:
		e.answered(result.Reply, message.Mode)
	case grader.Panic:
		e.died(result)
	}
}

// died says what panic ended the worker: one in a goroutine, or, in a built program, one while its packages were
// initialised.
func (e *Execution) died(result sandbox.Result) {
	// The note that names the learner's line is on stderr, the runtime's report apart from it.
	crash, _, ok := engine.ParseTrace(append(append([]byte{}, result.StderrRaw...), result.Crash...))
	if !ok {
		return
	}
	where := " in a goroutine"
	if program := e.program; program.Binary != "" {
		var first bool
		if crash.File, crash.Line, first = traced(result.Crash, program.Lines.Files); first {
			where = ""
		}
	}
	crash = safe(crash)
	e.Crash = &crash
	e.Cause = "The code panicked" + where + ": " + crash.Message + "."
	if crash.Kind == grader.CrashUnfinished { // the flag went with the process; the runtime's report is what is left
		e.unfinished()
	}
}

func (e *Execution) unfinished() {
	e.end(grader.Unfinished, "The function still calls exercise.Unfinished.", "Write the function, then run again.")
	e.Crash = nil
}

// end sets how the run ended, in words.
func (e *Execution) end(outcome grader.Outcome, cause, hint string) {
	e.Outcome, e.Cause, e.Hint = outcome, cause, hint
}

// answered reads the worker's reply: the frame is authentic, but its contents say whether there is an observation.
func (e *Execution) answered(data []byte, asked worker.Mode) {
	answer, err := decodeReply(data)
	e.replied = true
	if err != nil {
		e.end(grader.NoResult, "The observation that came back cannot be read.", "Return what the probe observed and nothing else.")
		return
	}
	e.take(answer, asked)
}

// take is what a reply says of the run.
func (e *Execution) take(answer worker.Reply, asked worker.Mode) {
	e.Fault = answer.Fault
	switch {
	case answer.Unfinished:
		e.unfinished()
	case answer.Crash != nil:
		crash := safe(*answer.Crash)
		e.end(grader.Panic, "The code panicked: "+crash.Message+".", "The message names the line at which it happened.")
		e.Crash = &crash
	case answer.Error != "":
		e.end(grader.NoResult, "The probe could not go on: "+shown(answer.Error)+".", "Look at the last operation of the log: what it left is not what the next step needs.")
	case asked == worker.Probe && answer.Observation == nil:
		e.end(grader.NoResult, "The probe ended without an observation.", "Let the probe return what it observed.")
	default:
		e.Observation, e.rows = answer.Observation, answer.Rows
		for i, row := range e.rows {
			if row.Crash != nil {
				crash := safe(*row.Crash)
				e.rows[i].Crash = &crash
			}
		}
	}
}

// safe is a crash as it may be shown: its words are the learner's.
func safe(c grader.Crash) grader.Crash {
	c.Kind, c.Message, c.File = shown(c.Kind), shown(c.Message), shown(c.File)
	return c
}

// shown is a text of the learner's within a sentence of ours.
func shown(text string) string {
	const most = 2000 // bytes
	if len(text) > most {
		return grader.Visible([]byte(strings.ToValidUTF8(text[:most], ""))) + "…"
	}
	return grader.Visible([]byte(text))
}
