package handoff_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"fieldbook/handoff"
)

// TestEveryByte changes each byte of a real handoff in nine ways: each bit, and all of them.
func TestEveryByte(t *testing.T) {
	data := mustSign(t, vectorRecord(), vectorKey())
	e := open(t, data)
	region := func(value string) (from, to int) {
		from = bytes.Index(data, []byte(value))
		return from, from + len(value)
	}
	// Inside a text, a change can also end it, begin an escape, or leave UTF-8 or JSON altogether.
	broken := []string{handoff.CodeMalformed, handoff.CodeNotCanonical}
	regions := []struct {
		value string
		codes []string
	}{
		{e.Payload, append([]string{handoff.CodeKey, handoff.CodeKeyID, handoff.CodeSignature}, broken...)},
		{e.PayloadType, append([]string{handoff.CodeOtherType}, broken...)},
		{e.Signatures[0].KeyID, append([]string{handoff.CodeKeyID}, broken...)},
		{e.Signatures[0].Sig, append([]string{handoff.CodeSignature}, broken...)},
	}
	structure := append([]string{handoff.CodeTruncated, handoff.CodeOtherType}, broken...)
	seen := map[string]int{}
	for at := range data {
		allowed := structure
		for _, r := range regions {
			if from, to := region(r.value); from <= at && at < to {
				allowed = r.codes
			}
		}
		for _, flip := range []byte{1, 2, 4, 8, 16, 32, 64, 128, 255} {
			changed := slices.Clone(data)
			changed[at] ^= flip
			refused := refusal(t, changed)
			if !slices.Contains(allowed, refused.Code) {
				t.Errorf("byte %d (%q) changed to %q: %s: %s; want one of %v", at, data[at], changed[at], refused.Code, refused.Message, allowed)
			}
			seen[refused.Code]++
		}
	}
	if seen[handoff.CodeSignature] < len(data) {
		t.Errorf("only %d changes reached the signature: %v", seen[handoff.CodeSignature], seen)
	}
	t.Logf("%d bytes, %d changes, all refused: %v", len(data), 9*len(data), seen)
}

func TestEveryLength(t *testing.T) {
	data := mustSign(t, vectorRecord(), vectorKey())
	for n := range data {
		if refused := refusal(t, data[:n]); refused.Code != handoff.CodeTruncated {
			t.Errorf("cut off after %d bytes: %s: %s", n, refused.Code, refused.Message)
		}
	}
	for n := 1; n < len(data); n++ {
		_ = refusal(t, data[n:]) // the end alone, which may look like anything
	}
}

// tampered is a file that someone could make out of a handoff, and the code with which it is refused.
type tampered struct {
	name string
	code string
	data []byte
}

