// Package key keeps the Ed25519 key with which a learner or an instructor signs: one file in a folder that the caller
// names, made on first use. The file is PEM around PKCS#8, as OpenSSL writes it, and is not protected by a passphrase: its
// mode, 0600, is its protection, and a looser one is refused.
//
// It imports nothing of ours but handoff and runs in the parent.
package key
