package pack

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldbook/grader"
	"fieldbook/handoff"
)

// Opening is what a commitment commits to, and what the instructor keeps until the course is over. Its text is the salt and
// then, for each holdout set in the order of their names, its digest and its name, a line each; the commitment is the SHA-256
// of that text. Whoever is given the text later computes it with sha256sum, and knows that no set was changed in between.
type Opening struct {
	Salt string // 64 hexadecimal digits: without it a commitment to a known set could be guessed
	Sets []Set
}

// Set is one holdout set.
type Set struct{ Name, Digest string }

// NewOpening makes an opening of the given sets with a salt of its own.
func NewOpening(sets []Set) Opening {
	salt := make([]byte, 32)
	_, _ = rand.Read(salt) // crypto/rand never returns an error
	return Opening{Salt: hex.EncodeToString(salt), Sets: sets}
}

// Text is the text that the commitment is the digest of.
func (o Opening) Text() []byte {
	text := o.Salt + "\n"
	for _, s := range o.Sets {
		text += s.Digest + "  " + s.Name + "\n"
	}
	return []byte(text)
}

// Commitment is what is published.
func (o Opening) Commitment() string { return handoff.Digest(o.Text()) }

// Is reports whether the opening is of exactly these sets.
func (o Opening) Is(sets []Set) bool { return slices.Equal(o.Sets, sets) }

// ParseOpening reads the contents of the opening called name.
func ParseOpening(name string, data []byte) (Opening, error) {
	lines := strings.Split(string(data), "\n")
	digest := regexp.MustCompile(`^[0-9a-f]{64}$`)
	set := regexp.MustCompile(`^([0-9a-f]{64})  ([a-z][a-z0-9-]*)$`)
	refuse := func(line int) (Opening, error) {
		return Opening{}, &grader.Error{
			Code: "opening_unreadable", Exit: grader.ExitUsage, Message: fmt.Sprintf("%s:%d: this is no opening of a commitment", name, line),
			Hint: "Its first line is a salt, each other one a digest and a name, as proctor pack writes it.",
		}
	}
	if len(lines) < 3 || lines[len(lines)-1] != "" || !digest.MatchString(lines[0]) {
		return refuse(1)
	}
	o := Opening{Salt: lines[0]}
	for i, line := range lines[1 : len(lines)-1] {
		parts := set.FindStringSubmatch(line)
		if parts == nil || i > 0 && parts[2] <= o.Sets[i-1].Name {
			return refuse(i + 2)
		}
		o.Sets = append(o.Sets, Set{Name: parts[2], Digest: parts[1]})
	}
	return o, nil
}
