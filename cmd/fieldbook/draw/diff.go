package draw

import (
	"fmt"
	"strings"
)

// around is how many unchanged lines stand around a change.
const around = 3

// Diff shows what changed between two texts: lines of the first that are gone, with their numbers, lines of the second that
// are new, and a few around them. Nothing when the texts are equal.
func (t Theme) Diff(before, after string, width int) []string {
	edits := align(textLines(before), textLines(after))
	shown := make([]bool, len(edits))
	for i, e := range edits {
		if e.sign == ' ' {
			continue
		}
		for j := max(i-around, 0); j <= min(i+around, len(edits)-1); j++ {
			shown[j] = true
		}
	}
	var lines []string
	gap := false
	for i, e := range edits {
		if !shown[i] {
			gap = len(lines) > 0
			continue
		}
		if gap {
			lines, gap = append(lines, t.Faint.On("     ⋮")), false
		}
		text := fmt.Sprintf("%c %4d  %s", e.sign, e.number, Tabs(e.text))
		switch e.sign {
		case '-':
			text = t.Differ.On(text)
		case '+':
			text = t.Pass.On(text)
		}
		lines = append(lines, Cut(text, width))
	}
	return lines
}

func textLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// edit is a line of a diff: kept, gone or new, with its number in the text that has it.
type edit struct {
	sign   rune // ' ', '-', '+'
	number int
	text   string
}

// mostCells bounds the work of aligning; above it, everything between the common ends counts as changed.
const mostCells = 4 << 20

// align finds a longest common subsequence of lines.
func align(a, b []string) []edit {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var edits []edit
	for i := range head {
		edits = append(edits, edit{' ', i + 1, b[i]})
	}
	edits = append(edits, middle(a[head:len(a)-tail], b[head:len(b)-tail], head)...)
	for i := range tail {
		at := len(b) - tail + i
		edits = append(edits, edit{' ', at + 1, b[at]})
	}
	return edits
}

// middle aligns what is between the common ends, which begins after offset lines in both.
func middle(a, b []string, offset int) []edit {
	longest := make([][]int, len(a)+1) // of the rests from i and j
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	if len(a)*len(b) <= mostCells {
		for i := len(a) - 1; i >= 0; i-- {
			for j := len(b) - 1; j >= 0; j-- {
				if a[i] == b[j] {
					longest[i][j] = longest[i+1][j+1] + 1
				} else {
					longest[i][j] = max(longest[i+1][j], longest[i][j+1])
				}
			}
		}
	}
	var edits []edit
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			edits = append(edits, edit{' ', offset + j + 1, b[j]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || longest[i+1][j] >= longest[i][j+1]):
			edits = append(edits, edit{'-', offset + i + 1, a[i]})
			i++
		default:
			edits = append(edits, edit{'+', offset + j + 1, b[j]})
			j++
		}
	}
	return edits
}
