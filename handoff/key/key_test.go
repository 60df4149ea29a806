package key_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fieldbook/handoff"
	"fieldbook/handoff/key"
)

// wantError fails unless err is a refusal with this code, a message that has says in it, and a hint.
func wantError(t *testing.T, err error, code, says string) {
	t.Helper()
	var refused *handoff.Error
	if !errors.As(err, &refused) {
		t.Fatalf("the error is %v; want %s", err, code)
	}
	if refused.Code != code || !strings.Contains(refused.Message, says) || refused.Hint == "" {
		t.Errorf("the error is %s: %s (%s)\nwant %s: …%s…", refused.Code, refused.Message, refused.Hint, code, says)
	}
}

func TestPEM(t *testing.T) {
	k := key.Generate()
	text := k.PEM()
	block, rest := pem.Decode(text)
	if block == nil || len(rest) > 0 {
		t.Fatalf("PEM is not one block: %s", text)
	}
	got, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil || !k.Private().Equal(got.(ed25519.PrivateKey)) {
		t.Errorf("crypto/x509 reads another key: %v", err)
	}
	for name, variant := range map[string][]byte{
		"as written":      text,
		"Windows lines":   bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")),
		"no line at end":  bytes.TrimSpace(text),
		"lines around it": []byte("\n\n" + string(text) + "\n"),
	} {
		if again, err := key.Parse("file", variant); err != nil || again.ID() != k.ID() {
			t.Errorf("%s: Parse = %v, %v", name, again, err)
		}
	}
	if other := key.Generate(); other.ID() == k.ID() {
		t.Error("two keys are the same")
	}
}

func TestParseRefuses(t *testing.T) {
	const ed = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n-----END PRIVATE KEY-----\n"
	if _, err := key.Parse("file", []byte(ed)); err != nil {
		t.Fatal(err)
	}
	block := func(kind, body string) string {
		return "-----BEGIN " + kind + "-----\n" + body + "-----END " + kind + "-----\n"
	}
	tests := map[string]struct{ in, code, says string }{
		"empty":            {"", key.CodeDamaged, "file: the key file is empty"},
		"blank":            {"\r\n \n", key.CodeDamaged, "file: the key file is empty"},
		"zero bytes":       {strings.Repeat("\x00", 119), key.CodeForeign, "file: the file holds no PEM key"},
		"text":             {"my key\n", key.CodeForeign, "file: the file holds no PEM key"},
		"no end line":      {ed[:100], key.CodeDamaged, "file: the key file is cut off or damaged"},
		"half a line":      {ed[:50], key.CodeDamaged, "file: the key file is cut off or damaged"},
		"short seed":       {block("PRIVATE KEY", "MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYH\n"), key.CodeDamaged, "cut off or damaged"},
		"hardly anything":  {block("PRIVATE KEY", "MC4C\n"), key.CodeDamaged, "cut off or damaged"},
		"no body":          {block("PRIVATE KEY", ""), key.CodeDamaged, "cut off or damaged"},
		"not base64":       {block("PRIVATE KEY", "MC4CAQAw*QYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n"), key.CodeDamaged, "cut off or damaged"},
		"long seed":        {block("PRIVATE KEY", "MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fAAAA\n"), key.CodeForeign, "a private key of another kind"},
		"X25519":           {block("PRIVATE KEY", "MC4CAQAwBQYDK2VuBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n"), key.CodeForeign, "a private key of another kind"},
		"two keys":         {ed + ed, key.CodeForeign, "something beside the key"},
		"text before":      {"my key\n" + ed, key.CodeForeign, "something beside the key"},
		"text after":       {ed + "my key\n", key.CodeForeign, "something beside the key"},
		"a header":         {strings.Replace(ed, "\nMC4", "\nComment: mine\n\nMC4", 1), key.CodeForeign, "a private key of another kind, not an Ed25519 private key"},
		"old passphrase":   {"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMC4C\n-----END RSA PRIVATE KEY-----\n", key.CodeForeign, "a private key with a passphrase"},
		"with passphrase":  {block("ENCRYPTED PRIVATE KEY", "MC4C\n"), key.CodeForeign, "the file holds a private key with a passphrase, not an Ed25519 private key in PKCS#8"},
		"SSH key":          {block("OPENSSH PRIVATE KEY", "MC4C\n"), key.CodeForeign, "the file holds an SSH key"},
		"EC key":           {block("EC PRIVATE KEY", "MC4C\n"), key.CodeForeign, "the file holds a private key of another kind"},
		"public key":       {string(handoff.PublicPEM(key.Generate().Public())), key.CodeForeign, "the file holds a public key"},
		"certificate":      {block("CERTIFICATE", "MC4C\n"), key.CodeForeign, "the file holds a certificate"},
		"signature":        {block("PGP SIGNATURE", "MC4C\n"), key.CodeForeign, "the file holds something else"},
		"byte order mark":  {"\ufeff" + ed, key.CodeDamaged, "cut off or damaged"},
		"terminal escapes": {block("\x1b[31m", "MC4C\n"), key.CodeForeign, "the file holds something else"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := key.Parse("file", []byte(test.in))
			wantError(t, err, test.code, test.says)
		})
	}
	t.Run("cut off anywhere", func(t *testing.T) {
		end := strings.LastIndex(ed, "-----")
		for n := range end + len("-----") {
			if k, err := key.Parse("file", []byte(ed[:n])); err == nil {
				t.Errorf("Parse accepts the first %d bytes as %v", n, k)
			}
		}
	})
}

func TestKeyIsNotPrinted(t *testing.T) {
	k := key.Generate()
	for _, printed := range []string{fmt.Sprint(k), fmt.Sprintf("%+v", k), fmt.Sprintf("%#v", k), fmt.Sprintf("%s", []key.Key{k})} {
		if !strings.Contains(printed, "key "+k.ID()) || len(printed) > len("[key ]")+len(k.ID()) {
			t.Errorf("the key prints as %s", printed)
		}
	}
}

func FuzzParse(f *testing.F) {
	k := key.Generate()
	f.Add(k.PEM())
	f.Add(bytes.ReplaceAll(k.PEM(), []byte("\n"), []byte("\r\n")))
	f.Add(handoff.PublicPEM(k.Public()))
	f.Add([]byte("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----"))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := key.Parse("file", data)
		if err != nil {
			var refused *handoff.Error
			if !errors.As(err, &refused) || refused.Message == "" || refused.Hint == "" {
				t.Fatalf("refusal %#v", err)
			}
			return
		}
		block, _ := pem.Decode(data)
		read, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil || !k.Private().Equal(read.(ed25519.PrivateKey)) {
			t.Fatalf("crypto/x509 reads %v, %v from %q", read, err, data)
		}
		if again, err := key.Parse("file", k.PEM()); err != nil || again.ID() != k.ID() {
			t.Fatalf("Parse of what was written: %v, %v", again, err)
		}
	})
}
