package handoff

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"fieldbook/handoff/canonical"
)

// MaxSize is the largest file that is read or written, in bytes.
const MaxSize = 4 << 20

// payloadType is in-toto's media type for statements of every kind.
const payloadType = "application/vnd.in-toto+json"

// envelope is a DSSE envelope, JSON form, protocol v1.
type envelope struct {
	Payload     string      `json:"payload"` // base64
	PayloadType string      `json:"payloadType"`
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   string `json:"sig"` // base64
}

// pae is DSSE's pre-authentication encoding: the bytes that are signed.
func pae(payloadType string, payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(payloadType), payloadType, len(payload), payload)
}

// encode is the envelope in canonical JSON.
func (e *envelope) encode() []byte {
	out := make([]byte, 0, len(e.Payload)+512)
	out = canonical.AppendText(append(out, `{"payload":`...), e.Payload)
	out = canonical.AppendText(append(out, `,"payloadType":`...), e.PayloadType)
	out = append(out, `,"signatures":[`...)
	for i, s := range e.Signatures {
		if i > 0 {
			out = append(out, ',')
		}
		out = canonical.AppendText(append(out, `{"keyid":`...), s.KeyID)
		out = append(canonical.AppendText(append(out, `,"sig":`...), s.Sig), '}')
	}
	return append(out, `]}`...)
}

// seal signs a payload and returns the envelope's bytes.
func seal(payload []byte, key ed25519.PrivateKey) []byte {
	e := envelope{
		Payload:     base64.StdEncoding.EncodeToString(payload),
		PayloadType: payloadType,
		Signatures: []signature{{
			KeyID: KeyID(key.Public().(ed25519.PublicKey)),
			Sig:   base64.StdEncoding.EncodeToString(ed25519.Sign(key, pae(payloadType, payload))),
		}},
	}
	return e.encode()
}

// unseal is the part of verification that comes before the statement may be read: the envelope in its canonical bytes with
// exactly one signature; from the payload the public key alone, by signer; the key's id; the signature over the payload's
// raw bytes.
func unseal(data []byte, signer func(payload []byte) (ed25519.PublicKey, error)) (payload []byte, key ed25519.PublicKey, err error) {
	e, err := readEnvelope(data)
	if err != nil {
		return nil, nil, err
	}
	payload, err = decodeBase64(e.Payload)
	if err != nil {
		return nil, nil, invalid(CodeNotCanonical, hintChanged, "the handoff's payload is not base64 in its standard form: %v", err)
	}
	key, err = signer(payload)
	if err != nil {
		return nil, nil, invalid(CodeKey, hintChanged, "the handoff's payload names no usable public key: %v", err)
	}
	if want := KeyID(key); e.Signatures[0].KeyID != want {
		return nil, nil, invalid(CodeKeyID, hintChanged, "the handoff's signature names another key than its payload, whose key id is %s", want)
	}
	sig, err := decodeBase64(e.Signatures[0].Sig)
	if err != nil {
		return nil, nil, invalid(CodeNotCanonical, hintChanged, "the handoff's signature is not base64 in its standard form: %v", err)
	}
	if !ed25519.Verify(key, pae(e.PayloadType, payload), sig) {
		return nil, nil, invalid(CodeSignature, hintChanged, "the handoff's content does not fit its signature by key %s", e.Signatures[0].KeyID)
	}
	return payload, key, nil
}

// readEnvelope reads an envelope of our payload type with exactly one signature, byte for byte as seal writes it.
func readEnvelope(data []byte) (*envelope, error) {
	if len(data) > MaxSize {
		return nil, invalid(CodeTooLarge, hintOther, "the file has more than %d bytes, the most that a handoff may have", MaxSize)
	}
	formatted, err := canonical.Format(data)
	if err != nil {
		return nil, refuse(err)
	}
	var e envelope
	if err := json.Unmarshal(formatted, &e); err != nil {
		return nil, invalid(CodeMalformed, hintOther, "the file is not a handoff: %v", err)
	}
	if want := e.encode(); !bytes.Equal(data, want) {
		// Most often this is another JSON file, which need not be canonical; only then is it a handoff that was changed.
		if err := hasKeys(formatted, "payload", "payloadType", "signatures"); err != nil {
			return nil, invalid(CodeMalformed, hintOther, "the file is not a handoff: %v", err)
		}
		return nil, refuse(canonical.Compare(data, want))
	}
	if e.PayloadType != payloadType {
		return nil, invalid(CodeOtherType, hintOther, "the file is an envelope around %.60q, not a handoff", e.PayloadType)
	}
	if len(e.Signatures) != 1 {
		return nil, invalid(CodeSignatures, hintChanged, "the handoff has %d signatures instead of one", len(e.Signatures))
	}
	return &e, nil
}

// hasKeys wants an object that has at least the given keys, spelt exactly so.
func hasKeys(document []byte, keys ...string) error {
	var object map[string]json.RawMessage
	if json.Unmarshal(document, &object) != nil || object == nil {
		return errors.New("it is not a JSON object")
	}
	for _, key := range keys {
		if _, ok := object[key]; !ok {
			return fmt.Errorf("it is JSON without the key %q", key)
		}
	}
	return nil
}
