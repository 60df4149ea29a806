package handoff_test

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"fieldbook/handoff"
	"fieldbook/handoff/key"
)

// refusedVector is one line of testdata/refused.jsonl.
type refusedVector struct {
	Name string `json:"name"`
	Code string `json:"code"`
	File []byte `json:"file"` // base64
}

// TestVectors holds the files that FORMAT.md gives to other programs to what this package writes and refuses.
func TestVectors(t *testing.T) {
	data := mustSign(t, vectorRecord(), vectorKey())
	e := open(t, data)
	payload := e.payload(t)
	private, err := key.Parse("private.pem", readOrUpdate(t, "private.pem", vectorPrivatePEM))
	if err != nil || !private.Private().Equal(vectorKey()) {
		t.Errorf("private.pem holds another key than the seed: %v", err)
	}
	public := vectorKey().Public().(ed25519.PublicKey)
	for name, want := range map[string][]byte{
		"public.pem":   handoff.PublicPEM(public),
		"payload.json": payload,
		"pae.bin":      dsse.PAE(e.PayloadType, payload),
		"handoff.json": data,
	} {
		if got := readOrUpdate(t, name, string(want)); !bytes.Equal(got, want) {
			t.Errorf("testdata/%s differs; run the test with -update if the format was meant to change", name)
		}
	}
	if _, err := handoff.Load(filepath.Join("testdata", "handoff.json"), handoff.Expect{Exercise: "restore", Unit: "ch19-a"}); err != nil {
		t.Errorf("Load: %v", err)
	}

	format, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	for what, value := range map[string]string{
		"seed":                  hex.EncodeToString(vectorKey().Seed()),
		"public key":            hex.EncodeToString(public),
		"SPKI":                  spki64(vectorKey()),
		"keyid":                 handoff.KeyID(public),
		"signature":             e.Signatures[0].Sig,
		"payload digest":        handoff.Digest(payload),
		"encoding digest":       handoff.Digest(dsse.PAE(e.PayloadType, payload)),
		"implementation digest": handoff.ImplementationDigest(vectorRecord().Implementation),
		"handoff digest":        handoff.Digest(data),
	} {
		if !strings.Contains(string(format), "`"+value+"`") {
			t.Errorf("FORMAT.md does not give the %s of the test vector: %s", what, value)
		}
	}
}

// vectorPrivatePEM is what `openssl pkey -inform DER` prints for the seed, typed in so that it is not our own writing.
const vectorPrivatePEM = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
-----END PRIVATE KEY-----
`

func TestRefusedVectors(t *testing.T) {
	var lines bytes.Buffer
	for _, change := range append(unsignedChanges(t), signedChanges(t)...) {
		if err := json.NewEncoder(&lines).Encode(refusedVector{change.name, change.code, change.data}); err != nil {
			t.Fatal(err)
		}
	}
	stored := readOrUpdate(t, "refused.jsonl", lines.String())
	if !bytes.Equal(stored, lines.Bytes()) {
		t.Error("testdata/refused.jsonl differs; run the test with -update if the format was meant to change")
	}
	count := 0
	for scanner := bufio.NewScanner(bytes.NewReader(stored)); scanner.Scan(); count++ {
		var v refusedVector
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if refused := refusal(t, v.File); refused.Code != v.Code {
			t.Errorf("%s: %s: %s; want %s", v.Name, refused.Code, refused.Message, v.Code)
		}
	}
	if count < 90 {
		t.Errorf("only %d vectors", count)
	}
}

// TestFormatNamesEveryCode keeps FORMAT.md's table of refusals complete.
func TestFormatNamesEveryCode(t *testing.T) {
	format, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{
		handoff.CodeTooLarge, handoff.CodeTruncated, handoff.CodeMalformed, handoff.CodeOtherType, handoff.CodeNotCanonical,
		handoff.CodeSignatures, handoff.CodeKey, handoff.CodeKeyID, handoff.CodeSignature, handoff.CodeStatement, handoff.CodeDigest,
		handoff.CodeOtherExercise, handoff.CodeOtherUnit, handoff.CodeOtherEdition, handoff.CodeOtherRuntime, handoff.CodeOtherProbes,
	} {
		if !strings.Contains(string(format), "`"+code+"`") {
			t.Errorf("FORMAT.md does not name %s", code)
		}
	}
	for _, path := range keyPaths(t, vectorPayload(t)) {
		if name := path[len(path)-1]; !strings.Contains(string(format), name) {
			t.Errorf("FORMAT.md does not describe the key %s", strings.Join(path, "."))
		}
	}
}

// readOrUpdate reads a file of testdata, which -update writes first.
func readOrUpdate(t *testing.T, name, want string) []byte {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
