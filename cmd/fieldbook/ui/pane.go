package ui

import (
	"fmt"

	"fieldbook/cmd/fieldbook/draw"
)

// scroll is a position in lines that are more than a pane can show.
type scroll struct{ top, left int }

// window returns the visible part of lines and keeps the position inside.
func (s *scroll) window(lines []string, height int) []string {
	s.top = max(min(s.top, len(lines)-height), 0)
	return lines[s.top:min(s.top+max(height, 0), len(lines))]
}

// follow moves the position so that line is visible.
func (s *scroll) follow(line, height int) {
	if line < s.top {
		s.top = line
	}
	if line >= s.top+height {
		s.top = line - height + 1
	}
}

// press moves the position by what a key means and reports whether it meant something. page is the height shown.
func (s *scroll) press(key string, page int) bool {
	switch key {
	case "down", "j":
		s.top++
	case "up", "k":
		s.top--
	case "pgdown", "space", "f":
		s.top += max(page-2, 1)
	case "pgup", "b":
		s.top -= max(page-2, 1)
	case "home", "g":
		s.top = 0
	case "end", "G":
		s.top = 1 << 20
	case "right", "l":
		s.left += 8
	case "left", "h":
		s.left = max(s.left-8, 0)
	default:
		return false
	}
	s.top = max(s.top, 0)
	return true
}

// more says how much of the lines is above and below what a pane shows: "12-30 of 44", "" when all is shown.
func (s scroll) more(total, height int) string {
	if total <= height {
		return ""
	}
	return fmt.Sprintf("%d-%d of %d", s.top+1, min(s.top+height, total), total)
}

// header is the first line of a screen: where the student is at the left, the state of things at the right.
func header(t draw.Theme, left, right string, width int) string {
	right = draw.Cut(right, width-2)
	room := width - draw.Width(right) - 4
	if draw.Width(left) > room {
		left = draw.Cut(left, max(room, width/2))
		room = draw.Width(left)
		right = draw.Cut(right, width-room-4)
	}
	return draw.Fit(" "+draw.Fit(t.Title.On(left), room)+"  "+t.Faint.On(right), width)
}