// unsignedChanges are made without any private key, or with another one.
func unsignedChanges(t testing.TB) []tampered {
	data := mustSign(t, vectorRecord(), vectorKey())
	e := open(t, data)
	var all []tampered
	add := func(name, code string, data []byte) { all = append(all, tampered{name, code, data}) }
	replaced := func(from, to string) []byte { return replaceOnce(t, data, from, to) }
	edited := func(change func(*envelope)) []byte {
		e := open(t, data)
		change(&e)
		return e.bytes(t)
	}
	quoted := func(key, value string) string { return `"` + key + `":"` + value + `"` }

	add("nothing", handoff.CodeTruncated, []byte{})
	add("a space before", handoff.CodeNotCanonical, append([]byte(" "), data...))
	add("a line feed after", handoff.CodeNotCanonical, append(slices.Clone(data), '\n'))
	add("a zero byte after", handoff.CodeNotCanonical, append(slices.Clone(data), 0))
	add("a second handoff after", handoff.CodeNotCanonical, append(slices.Clone(data), data...))
	add("a space inside", handoff.CodeNotCanonical, replaced(`,"payloadType"`, `, "payloadType"`))
	var indented bytes.Buffer
	if err := json.Indent(&indented, data, "", "  "); err != nil {
		t.Fatal(err)
	}
	add("indented", handoff.CodeNotCanonical, indented.Bytes())
	add("a byte order mark", handoff.CodeNotCanonical, append([]byte("\ufeff"), data...))
	add("UTF-16", handoff.CodeMalformed, []byte(strings.Join(strings.Split(string(data[:64]), ""), "\x00")))
	add("a comment", handoff.CodeMalformed, append([]byte("// mine\n"), data...))

	add("keys in another order", handoff.CodeNotCanonical, []byte(`{`+quoted("payloadType", e.PayloadType)+`,`+quoted("payload", e.Payload)+string(data[bytes.Index(data, []byte(`,"signatures"`)):])))
	add("a key twice", handoff.CodeNotCanonical, replaced(`"payloadType"`, `"payload":"","payloadType"`))
	add("an unknown key", handoff.CodeNotCanonical, replaced(`,"signatures"`, `,"remark":"","signatures"`))
	add("a key in another case", handoff.CodeMalformed, replaced(`"payload":`, `"Payload":`))
	add("a key in another case beside it", handoff.CodeNotCanonical, replaced(`{"payload":`, `{"Payload":"","payload":`))
	add("an escaped key", handoff.CodeNotCanonical, replaced(`"payload":`, `"p\u0061yload":`))
	add("an escaped character", handoff.CodeNotCanonical, replaced(quoted("payload", e.Payload), quoted("payload", `\u00`+hexByte(e.Payload[0])+e.Payload[1:])))
	add("no payload", handoff.CodeMalformed, replaced(quoted("payload", e.Payload)+",", ""))
	add("the payload is a number", handoff.CodeMalformed, replaced(quoted("payload", e.Payload), `"payload":1`))
	add("the payload is null", handoff.CodeNotCanonical, replaced(quoted("payload", e.Payload), `"payload":null`))
	add("the payload as JSON", handoff.CodeMalformed, replaced(quoted("payload", e.Payload), `"payload":`+string(e.payload(t))))
	add("another payload type", handoff.CodeOtherType, replaced(e.PayloadType, "application/json"))
	add("nested too deep", handoff.CodeMalformed, []byte(strings.Repeat("[", 65)))

	if !strings.ContainsAny(e.Payload, "+/") {
		t.Fatal("the vector's payload has no character that URL-safe base64 writes differently")
	}
	add("base64 with a line break", handoff.CodeNotCanonical, edited(func(e *envelope) { e.Payload = e.Payload[:76] + "\n" + e.Payload[76:] }))
	add("base64 with a carriage return at its end", handoff.CodeNotCanonical, edited(func(e *envelope) { e.Payload += "\r" }))
	add("base64 with a space", handoff.CodeNotCanonical, edited(func(e *envelope) { e.Payload += " " }))
	add("URL-safe base64", handoff.CodeNotCanonical, edited(func(e *envelope) { e.Payload = strings.NewReplacer("+", "-", "/", "_").Replace(e.Payload) }))
	add("base64 without padding", handoff.CodeNotCanonical, edited(func(e *envelope) { e.Signatures[0].Sig = strings.TrimRight(e.Signatures[0].Sig, "=") }))
	add("base64 with trailing bits", handoff.CodeNotCanonical, edited(func(e *envelope) { e.Signatures[0].Sig = trailingBits(t, e.Signatures[0].Sig) }))
	add("base64 with more padding", handoff.CodeNotCanonical, edited(func(e *envelope) { e.Payload += "====" }))
	add("a payload that is no base64", handoff.CodeNotCanonical, edited(func(e *envelope) { e.Payload = "PASS!" }))
	add("a signature with a line break", handoff.CodeNotCanonical, edited(func(e *envelope) { e.Signatures[0].Sig = e.Signatures[0].Sig[:44] + "\n" + e.Signatures[0].Sig[44:] }))

	add("no signature", handoff.CodeSignatures, edited(func(e *envelope) { e.Signatures = []signature{} }))
	add("null signatures", handoff.CodeNotCanonical, edited(func(e *envelope) { e.Signatures = nil }))
	add("the signature twice", handoff.CodeSignatures, edited(func(e *envelope) { e.Signatures = append(e.Signatures, e.Signatures[0]) }))
	add("a second signature", handoff.CodeSignatures, edited(func(e *envelope) {
		e.Signatures = append(e.Signatures, open(t, sealed(t, e.payload(t), otherKey())).Signatures[0])
	}))
	add("a second signature in front", handoff.CodeSignatures, edited(func(e *envelope) {
		e.Signatures = append(open(t, sealed(t, e.payload(t), otherKey())).Signatures, e.Signatures...)
	}))
	add("a null signature", handoff.CodeNotCanonical, replaced(`[{`+quoted("keyid", e.Signatures[0].KeyID)+`,`+quoted("sig", e.Signatures[0].Sig)+`}]`, `[null]`))
	add("an unknown key in the signature", handoff.CodeNotCanonical, replaced(`[{`, `[{"cert":"",`))
	add("keyid in another case", handoff.CodeNotCanonical, replaced(`"keyid"`, `"keyId"`))
	add("no keyid", handoff.CodeNotCanonical, replaced(quoted("keyid", e.Signatures[0].KeyID)+",", ""))
	add("an empty keyid", handoff.CodeKeyID, edited(func(e *envelope) { e.Signatures[0].KeyID = "" }))
	add("the keyid in upper case", handoff.CodeKeyID, edited(func(e *envelope) { e.Signatures[0].KeyID = strings.ToUpper(e.Signatures[0].KeyID) }))
	add("another key's id", handoff.CodeKeyID, edited(func(e *envelope) { e.Signatures[0].KeyID = handoff.KeyID(otherKey().Public().(ed25519.PublicKey)) }))
	add("another key's signature", handoff.CodeSignature, edited(func(e *envelope) {
		e.Signatures[0].Sig = open(t, sealed(t, e.payload(t), otherKey())).Signatures[0].Sig
	}))
	add("signed by another key", handoff.CodeKeyID, sealed(t, e.payload(t), otherKey()))
	add("signed without the encoding", handoff.CodeSignature, edited(func(e *envelope) {
		e.Signatures[0].Sig = base64.StdEncoding.EncodeToString(ed25519.Sign(vectorKey(), e.payload(t)))
	}))
	add("the same signature in other numbers", handoff.CodeSignature, edited(func(e *envelope) { e.Signatures[0].Sig = unreduced(t, e.Signatures[0].Sig) }))
	add("a short signature", handoff.CodeSignature, edited(func(e *envelope) { e.Signatures[0].Sig = base64.StdEncoding.EncodeToString(make([]byte, 63)) }))
	add("an empty signature", handoff.CodeSignature, edited(func(e *envelope) { e.Signatures[0].Sig = "" }))

	payload := func(change func([]byte) []byte) []byte {
		return edited(func(e *envelope) { e.Payload = base64.StdEncoding.EncodeToString(change(e.payload(t))) })
	}
	add("another verdict", handoff.CodeSignature, payload(func(p []byte) []byte { return replaceOnce(t, p, `"verdict":"PASS"`, `"verdict":"FAIL"`) }))
	add("a space in the payload", handoff.CodeSignature, payload(func(p []byte) []byte { return append([]byte(" "), p...) }))
	add("another public key in the payload", handoff.CodeKeyID, payload(func(p []byte) []byte {
		return replaceOnce(t, p, spki64(vectorKey()), spki64(otherKey()))
	}))
	add("an empty payload", handoff.CodeKey, payload(func([]byte) []byte { return nil }))
	add("a payload cut off", handoff.CodeSignature, payload(func(p []byte) []byte { return p[:len(p)-1] }))
	add("a payload without a predicate", handoff.CodeKey, payload(func([]byte) []byte { return []byte(`{}`) }))
	add("a payload without a public key", handoff.CodeKey, payload(func([]byte) []byte { return []byte(`{"predicate":{}}`) }))
	add("a payload cut off before the key", handoff.CodeKey, payload(func(p []byte) []byte { return p[:bytes.Index(p, []byte(`"public_key"`))] }))
	add("a null payload", handoff.CodeKey, payload(func([]byte) []byte { return []byte(`null`) }))
	add("a public key that is a number", handoff.CodeKey, payload(func([]byte) []byte { return []byte(`{"predicate":{"public_key":1}}`) }))
	add("a public key that is no base64", handoff.CodeKey, payload(func([]byte) []byte { return []byte(`{"predicate":{"public_key":"*"}}`) }))
	add("a public key without its SPKI", handoff.CodeKey, payload(func([]byte) []byte {
		return []byte(`{"predicate":{"public_key":"` + base64.StdEncoding.EncodeToString(vectorKey().Public().(ed25519.PublicKey)) + `"}}`)
	}))

	for _, length := range []int{ed25519.PublicKeySize - 1, ed25519.PublicKeySize + 1} {
		spki := handoff.SPKI(make([]byte, length))
		add(fmt.Sprintf("a public key of %d bytes", length), handoff.CodeKey, edited(func(e *envelope) {
			e.Payload = base64.StdEncoding.EncodeToString([]byte(`{"predicate":{"public_key":"` + base64.StdEncoding.EncodeToString(spki) + `"}}`))
			e.Signatures[0].KeyID = handoff.Digest(spki)
		}))
	}

	add("text", handoff.CodeMalformed, []byte("PASS\n"))
	add("an archive", handoff.CodeMalformed, []byte("PK\x03\x04\x14\x00"))
	add("a list", handoff.CodeMalformed, []byte("[]"))
	add("null", handoff.CodeMalformed, []byte("null"))
	add("a submission", handoff.CodeMalformed, []byte(`{"unit": "ch19-a", "planned_minutes": 90}`))
	add("Latin-1", handoff.CodeMalformed, []byte("{\"caf\xe9\":1}"))
	return all
}

