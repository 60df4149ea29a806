package ui

import (
	"strings"

	"fieldbook/cmd/fieldbook/draw"
)

// binding is a key and what it does, as the last line and the help show them.
type binding struct {
	key  string
	what string
	help string // a sentence for the help screen; "" shows what alone
}

// keyLine is the last line of a screen: as many bindings as fit. The help key and the quit key, the last two, always fit.
func keyLine(t draw.Theme, bindings []binding, width int) string {
	var parts []string
	for _, b := range bindings {
		parts = append(parts, t.Accent.On(t.Format(b.key))+" "+t.Format(b.what))
	}
	for len(parts) > 2 && draw.Width(strings.Join(parts, "   "))+1 > width {
		parts = append(parts[:len(parts)-3], parts[len(parts)-2:]...)
	}
	return draw.Fit(" "+strings.Join(parts, "   "), width)
}

// always are the bindings of every screen, last in its line.
func always() []binding {
	return []binding{{"?", "help", "show or close this help"}, {"q", "quit", "leave; what was shown as saved is saved"}}
}
