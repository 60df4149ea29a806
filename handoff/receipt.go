package handoff

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"fieldbook/handoff/canonical"
)

const (
	receiptType    = receiptFamily + "v1"
	receiptFamily  = "https://fieldbook.example/receipt/"
	receiptSubject = "handoff"
)

// Receipt is an instructor's statement about one handoff, in a file of its own: these cases, drawn from this seed, gave this
// result. Every field must be there; texts, digests and numbers are as in a Record unless said otherwise. It names no case
// and nothing that a case expects, so it can be given to the student.
type Receipt struct {
	Handoff  string `json:"-"`        // digest of the handoff file: the statement's subject
	Exercise string `json:"exercise"` // of the handoff, as are the next four
	Unit     string `json:"unit"`
	Edition  string `json:"edition"`
	Runtime  string `json:"runtime"`
	Probes   string `json:"probes"`

	Signer   string `json:"signer"`   // key id of the handoff
	Student  string `json:"student"`  // whose key that is, as far as Identity goes, or None; any text without control characters
	Identity string `json:"identity"` // what says so: roster, first-use, or None

	Holdouts string          `json:"holdouts"` // digest of the holdout set
	Seed     int64           `json:"seed"`     // the first of those that the cases were drawn from
	Seeds    int64           `json:"seeds"`    // how many, each one more than the last
	Result   json.RawMessage `json:"result"`   // an object in canonical JSON; executing again gives the same bytes
	Verdict  string          `json:"verdict"`

	Engine      Component   `json:"engine"`
	Tools       []Component `json:"tools"`
	Sandbox     Sandbox     `json:"sandbox"`
	Environment Environment `json:"environment"`
}

// SignedReceipt is a receipt file that was verified: the receipt, who signed it, and the digest of the file's bytes.
type SignedReceipt struct {
	Receipt
	PublicKey ed25519.PublicKey
	KeyID     string
	Digest    string
}

// Identities of a receipt.
const (
	ByRoster   = "roster"    // the instructor's list has the key beside the name
	ByFirstUse = "first-use" // the key is the one that came with this name the first time
)

// SignReceipt writes a receipt that is signed with an instructor's key. ReadReceipt accepts every one that it returns.
func SignReceipt(r Receipt, key ed25519.PrivateKey) ([]byte, error) {
	if r.Tools == nil {
		r.Tools = []Component{}
	}
	if r.Sandbox.Layers == nil {
		r.Sandbox.Layers = []string{}
	}
	r.Environment.Created = r.Environment.Created.UTC().Truncate(time.Second)
	if err := r.check(); err != nil {
		return nil, unsignableReceipt(err)
	}
	if err := canonical.Check(r.Result); err != nil {
		return nil, unsignableReceipt(fmt.Errorf("the field %q is not in canonical JSON: %w", "result", err))
	}
	payload, err := encodeReceipt(r, key.Public().(ed25519.PublicKey))
	if err != nil {
		return nil, unsignableReceipt(err)
	}
	data := seal(payload, key)
	if _, err := ReadReceipt(data); err != nil {
		return nil, unsignableReceipt(err)
	}
	return data, nil
}

func unsignableReceipt(err error) error {
	return &Error{Kind: Machine, Code: "receipt_record", Message: "no receipt can hold this", Hint: "This is a fault of Fieldbook.", Cause: err}
}

// ReadReceipt verifies a receipt: its bytes and its signature. It does not say that the key is an instructor's, nor that
// executing again gives the result.
func ReadReceipt(data []byte) (*SignedReceipt, error) {
	payload, key, err := unseal(data, statementSigner)
	if err != nil {
		return nil, asReceipt(err)
	}
	r, err := decodeReceipt(payload, key)
	if err != nil {
		return nil, asReceipt(err)
	}
	return &SignedReceipt{Receipt: *r, PublicKey: key, KeyID: KeyID(key), Digest: Digest(data)}, nil
}

// IsReceipt reports whether a file says that it is a receipt, of this version or another. Nobody vouches for that yet.
func IsReceipt(data []byte) bool {
	e, err := readEnvelope(data)
	if err != nil {
		return false
	}
	payload, err := decodeBase64(e.Payload)
	if err != nil {
		return false
	}
	name, err := canonical.Text(payload, "predicateType")
	return err == nil && strings.HasPrefix(name, receiptFamily)
}

// receiptStatement is an in-toto statement, v1, about one handoff file.
type receiptStatement struct {
	Type          string           `json:"_type"`
	Predicate     receiptPredicate `json:"predicate"`
	PredicateType string           `json:"predicateType"`
	Subject       []subject        `json:"subject"`
}

type receiptPredicate struct {
	Receipt
	PublicKey string `json:"public_key"` // SPKI, base64
}

func encodeReceipt(r Receipt, key ed25519.PublicKey) ([]byte, error) {
	return canonical.Marshal(receiptStatement{
		Type:          statementType,
		Predicate:     receiptPredicate{Receipt: r, PublicKey: base64.StdEncoding.EncodeToString(SPKI(key))},
		PredicateType: receiptType,
		Subject:       []subject{{Name: receiptSubject, Digest: digestSet{SHA256: r.Handoff}}},
	})
}