func TestUnsignedChanges(t *testing.T) {
	for _, test := range unsignedChanges(t) {
		t.Run(test.name, func(t *testing.T) {
			if refused := refusal(t, test.data); refused.Code != test.code {
				t.Errorf("%s: %s; want %s", refused.Code, refused.Message, test.code)
			}
		})
	}
	t.Run("too large", func(t *testing.T) {
		if refused := refusal(t, make([]byte, handoff.MaxSize+1)); refused.Code != handoff.CodeTooLarge {
			t.Errorf("%s: %s", refused.Code, refused.Message)
		}
	})
}

func TestRefusalMessages(t *testing.T) {
	want := map[string]string{
		"nothing":                           "the file is empty",
		"a line feed after":                 `the handoff's bytes are not those that Fieldbook writes: byte `,
		"a submission":                      `the file is not a handoff: it is JSON without the key "payload"`,
		"text":                              `the file is not a handoff: byte 0: "PASS\n" stands where a value belongs`,
		"no signature":                      "the handoff has 0 signatures instead of one",
		"another key's id":                  "the handoff's signature names another key than its payload, whose key id is " + handoff.KeyID(vectorKey().Public().(ed25519.PublicKey)),
		"another verdict":                   "the handoff's content does not fit its signature by key " + handoff.KeyID(vectorKey().Public().(ed25519.PublicKey)),
		"another payload type":              `the file is an envelope around "application/json", not a handoff`,
		"a payload without a public key":    `the handoff's payload names no usable public key: the key "public_key" is not found: byte 14: `,
		"base64 with a line break":          "the handoff's payload is not base64 in its standard form: base64 with line breaks",
		"a key twice":                       `the handoff's bytes are not those that Fieldbook writes: byte `,
		"a signature with a line break":     "the handoff's signature is not base64 in its standard form: base64 with line breaks",
		"a public key without its SPKI":     "the handoff's payload names no usable public key: not the SubjectPublicKeyInfo of an Ed25519 key",
		"a key in another case beside it":   `the handoff's bytes are not those that Fieldbook writes: byte 2: "Payload\":\"\",\"pay" stands where the canonical form has "payload\":\"`,
		"a second signature":                "the handoff has 2 signatures instead of one",
		"a payload that is no base64":       "the handoff's payload is not base64 in its standard form: illegal base64 data at input byte 4",
		"a public key that is no base64":    "the handoff's payload names no usable public key: illegal base64 data at input byte 0",
		"an escaped character":              "the handoff's bytes are not those that Fieldbook writes: byte 12: ",
		"keys in another order":             "the handoff's bytes are not those that Fieldbook writes: byte 9: ",
		"a byte order mark":                 "the handoff's bytes are not those that Fieldbook writes: byte 0: the document begins with a byte order mark",
		"a second handoff after":            "the handoff's bytes are not those that Fieldbook writes: byte ",
		"another public key in the payload": "the handoff's signature names another key than its payload, whose key id is " + handoff.KeyID(otherKey().Public().(ed25519.PublicKey)),
	}
	for _, change := range unsignedChanges(t) {
		message, ok := want[change.name]
		if !ok {
			continue
		}
		delete(want, change.name)
		if refused := refusal(t, change.data); !strings.HasPrefix(refused.Message, message) {
			t.Errorf("%s:\n got %s\nwant %s…", change.name, refused.Message, message)
		}
	}
	for name := range want {
		t.Errorf("there is no change called %q", name)
	}
}

