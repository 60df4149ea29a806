package handoff

import (
	"crypto/ed25519"
	"fmt"
	"time"

	"fieldbook/handoff/canonical"
)

// Handoff is a file that was verified: a record, who signed it, and the digests that name it.
type Handoff struct {
	Record
	PublicKey            ed25519.PublicKey
	KeyID                string // of PublicKey
	ImplementationDigest string // the statement's subject
	Digest               string // of the file's bytes; the Previous of the next handoff
}

// Sign writes a record as a handoff that is signed with key. Read accepts every handoff that Sign returns. Lists that are
// nil are written as empty ones, and the time of creation in UTC and whole seconds.
func Sign(r Record, key ed25519.PrivateKey) ([]byte, error) {
	if r.Tools == nil {
		r.Tools = []Component{}
	}
	if r.Sandbox.Layers == nil {
		r.Sandbox.Layers = []string{}
	}
	r.Environment.Created = r.Environment.Created.UTC().Truncate(time.Second)
	if err := r.check(); err != nil {
		return nil, unsignable(err)
	}
	if err := canonical.Check(r.Result); err != nil {
		return nil, unsignable(fmt.Errorf("the field %q is not in canonical JSON: %w", "result", err))
	}
	payload, err := encodeStatement(r, key.Public().(ed25519.PublicKey))
	if err != nil {
		return nil, unsignable(err)
	}
	data := seal(payload, key)
	if len(data) > MaxSize {
		return nil, unsignable(fmt.Errorf("it would have %d bytes and may have %d", len(data), MaxSize))
	}
	if _, err := Read(data); err != nil { // the last guard: work that was signed must never turn out to be unreadable
		return nil, unsignable(err)
	}
	return data, nil
}

func unsignable(err error) error {
	return &Error{Kind: Machine, Code: CodeRecord, Message: "no handoff can hold this record", Hint: hintInternal, Cause: err}
}

// Read verifies a handoff: its bytes, its signature and its digests. It does not say that the handoff is the one wanted,
// nor what its implementation does.
func Read(data []byte) (*Handoff, error) {
	payload, key, err := unseal(data, statementSigner)
	if err != nil {
		return nil, err
	}
	s, err := decodeStatement(payload, key)
	if err != nil {
		return nil, err
	}
	return &Handoff{
		Record:               s.Predicate.Record,
		PublicKey:            key,
		KeyID:                KeyID(key),
		ImplementationDigest: s.Subject[0].Digest.SHA256,
		Digest:               Digest(data),
	}, nil
}

// Expect is what a handoff must be about. An empty field accepts anything.
type Expect struct {
	Exercise string
	Unit     string
	Edition  string
	Runtime  string // digest of the teaching runtime's tree
	Probes   string // digest of the probe set
}

// Verify reads a handoff and refuses it when it is about something else than want.
func Verify(data []byte, want Expect) (*Handoff, error) {
	h, err := Read(data)
	if err != nil {
		return nil, err
	}
	if err := h.Matches(want); err != nil {
		return nil, err
	}
	return h, nil
}

// Matches returns nil when the handoff is about what want names, and otherwise the refusal for the first field that differs.
func (h *Handoff) Matches(want Expect) error {
	const fresh = "Run the exercise again with this edition of Fieldbook; it writes a new handoff."
	fields := []struct{ code, what, want, got, hint string }{
		{CodeOtherExercise, "the exercise", want.Exercise, h.Exercise, "Choose the handoff of this exercise."},
		{CodeOtherUnit, "the unit", want.Unit, h.Unit, "Choose the handoff of this unit."},
		{CodeOtherEdition, "the edition", want.Edition, h.Edition, fresh},
		{CodeOtherRuntime, "the teaching runtime", want.Runtime, h.Runtime, fresh},
		{CodeOtherProbes, "the probe set", want.Probes, h.Probes, fresh},
	}
	for _, f := range fields {
		if f.want != "" && f.want != f.got {
			return invalid(f.code, f.hint, "the handoff is for %s %s and not for %s", f.what, f.got, f.want)
		}
	}
	return nil
}
