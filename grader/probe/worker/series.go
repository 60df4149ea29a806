package worker

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"fieldbook/grader/sandbox"
	"fieldbook/runtime/operation"
)

// Many runs share the one frame.
const (
	maxSeriesText  = 512     // kept of an error or a panic of one run, in bytes
	maxSeriesReply = 2 << 10 // an answer that is larger is left out
)

// series runs the probe in one world after another.
func series(program Program, session sandbox.Session, r Request) ([]Reply, error) {
	var answers []Reply
	for i, s := range r.Starts {
		r.Process, r.Fault = s.Process, s.Fault
		root := filepath.Join(session.Scratch, strconv.Itoa(i))
		answer, err := drive(program, root, nil, r)
		if err != nil {
			return nil, err
		}
		// Its handles stay open, as those of a killed process do; its log ends, since only one may be live.
		operation.For(root).Stop()
		answer.Error = shorten(answer.Error)
		if answer.Crash != nil {
			answer.Crash.Message = shorten(answer.Crash.Message)
		}
		if data, err := json.Marshal(answer); err != nil || len(data) > maxSeriesReply {
			answer = Reply{Unfinished: true}
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

func shorten(text string) string {
	if len(text) > maxSeriesText {
		text = strings.ToValidUTF8(text[:maxSeriesText], "") + "…"
	}
	return text
}
