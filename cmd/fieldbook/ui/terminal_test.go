package ui

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/draw"
)

// written is what a program writes, for another goroutine to read.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *written) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(data)
}

func (s *written) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// shows waits for texts that are written one after the other.
func (s *written) shows(t *testing.T, texts ...string) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		rest, found := s.String(), true
		for _, text := range texts {
			if found {
				_, rest, found = strings.Cut(rest, text)
			}
		}
		if found {
			return
		}
		if time.Since(begun) > 20*time.Second {
			t.Fatalf("%q was not written in this order:\n%q", texts, s.String())
		}
	}
}

// TestScrollMarginsAreTakenBack holds what redraw is for: at a new size, and when it is asked for, the margins go before the
// screen is drawn anew.
func TestScrollMarginsAreTakenBack(t *testing.T) {
	for name, cause := range map[string]tea.Msg{
		"a new size": tea.WindowSizeMsg{Width: 100, Height: 32},
		"Ctrl-L":     tea.KeyPressMsg{Code: 'l', Mod: tea.ModCtrl},
	} {
		t.Run(name, func(t *testing.T) {
			m := mustModel(t, draw.Theme{}, 80, 24)
			m.width, m.height = 0, 0 // the program says the first size
			var out written
			program := tea.NewProgram(m, tea.WithContext(t.Context()), tea.WithInput(nil), tea.WithOutput(&out), tea.WithWindowSize(80, 24), tea.WithFPS(framesPerSecond), tea.WithoutSignalHandler())
			ended := make(chan error, 1)
			go func() {
				_, err := program.Run()
				ended <- err
			}()
			out.shows(t, "Course map")
			if strings.Contains(out.String(), wholeScreen) {
				t.Error("the first frame takes margins back that nobody has set")
			}
			program.Send(cause)
			out.shows(t, wholeScreen, "\x1b[2J", "Course map")
			program.Quit()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
