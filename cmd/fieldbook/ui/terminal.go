package ui

import (
	"io"
	"os/exec"
	"runtime"
	"time"

	tea "charm.land/bubbletea/v2"
)

// wholeScreen is the terminal's sequence that lets every row scroll again (DECSTBM without arguments).
const wholeScreen = "\x1b[r"

// redraw draws every cell anew. The renderer scrolls rows between margins that it names for the size it knows; when the
// window changes at that moment, the margins stay at the old height and later rows are drawn over each other. No erasing
// takes them back, so they are taken back first.
func redraw() tea.Cmd {
	return tea.Sequence(tea.Raw(wholeScreen), tea.ClearScreen)
}

// settling is how long a command has the terminal at least. The renderer's goroutine stops its ticker some time after the
// terminal was given away; where the command ends sooner, that stop comes after the new start, and nothing is ever drawn
// again (charmbracelet/bubbletea issue 1778, open for v2.1.1).
const settling = 60 * time.Millisecond

// inTerminal runs a command that has the terminal to itself, and no shorter than the renderer needs to stop.
type inTerminal struct{ *exec.Cmd }

func (c inTerminal) SetStdin(r io.Reader)  { c.Stdin = r }
func (c inTerminal) SetStdout(w io.Writer) { c.Stdout = w }
func (c inTerminal) SetStderr(w io.Writer) { c.Stderr = w }

func (c inTerminal) Run() error {
	begun := time.Now()
	err := c.Cmd.Run()
	time.Sleep(settling - time.Since(begun))
	runtime.Gosched() // on a machine that was busy all the while, the renderer's goroutine comes first
	return err
}
