package main

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/charmbracelet/x/term"

	"fieldbook/cmd/fieldbook/draw"
)

// system is what the program gets from outside. Tests make their own.
type system struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	now      func() time.Time
	folder   string // working directory
	data     string // the user's data folder
	config   string // the user's configuration folder
	state    string // where the log lies
	cache    string // what can be made again
	interact bool   // in and out are a terminal
	width    int    // of the terminal, 0 when out is none
	height   int
}

// thisSystem is what the operating system gives.
func thisSystem() system {
	s := system{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		getenv: os.Getenv, now: time.Now,
		data: xdg.DataHome, config: filepath.Join(xdg.ConfigHome, "fieldbook"), state: filepath.Join(xdg.StateHome, "fieldbook"),
		cache: filepath.Join(xdg.CacheHome, "fieldbook"),
	}
	// A working directory that was removed is met by the first command that needs it.
	s.folder, _ = os.Getwd()
	if term.IsTerminal(os.Stdout.Fd()) {
		if width, height, err := term.GetSize(os.Stdout.Fd()); err == nil {
			s.width, s.height = width, height
		}
		s.interact = term.IsTerminal(os.Stdin.Fd())
	}
	return s
}

// The width of text that is not written to a terminal, and the widest that is pleasant to read.
const (
	plainWidth  = 80
	widestPrint = 110
)

// printWidth is how wide printed text may be.
func (s system) printWidth() int {
	if s.width == 0 {
		return plainWidth
	}
	return min(max(s.width, 20), widestPrint)
}

// theme is how printed text is marked: nothing that a pipe, a dumb terminal or --no-color would choke on.
func (s system) theme(noColor bool) draw.Theme {
	forced := s.getenv("CLICOLOR_FORCE") != "" && s.getenv("CLICOLOR_FORCE") != "0"
	switch {
	case noColor, s.width == 0 && !forced, s.getenv("TERM") == "dumb":
		return draw.Theme{}
	case s.getenv("NO_COLOR") != "":
		return draw.Mono()
	default:
		return draw.Colour()
	}
}
