package engine

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"fieldbook/grader/engine/lower"
)

// LineMap says for each line of a lowered text which line of which file it stands for.
type LineMap struct {
	Files []string `json:"files"`
	// Marks holds one pair a line of text, line 1 first: index into Files plus 1, and the line there. 0, 0 stands for
	// nothing of the learner's.
	Marks Marks `json:"marks"`
}

// Position is the file and line that a line of lowered text, from 1, stands for.
func (m LineMap) Position(line int) (file string, source int, ok bool) {
	if line < 1 || line > len(m.Marks) {
		return "", 0, false
	}
	mark := m.Marks[line-1]
	if mark[0] < 1 || mark[0] > len(m.Files) {
		return "", 0, false
	}
	return m.Files[mark[0]-1], mark[1], true
}

// Marks are the pairs of a LineMap. They travel as one text, "1.17 1.17  2.3": it is written and read with every save, and
// as a list of lists that takes longer than all else that travels with a program.
type Marks [][2]int

// MarshalText writes the pairs: the two numbers with a dot between them, nothing for 0, 0, and a space between two lines.
func (m Marks) MarshalText() ([]byte, error) {
	text := make([]byte, 0, 8*len(m))
	for i, pair := range m {
		if i > 0 {
			text = append(text, ' ')
		}
		if pair != [2]int{} {
			text = strconv.AppendInt(text, int64(pair[0]), 10)
			text = append(text, '.')
			text = strconv.AppendInt(text, int64(pair[1]), 10)
		}
	}
	return text, nil
}

// UnmarshalText reads what MarshalText writes.
func (m *Marks) UnmarshalText(text []byte) error {
	*m = nil
	if len(text) == 0 {
		return nil
	}
	read := make(Marks, 0, bytes.Count(text, []byte(" "))+1)
	for one := range bytes.SplitSeq(text, []byte(" ")) {
		var pair [2]int
		if len(one) > 0 {
			file, line, _ := bytes.Cut(one, []byte("."))
			for at, digits := range [][]byte{file, line} {
				n, err := strconv.ParseUint(string(digits), 10, 31)
				if err != nil {
					return fmt.Errorf("line %d of a line map: %q is no pair of numbers", len(read)+1, one)
				}
				pair[at] = int(n)
			}
		}
		read = append(read, pair)
	}
	*m = read
	return nil
}

// lineMap copies the position map of a lowered text into the form that travels.
func lineMap(l *lower.Lowered) LineMap {
	var m LineMap
	index := map[string]int{}
	for line := range strings.Count(string(l.Text), "\n") + 1 {
		path, source, ok := l.Position(line + 1)
		if !ok {
			m.Marks = append(m.Marks, [2]int{})
			continue
		}
		if index[path] == 0 {
			m.Files = append(m.Files, path)
			index[path] = len(m.Files)
		}
		m.Marks = append(m.Marks, [2]int{index[path], source})
	}
	return m
}