func hexByte(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}

func spki64(key ed25519.PrivateKey) string {
	return base64.StdEncoding.EncodeToString(handoff.SPKI(key.Public().(ed25519.PublicKey)))
}

// trailingBits sets the lowest of the four bits that the last character of a 64-byte value's base64 does not use.
func trailingBits(t testing.TB, s string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	last := len(s) - 3
	if !strings.HasSuffix(s, "==") {
		t.Fatalf("%q does not end with ==", s)
	}
	changed := s[:last] + string(alphabet[strings.IndexByte(alphabet, s[last])|1]) + "=="
	a, _ := base64.StdEncoding.DecodeString(s)
	b, err := base64.StdEncoding.DecodeString(changed)
	if err != nil || !bytes.Equal(a, b) || changed == s {
		t.Fatalf("a lenient reader does not take %q for %q", changed, s)
	}
	return changed
}

// unreduced adds the order of the group to a signature's S. A verifier that does not check S < L accepts it.
func unreduced(t testing.TB, s string) string {
	sig, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	scalar := slices.Clone(sig[32:])
	slices.Reverse(scalar)
	sum := new(big.Int).Add(new(big.Int).SetBytes(scalar), order).FillBytes(make([]byte, 32))
	slices.Reverse(sum)
	return base64.StdEncoding.EncodeToString(append(sig[:32:32], sum...))
}
