package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/lang"
)

// Longer words fit the same windows: every frame is drawn in Portuguese at two sizes, and what the app itself says is Portuguese.
func TestFramesInPortuguese(t *testing.T) {
	theme := draw.Theme{Texts: lang.TextsIn(lang.Portuguese)}
	for name, lead := range frames() {
		t.Run(name, func(t *testing.T) {
			m := mustModel(t, theme, 80, 24)
			m.options.Session.Words = theme.Texts
			lead(t, m)
			for _, size := range [][2]int{{80, 24}, {120, 40}} {
				m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				frame := m.Frame()
				checkShape(t, frame, size[0], size[1])
				lines := strings.Split(frame, "\n")
				for _, english := range []string{" help ", " quit", " edition", "step "} {
					if strings.Contains(lines[0]+lines[len(lines)-1]+" ", english) {
						t.Errorf("header or keys say %q:\n%s\n%s", english, lines[0], lines[len(lines)-1])
					}
				}
			}
		})
	}
}
