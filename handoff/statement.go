package handoff

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"fieldbook/handoff/canonical"
)

const (
	statementType = "https://in-toto.io/Statement/v1"

	// predicateType names the meaning of a handoff's predicate. It is a name and not an address: the domain is reserved
	// (RFC 2606) and belongs to no one. A change of the format changes the version at its end.
	predicateType   = predicateFamily + "v1"
	predicateFamily = "https://fieldbook.example/handoff/"

	subjectName = "implementation"
)

// statement is an in-toto statement, v1, about one implementation.
type statement struct {
	Type          string    `json:"_type"`
	Predicate     predicate `json:"predicate"`
	PredicateType string    `json:"predicateType"`
	Subject       []subject `json:"subject"`
}

type predicate struct {
	Record
	PublicKey string `json:"public_key"` // SPKI, base64
}

type subject struct {
	Digest digestSet `json:"digest"`
	Name   string    `json:"name"`
}

type digestSet struct {
	SHA256 string `json:"sha256"`
}

// encodeStatement is the payload of a record that is signed by the owner of key.
func encodeStatement(r Record, key ed25519.PublicKey) ([]byte, error) {
	return canonical.Marshal(statement{
		Type:          statementType,
		Predicate:     predicate{Record: r, PublicKey: base64.StdEncoding.EncodeToString(SPKI(key))},
		PredicateType: predicateType,
		Subject:       []subject{{Name: subjectName, Digest: digestSet{SHA256: ImplementationDigest(r.Implementation)}}},
	})
}

// statementSigner takes from a payload, which nobody vouches for yet, the public key and nothing else.
func statementSigner(payload []byte) (ed25519.PublicKey, error) {
	encoded, err := canonical.Text(payload, "predicate", "public_key")
	if err != nil {
		return nil, err
	}
	der, err := decodeBase64(encoded)
	if err != nil {
		return nil, err
	}
	return ParseSPKI(der)
}

// decodeStatement reads a payload whose signature by key was verified.
func decodeStatement(payload []byte, key ed25519.PublicKey) (*statement, error) {
	if err := canonical.Check(payload); err != nil {
		return nil, refuseStatement(err)
	}
	var s statement
	if err := json.Unmarshal(payload, &s); err != nil {
		// Another version may differ in every other part, and is then the better reason to refuse.
		if name, missing := canonical.Text(payload, "predicateType"); missing == nil && name != predicateType {
			return nil, otherPredicate(name)
		}
		return nil, refuseStatement(err)
	}
	if err := s.check(key); err != nil {
		return nil, err
	}
	// encoding/json forgives missing and unknown keys, other spellings of a key and null, and some values are constants; the
	// bytes show all of it.
	want, err := encodeStatement(s.Predicate.Record, key)
	if err == nil && !bytes.Equal(payload, want) {
		err = fmt.Errorf("a part of it is unknown, missing or not what it must be: %w", canonical.Compare(payload, want))
	}
	if err != nil {
		return nil, invalid(CodeStatement, hintForeign, badStatement+": %v", err)
	}
	return &s, nil
}

const badStatement = "the handoff is signed, but its statement is not as the format has it"

// refuseStatement turns what is wrong with a signed payload into a refusal for people.
func refuseStatement(err error) error {
	code := CodeStatement
	var problem *canonical.Error
	if errors.As(err, &problem) && (problem.Problem == canonical.NotCanonical || problem.Problem == canonical.Duplicate || problem.Problem == canonical.Trailing) {
		code = CodeNotCanonical
	}
	return invalid(code, hintForeign, badStatement+": %v", err)
}

// check holds the statement to what its parts say of each other.
func (s *statement) check(key ed25519.PublicKey) error {
	if s.PredicateType != predicateType {
		return otherPredicate(s.PredicateType)
	}
	if s.Predicate.PublicKey != base64.StdEncoding.EncodeToString(SPKI(key)) {
		return invalid(CodeKey, hintForeign, badStatement+": it names two public keys")
	}
	if err := s.Predicate.check(); err != nil {
		return invalid(CodeStatement, hintForeign, badStatement+": %v", err)
	}
	if len(s.Subject) != 1 {
		return invalid(CodeStatement, hintForeign, badStatement+": it has %d subjects instead of one", len(s.Subject))
	}
	if want := ImplementationDigest(s.Predicate.Implementation); s.Subject[0].Digest.SHA256 != want {
		return invalid(CodeDigest, hintForeign, "the handoff's implementation has the digest %s, its statement says %.64q", want, s.Subject[0].Digest.SHA256)
	}
	return nil
}

func otherPredicate(name string) error {
	if version, ours := strings.CutPrefix(name, predicateFamily); ours {
		return invalid(CodeOtherType, "Install the Fieldbook of the edition that wrote it, or a newer one.",
			"the handoff has format %.20q; this program reads v1", version)
	}
	return invalid(CodeOtherType, hintOther, "the file is a statement of type %.60q, not a handoff", name)
}
