package key

import (
	"bytes"
	"crypto/ed25519"
	"encoding/pem"
	"strings"

	"fieldbook/handoff"
)

// pkcs8Prefix is what stands before the 32 bytes of an Ed25519 seed in PKCS#8 (RFC 8410, section 7). The form that
// OpenSSL and Go write is fixed, so reading it needs no ASN.1.
const pkcs8Prefix = "\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20"

const (
	privateBlock = "PRIVATE KEY"

	hintDamaged = "Export the key again where it is whole: run `fieldbook key export` there."
	hintForeign = "Export the key with `fieldbook key export`, or make one with `openssl genpkey -algorithm ed25519`."
)

// PEM is the key as a file holds it.
func (k Key) PEM() []byte {
	der := append([]byte(pkcs8Prefix), k.private.Seed()...)
	return pem.EncodeToMemory(&pem.Block{Type: privateBlock, Bytes: der})
}

// Parse reads what PEM writes, with either kind of line end. The errors say what else a file holds; they are about a file
// called name.
func Parse(name string, data []byte) (Key, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return Key{}, damaged(name, "the key file is empty")
	}
	block, rest := pem.Decode(data)
	if block == nil {
		if bytes.Contains(data, []byte("-----BEGIN ")) {
			return Key{}, damaged(name, "the key file is cut off or damaged")
		}
		return Key{}, foreign(name, "the file holds no PEM key")
	}
	if block.Type != privateBlock || len(block.Headers) > 0 {
		return Key{}, foreign(name, "the file holds "+describe(block)+", not an Ed25519 private key in PKCS#8")
	}
	if len(bytes.TrimSpace(rest)) > 0 || !bytes.HasPrefix(bytes.TrimSpace(data), []byte("-----BEGIN ")) {
		return Key{}, foreign(name, "the file holds something beside the key")
	}
	seed, found := bytes.CutPrefix(block.Bytes, []byte(pkcs8Prefix))
	switch {
	case found && len(seed) == ed25519.SeedSize:
		return Key{ed25519.NewKeyFromSeed(seed)}, nil
	case found && len(seed) < ed25519.SeedSize, bytes.HasPrefix([]byte(pkcs8Prefix), block.Bytes):
		return Key{}, damaged(name, "the key file is cut off or damaged")
	default:
		return Key{}, foreign(name, "the file holds a private key of another kind, not an Ed25519 key in PKCS#8")
	}
}

// describe names what people put in place of a key.
func describe(block *pem.Block) string {
	switch {
	case strings.HasPrefix(block.Type, "ENCRYPTED ") || block.Headers["DEK-Info"] != "":
		return "a private key with a passphrase"
	case block.Type == "OPENSSH "+privateBlock:
		return "an SSH key"
	case block.Type == "PUBLIC KEY":
		return "a public key"
	case block.Type == "CERTIFICATE":
		return "a certificate"
	case strings.HasSuffix(block.Type, privateBlock):
		return "a private key of another kind"
	default:
		return "something else"
	}
}

func damaged(name, what string) error {
	return &handoff.Error{Kind: handoff.Input, Code: CodeDamaged, Message: name + ": " + what, Hint: hintDamaged}
}

func foreign(name, what string) error {
	return &handoff.Error{Kind: handoff.Input, Code: CodeForeign, Message: name + ": " + what, Hint: hintForeign}
}