const badReceipt = "the receipt is signed, but its statement is not as the format has it"

// decodeReceipt reads a payload whose signature by key was verified.
func decodeReceipt(payload []byte, key ed25519.PublicKey) (*Receipt, error) {
	if err := canonical.Check(payload); err != nil {
		return nil, refuseStatement(err)
	}
	if name, err := canonical.Text(payload, "predicateType"); err == nil && name != receiptType {
		return nil, otherReceipt(name)
	}
	var s receiptStatement
	if err := json.Unmarshal(payload, &s); err != nil {
		return nil, invalid(CodeStatement, hintForeign, badReceipt+": %v", err)
	}
	if len(s.Subject) != 1 {
		return nil, invalid(CodeStatement, hintForeign, badReceipt+": it has %d subjects instead of one", len(s.Subject))
	}
	r := s.Predicate.Receipt
	r.Handoff = s.Subject[0].Digest.SHA256
	if err := r.check(); err != nil {
		return nil, invalid(CodeStatement, hintForeign, badReceipt+": %v", err)
	}
	// The bytes show what encoding/json forgives.
	want, err := encodeReceipt(r, key)
	if err == nil && !bytes.Equal(payload, want) {
		err = fmt.Errorf("a part of it is unknown, missing or not what it must be: %w", canonical.Compare(payload, want))
	}
	if err != nil {
		return nil, invalid(CodeStatement, hintForeign, badReceipt+": %v", err)
	}
	return &r, nil
}

func otherReceipt(name string) error {
	if version, ours := strings.CutPrefix(name, receiptFamily); ours {
		return invalid(CodeOtherType, "Install the proctor of the edition that wrote it, or a newer one.",
			"the receipt has format %.20q; this program reads v1", version)
	}
	return invalid(CodeOtherType, "Choose the receipt itself; its name ends in .receipt.json.", "the file is a statement of type %.60q, not a receipt", name)
}

// check returns an error that names the first field no receipt can hold.
func (r *Receipt) check() error {
	texts := []struct{ field, value string }{
		{"exercise", r.Exercise}, {"unit", r.Unit}, {"edition", r.Edition}, {"identity", r.Identity}, {"verdict", r.Verdict},
		{"engine.name", r.Engine.Name}, {"engine.version", r.Engine.Version}, {"sandbox.level", r.Sandbox.Level},
		{"environment.os", r.Environment.OS}, {"environment.arch", r.Environment.Arch},
	}
	for _, t := range texts {
		if err := checkText(t.field, t.value); err != nil {
			return err
		}
	}
	digests := []struct{ field, value string }{
		{"subject", r.Handoff}, {"runtime", r.Runtime}, {"probes", r.Probes}, {"signer", r.Signer}, {"holdouts", r.Holdouts},
	}
	for _, d := range digests {
		if !isDigest(d.value) {
			return fmt.Errorf("the field %q is not a SHA-256 in lower-case hexadecimal", d.field)
		}
	}
	if r.Student == "" || len(r.Student) > maxText || !utf8.ValidString(r.Student) || strings.ContainsFunc(r.Student, unicode.IsControl) {
		return fmt.Errorf("the field %q is not a text of 1 to %d bytes without control characters", "student", maxText)
	}
	if known := r.Identity == ByRoster || r.Identity == ByFirstUse; r.Identity != None && !known || known != (r.Student != None) {
		return fmt.Errorf("the fields %q and %q do not fit each other", "student", "identity")
	}
	counts := []struct {
		field string
		value int64
	}{{"seed", r.Seed}, {"seeds", r.Seeds}, {"environment.cpus", r.Environment.CPUs}, {"environment.elapsed_ns", int64(r.Environment.Elapsed)}}
	for _, c := range counts {
		if c.value < 0 || c.value > canonical.MaxInteger {
			return fmt.Errorf("the field %q is not between 0 and 2^53-1", c.field)
		}
	}
	if err := checkList("tools", r.Tools, func(field string, c Component) error {
		return errors.Join(checkText(field+".name", c.Name), checkText(field+".version", c.Version))
	}); err != nil {
		return err
	}
	if err := checkList("sandbox.layers", r.Sandbox.Layers, checkText); err != nil {
		return err
	}
	created := r.Environment.Created
	if created.Location() != time.UTC || created.Nanosecond() != 0 || created.Year() < 0 || created.Year() > 9999 {
		return fmt.Errorf("the field %q is not a time in UTC with whole seconds", "environment.created")
	}
	if len(r.Result) == 0 || r.Result[0] != '{' {
		return fmt.Errorf("the field %q is not an object", "result")
	}
	return nil
}

// asReceipt says of a receipt what the envelope's rules say of a handoff.
func asReceipt(err error) error {
	var refused *Error
	if !errors.As(err, &refused) {
		return err
	}
	said := *refused
	said.Code = strings.Replace(refused.Code, "handoff_", "receipt_", 1)
	said.Message = strings.ReplaceAll(refused.Message, "handoff", "receipt")
	said.Hint = strings.ReplaceAll(strings.ReplaceAll(refused.Hint, "-handoff-v1.json", ".receipt.json"), "handoff", "receipt")
	return &said
}
