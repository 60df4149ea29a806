package key

import (
	"crypto/ed25519"
	"crypto/rand"

	"fieldbook/handoff"
)

// Key is a private key. Printed, it shows its id alone.
type Key struct {
	private ed25519.PrivateKey
}

// Generate makes a new key from the system's random source.
func Generate() Key {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // crypto/rand never returns an error
	return Key{ed25519.NewKeyFromSeed(seed)}
}

// Private is the key for handoff.Sign.
func (k Key) Private() ed25519.PrivateKey { return k.private }

// Public is the public half.
func (k Key) Public() ed25519.PublicKey { return k.private.Public().(ed25519.PublicKey) }

// ID is the digest that handoffs, rosters and reports name the key by.
func (k Key) ID() string { return handoff.KeyID(k.Public()) }

func (k Key) String() string { return "key " + k.ID() }

// GoString is String: %#v prints no more than %v.
func (k Key) GoString() string { return k.String() }
