package worker

import (
	"encoding/json"
	"path/filepath"
	"strconv"

	"fieldbook/grader/sandbox"
	"fieldbook/runtime/operation"
)

// maxSeriesReply leaves room for the others of a series in the one frame.
const maxSeriesReply = 2 << 10

// series runs the probe in one world after another.
func series(program Program, session sandbox.Session, r Request) ([]SeriesReply, error) {
	var answers []SeriesReply
	for i, s := range r.Starts {
		r.Process, r.Fault = s.Process, s.Fault
		root := filepath.Join(session.Scratch, strconv.Itoa(i))
		one, err := drive(program, root, nil, r)
		if err != nil {
			return nil, err
		}
		// Its handles stay open, as those of a killed process do; its log ends, since only one may be live.
		operation.For(root).Stop()
		answer := SeriesReply{Observation: one.Observation, Fault: one.Fault}
		if data, err := json.Marshal(answer); one.Unfinished || err != nil || len(data) > maxSeriesReply {
			answer = SeriesReply{}
		}
		answers = append(answers, answer)
	}
	return answers, nil
}
