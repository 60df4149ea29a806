package handoff_test

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"fieldbook/handoff"
)

// libraryKey is a public key as the DSSE library asks for it.
type libraryKey struct{ public ed25519.PublicKey }

func (k libraryKey) KeyID() (string, error)   { return handoff.KeyID(k.public), nil }
func (k libraryKey) Public() crypto.PublicKey { return k.public }
func (k libraryKey) Verify(_ context.Context, data, sig []byte) error {
	if !ed25519.Verify(k.public, data, sig) {
		return errors.New("the signature does not fit")
	}
	return nil
}

// TestLibrary verifies a handoff with another implementation of DSSE, and shows what that one lets through and we do not.
func TestLibrary(t *testing.T) {
	data := mustSign(t, vectorRecord(), vectorKey())
	verifier, err := dsse.NewEnvelopeVerifier(libraryKey{vectorKey().Public().(ed25519.PublicKey)})
	if err != nil {
		t.Fatal(err)
	}
	verify := func(data []byte) error {
		var e dsse.Envelope
		if err := json.Unmarshal(data, &e); err != nil {
			return err
		}
		_, err := verifier.Verify(t.Context(), &e)
		return err
	}
	if err := verify(data); err != nil {
		t.Errorf("the library refuses our handoff: %v", err)
	}
	accepted := 0
	for _, change := range unsignedChanges(t) {
		if verify(change.data) == nil {
			accepted++
			t.Logf("the library accepts %q; we refuse it with %s", change.name, change.code)
		}
	}
	if accepted < 10 {
		t.Errorf("the library accepts only %d of the changes: they no longer test more than the library does", accepted)
	}
	if err := verify(unsigned(t, data)); err == nil {
		t.Error("the library verifies a handoff whose payload was changed: it is no check")
	}
}

// unsigned is a handoff with another verdict in its payload and its old signature.
func unsigned(t *testing.T, data []byte) []byte {
	e := open(t, data)
	e.Payload = base64.StdEncoding.EncodeToString(replaceOnce(t, e.payload(t), `"verdict":"PASS"`, `"verdict":"PASs"`))
	return e.bytes(t)
}

func TestX509ReadsThePublicKey(t *testing.T) {
	public := vectorKey().Public().(ed25519.PublicKey)
	block, rest := pem.Decode(handoff.PublicPEM(public))
	if block == nil || len(rest) > 0 {
		t.Fatal("PublicPEM is not one PEM block")
	}
	got, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil || !public.Equal(got) {
		t.Errorf("crypto/x509 reads %v, %v", got, err)
	}
}

// TestOpenSSL verifies a handoff's signature with OpenSSL, which shares no code with us.
func TestOpenSSL(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("SKIPPED LOUDLY: openssl is not installed, so no other program has verified a handoff's signature")
	}
	verify := func(t *testing.T, data []byte) error {
		e := open(t, data)
		folder := t.TempDir()
		sig, err := base64.StdEncoding.DecodeString(e.Signatures[0].Sig)
		if err != nil {
			t.Fatal(err)
		}
		var statement struct {
			Predicate struct {
				PublicKey []byte `json:"public_key"`
			} `json:"predicate"`
		}
		if err := json.Unmarshal(e.payload(t), &statement); err != nil {
			t.Fatal(err)
		}
		path := func(name string, data []byte) string {
			path := filepath.Join(folder, name)
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		spki := path("public.pem", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: statement.Predicate.PublicKey}))
		out, err := exec.Command(openssl, "pkeyutl", "-verify", "-pubin", "-inkey", spki, "-rawin",
			"-in", path("pae.bin", dsse.PAE(e.PayloadType, e.payload(t))), "-sigfile", path("signature.bin", sig)).CombinedOutput()
		t.Logf("openssl: %s", out)
		return err
	}
	data := mustSign(t, vectorRecord(), vectorKey())
	if err := verify(t, data); err != nil {
		t.Errorf("OpenSSL refuses a handoff's signature: %v", err)
	}
	if err := verify(t, unsigned(t, data)); err == nil {
		t.Error("OpenSSL accepts the signature for another payload: it is no check")
	}
	stored, err := os.ReadFile(filepath.Join("testdata", "handoff.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := verify(t, stored); err != nil {
		t.Errorf("OpenSSL refuses the test vector's signature: %v", err)
	}
}

// TestFormatCommands runs the shell commands at the end of FORMAT.md.
func TestFormatCommands(t *testing.T) {
	for _, program := range []string{"sh", "openssl", "sha256sum", "base64", "sed", "mktemp"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("SKIPPED LOUDLY: %s is not installed, so the commands of FORMAT.md were not run", program)
		}
	}
	format, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, commands, found := strings.Cut(string(format), "```\ncd testdata\n")
	commands, _, closed := strings.Cut(commands, "```")
	if !found || !closed {
		t.Fatal("FORMAT.md does not end with its commands")
	}
	run := exec.Command("sh", "-eu", "-c", commands)
	run.Dir = "testdata"
	out, err := run.CombinedOutput()
	keyid := handoff.KeyID(vectorKey().Public().(ed25519.PublicKey))
	if err != nil || !strings.HasPrefix(string(out), keyid) || !strings.Contains(string(out), "Signature Verified Successfully") {
		t.Errorf("the commands of FORMAT.md print %s (%v)", out, err)
	}
}
