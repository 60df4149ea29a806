// Package ui is the terminal app: course map, step reader, run pane and the screens of Unit B, over one session of package
// course. One Model holds the state; Update is the only place where it changes; everything slow runs outside the loop and
// reports back as an event; View draws the whole screen from the state with package draw. It runs in the parent.
//
// The app uses bubbletea alone of its family: lipgloss asks tmux for its colours and bubbles' text area looks for
// clipboard programs while their packages initialise, which every worker and every command would wait for.
package ui

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/grader"
)

// Options are what the app works with.
type Options struct {
	Session *course.Session
	Theme   draw.Theme
	Explain func(error) *grader.Error // words for an error
	Editor  []string                  // command that edits a file, the file's name to be added
	Sandbox string                    // level, for the header
	Notice  string                    // shown when the app opens; "" is none
	Now     func() time.Time
	Courses []string // where an instructor's course.yaml may lie
	// Commands are those of the program, for the search.
	Commands []Command

	In  io.Reader
	Out io.Writer
}

// framesPerSecond is how often the screen is drawn at most.
const framesPerSecond = 30

// Run shows the app until the student leaves it or ctx ends.
func Run(ctx context.Context, o Options) error {
	m, err := New(ctx, o)
	if err != nil {
		return err
	}
	defer m.Close()
	program := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithFPS(framesPerSecond), tea.WithoutSignalHandler())
	if _, err = program.Run(); ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
