package draw

import "strings"

// Pane is a titled part of a frame.
type Pane struct {
	Title string
	Width int // cells inside, borders not counted; 0 shares what the others leave
	Lines []string
}

// Row is panes side by side. Height counts lines inside; 0 shares what the other rows leave.
type Row struct {
	Height int
	Panes  []Pane
}

// Frame draws rows of panes in one frame of exactly width by height cells. Neighbouring panes share their border.
func (t Theme) Frame(width, height int, rows []Row) []string {
	heights := shares(height-len(rows)-1, rows, func(r Row) int { return r.Height })
	lines := make([]string, 0, height)
	var above []int
	for i, row := range rows {
		widths := shares(width-len(row.Panes)-1, row.Panes, func(p Pane) int { return p.Width })
		below := borders(widths)
		lines = append(lines, t.rule(width, above, below, row.Panes, i == 0, false))
		for n := range heights[i] {
			lines = append(lines, t.inside(row.Panes, widths, n))
		}
		above = below
	}
	return append(lines, t.rule(width, above, nil, nil, false, true))
}

// InnerWidth is the width for text in a single pane of a frame: borders and the space before the text are taken off.
func InnerWidth(frame int) int { return frame - 4 }

// shares divides total among parts: fixed sizes as asked, the rest in equal shares to those that ask for 0.
func shares[T any](total int, parts []T, size func(T) int) []int {
	out := make([]int, len(parts))
	open := 0
	for i, p := range parts {
		out[i] = size(p)
		total -= out[i]
		if out[i] == 0 {
			open++
		}
	}
	for i := range out {
		if out[i] == 0 && open > 0 {
			out[i] = max(total/open, 0)
			total -= out[i]
			open--
		}
	}
	return out
}

// borders are the columns of the borders between panes of the given widths, the outer ones left out.
func borders(widths []int) []int {
	var at []int
	x := 0
	for _, w := range widths[:len(widths)-1] {
		x += w + 1
		at = append(at, x)
	}
	return at
}

// rule is a horizontal border: above and below are the columns of the vertical ones that meet it.
func (t Theme) rule(width int, above, below []int, panes []Pane, top, bottom bool) string {
	cells := make([]rune, width)
	for x := range cells {
		cells[x] = '─'
	}
	for _, x := range above {
		put(cells, x, '┴')
	}
	for _, x := range below {
		if x < width && cells[x] == '┴' {
			put(cells, x, '┼')
		} else {
			put(cells, x, '┬')
		}
	}
	left, right := '├', '┤'
	switch {
	case top:
		left, right = '┌', '┐'
	case bottom:
		left, right = '└', '┘'
	}
	put(cells, 0, left)
	put(cells, width-1, right)

	var b strings.Builder
	x := 0
	starts := append([]int{0}, below...)
	for i, p := range panes {
		room := width - 1
		if i < len(below) {
			room = below[i]
		}
		room -= starts[i] + 4
		if p.Title == "" || room < 4 {
			continue
		}
		title := " " + Cut(t.Format(p.Title), room-1) + " "
		b.WriteString(t.Faint.On(string(cells[x : starts[i]+2])))
		b.WriteString(t.Title.On(title))
		x = starts[i] + 2 + Width(title)
	}
	b.WriteString(t.Faint.On(string(cells[min(x, width):])))
	return b.String()
}

func put(cells []rune, x int, r rune) {
	if x >= 0 && x < len(cells) {
		cells[x] = r
	}
}

func (t Theme) inside(panes []Pane, widths []int, n int) string {
	bar := t.Faint.On("│")
	var b strings.Builder
	b.WriteString(bar)
	for i, p := range panes {
		line := ""
		if n < len(p.Lines) {
			line = p.Lines[n]
		}
		b.WriteString(Fit(" "+line, widths[i]))
		b.WriteString(bar)
	}
	return b.String()
}
