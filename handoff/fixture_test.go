package handoff_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"fieldbook/handoff"
	"fieldbook/handoff/canonical"
)

var update = flag.Bool("update", false, "rewrite the test vectors in testdata")

// vectorKey is the key of the test vectors: the seed is the bytes 0 to 31.
func vectorKey() ed25519.PrivateKey { return seededKey(0) }

// otherKey is a second key.
func otherKey() ed25519.PrivateKey { return seededKey(100) }

func seededKey(first byte) ed25519.PrivateKey {
	seed := make([]byte, ed25519.SeedSize)
	for i := range seed {
		seed[i] = first + byte(i)
	}
	return ed25519.NewKeyFromSeed(seed)
}

// vectorRecord is what the test vectors say. It has every escape that canonical JSON knows and characters of every length.
func vectorRecord() handoff.Record {
	return handoff.Record{
		Exercise:         "restore",
		Unit:             "ch19-a",
		Edition:          "student",
		StartingEvidence: "INDEPENDENT_UNIT_A",
		Runtime:          handoff.Digest([]byte("runtime")),
		Probes:           handoff.Digest([]byte("probes")),
		Engine:           handoff.Component{Name: "yaegi", Version: "v0.16.1"},
		Tools:            []handoff.Component{{Name: "fieldbook", Version: "v1.0.0"}, {Name: "go", Version: "go1.26.8"}},
		Sandbox:          handoff.Sandbox{Level: "strong", Layers: []string{"namespaces", "rlimits", "landlock", "seccomp"}},
		Limits:           handoff.Limits{Wall: 5 * time.Second, CPU: 2 * time.Second, Memory: 64 << 20, Output: 64 << 10, Disk: 16 << 20},
		Prediction:       handoff.Digest([]byte("paused = 1")),
		Attempts:         3,
		Implementation: []handoff.File{
			{Path: "runtime/assistant/manifest.go", Text: "package assistant\n"},
			{Path: "runtime/assistant/restore.go", Text: "package assistant\r\n\n\t// \"Lucy\" \\ caf\u00e9 <\U0001f366> \u2028\x00\x1f\x7f\b\f\n"},
		},
		Result:   json.RawMessage(`{"observation":{"restored_paused":{"kind":"bool","text":"true"}},"rows":[[1,"a"],[2,null]]}`),
		Verdict:  "PASS",
		Previous: handoff.None,
		Environment: handoff.Environment{
			Created: time.Date(2026, time.March, 3, 8, 0, 0, 0, time.UTC), Elapsed: 31 * time.Millisecond, OS: "linux", Arch: "amd64", CPUs: 2,
		},
	}
}

func mustSign(t testing.TB, r handoff.Record, key ed25519.PrivateKey) []byte {
	t.Helper()
	data, err := handoff.Sign(r, key)
	if err != nil {
		t.Fatalf("Sign: %v", err)
	}
	return data
}

// envelope is a DSSE envelope that tests take apart and put together again; see open and (envelope).bytes.
type envelope struct {
	Payload     string      `json:"payload"`
	PayloadType string      `json:"payloadType"`
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   string `json:"sig"`
}

func open(t testing.TB, data []byte) envelope {
	t.Helper()
	var e envelope
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func (e envelope) bytes(t testing.TB) []byte {
	t.Helper()
	data, err := canonical.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (e envelope) payload(t testing.TB) []byte {
	t.Helper()
	payload, err := base64.StdEncoding.DecodeString(e.Payload)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// sealed signs any payload as a hostile owner of key could, with the DSSE library's encoding and not with ours.
func sealed(t testing.TB, payload []byte, key ed25519.PrivateKey) []byte {
	t.Helper()
	const payloadType = "application/vnd.in-toto+json"
	return envelope{
		Payload:     base64.StdEncoding.EncodeToString(payload),
		PayloadType: payloadType,
		Signatures: []signature{{
			KeyID: handoff.KeyID(key.Public().(ed25519.PublicKey)),
			Sig:   base64.StdEncoding.EncodeToString(ed25519.Sign(key, dsse.PAE(payloadType, payload))),
		}},
	}.bytes(t)
}

// refusal reads data, which must be refused in a way that can be shown to people, and returns the refusal.
func refusal(t testing.TB, data []byte) *handoff.Error {
	t.Helper()
	h, err := handoff.Read(data)
	var refused *handoff.Error
	if h != nil || !errors.As(err, &refused) {
		t.Fatalf("Read = %v, %v; want a refusal", h, err)
	}
	text := refused.Message + refused.Hint
	if refused.Kind != handoff.Invalid || refused.Message == "" || refused.Hint == "" || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Fatalf("a refusal that cannot be shown: %#v", refused)
	}
	return refused
}

// replaceOnce changes the one place where from stands.
func replaceOnce(t testing.TB, data []byte, from, to string) []byte {
	t.Helper()
	if n := bytes.Count(data, []byte(from)); n != 1 {
		t.Fatalf("%q occurs %d times in the document", from, n)
	}
	return bytes.Replace(data, []byte(from), []byte(to), 1)
}
