package probe

import (
	"bytes"
	"strconv"
	"strings"

	"fieldbook/grader/probe/worker"
)

// traced reads the report that the Go runtime writes as it ends a built program: the innermost call of the copy's files in
// the goroutine that panicked, and whether that goroutine is the program's first one. line is 0 when there is no such call.
func traced(report []byte, files []string) (file string, line int, first bool) {
	_, stack, ok := bytes.Cut(report, []byte("\ngoroutine "))
	if !ok {
		return "", 0, false
	}
	first = bytes.HasPrefix(stack, []byte("1 "))
	function := ""
	for text := range strings.Lines(string(stack)) {
		text = strings.TrimRight(text, "\r\n")
		place, isPlace := strings.CutPrefix(text, "\t")
		switch {
		case text == "":
			return "", 0, first // the next goroutine
		case strings.HasPrefix(text, "created by "):
			return "", 0, first
		case !isPlace:
			function, _, _ = cutLast(text, "(")
		default:
			place, _, _ = strings.Cut(place, " +0x")
			path, number, _ := cutLast(place, ":")
			if file, ok := worker.Place(function, path, files); ok {
				line, err := strconv.Atoi(number)
				if err != nil {
					line = 0
				}
				return file, line, first
			}
		}
	}
	return "", 0, first
}

func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}
