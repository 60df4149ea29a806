package handoff

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/pem"
	"errors"
)

// spkiPrefix is what stands before the 32 bytes of an Ed25519 public key in its SubjectPublicKeyInfo (RFC 8410, section
// 4). The form is fixed, so reading it needs no ASN.1, and this package none of crypto/x509's dependencies.
const spkiPrefix = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"

// SPKI is the DER encoding of a public key as SubjectPublicKeyInfo.
func SPKI(key ed25519.PublicKey) []byte { return append([]byte(spkiPrefix), key...) }

// PublicPEM is the public key as OpenSSL and other programs read it.
func PublicPEM(key ed25519.PublicKey) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: SPKI(key)})
}

// KeyID names a public key: the digest of its SPKI.
func KeyID(key ed25519.PublicKey) string { return Digest(SPKI(key)) }

// ParseSPKI reads what SPKI writes.
func ParseSPKI(der []byte) (ed25519.PublicKey, error) {
	key, found := bytes.CutPrefix(der, []byte(spkiPrefix))
	if !found || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("not the SubjectPublicKeyInfo of an Ed25519 key")
	}
	return ed25519.PublicKey(key), nil
}

// decodeBase64 accepts exactly what base64.StdEncoding writes. The decoder alone, even in strict mode, skips line breaks.
func decodeBase64(s string) ([]byte, error) {
	data, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil {
		return nil, err
	}
	if base64.StdEncoding.EncodedLen(len(data)) != len(s) {
		return nil, errors.New("base64 with line breaks")
	}
	return data, nil
}
