// Package identity binds keys to students: by a roster, the instructor's list of names and keys, or by first use, the key that
// came with a name the first time. It says which of the two it was, and what neither proves. It reads and writes the
// instructor's own files, in the parent of the instructor's command.
package identity

import (
	"fmt"

	"fieldbook/grader"
	"fieldbook/handoff"
)

// Binding is what is known of a key.
type Binding struct {
	Student string `json:"student"`         // "" when nothing is known
	How     string `json:"how"`             // handoff.ByRoster, handoff.ByFirstUse, or handoff.None
	Since   string `json:"since,omitempty"` // of first use: the day, 2026-03-02
	New     bool   `json:"new,omitempty"`   // of first use: this was the first time
}

// Words say what the binding proves and what it does not.
func (b Binding) Words() string {
	switch b.How {
	case handoff.ByRoster:
		return fmt.Sprintf("%s, by the roster: the handoff was signed with the key that the roster has beside this name. Who wrote it, and who else holds the key, a signature does not say.", b.Student)
	case handoff.ByFirstUse:
		when := "the key is the one that came with this name on " + b.Since
		if b.New {
			when = "this key has come with this name for the first time"
		}
		return fmt.Sprintf("%s, by first use: %s. Whose key it was then, and who wrote this, first use does not say.", b.Student, when)
	default:
		return "nobody in particular: no roster and no earlier handoff says whose key this is."
	}
}

// Binder binds keys to students.
type Binder interface {
	// Bind says what is known of a key. student is the name that the handoff was handed in under, "" for none. A name that
	// belongs to another key, or a key that belongs to another name, is an error with exit code 4.
	Bind(keyID, student string) (Binding, error)
}

// Nobody knows no key.
type Nobody struct{}

// Bind implements Binder.
func (Nobody) Bind(string, string) (Binding, error) { return Binding{How: handoff.None}, nil }

// mismatch says that a handoff was handed in under a name that its key does not belong to.
func mismatch(format string, args ...any) error {
	return &grader.Error{
		Code: "other_student", Exit: grader.ExitInvalid, Message: fmt.Sprintf(format, args...),
		Hint: "Ask the student. A new machine has a new key: the roster gets it by your hand, never by itself.",
	}
}

// short is the beginning of a key id, enough to tell keys apart on a screen.
func short(keyID string) string { return keyID[:min(len(keyID), 16)] }
