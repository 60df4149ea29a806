package handoff

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// None stands where a digest could stand and there is nothing to digest.
const None = "none"

// Digest is the SHA-256 of data in lower-case hexadecimal. The digest of a handoff is that of its file's bytes.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// ImplementationDigest identifies a set of files, in the order of their paths: the SHA-256 of one line for each file, made
// of the SHA-256 of its bytes in lower-case hexadecimal, two spaces, its path and a line feed. These are the lines that
// sha256sum prints, so `sha256sum FILE… | sha256sum` gives the same digest; it is also the hash "h1" of Go's dirhash.
func ImplementationDigest(files []File) string {
	lines := sha256.New()
	for _, f := range files {
		fmt.Fprintf(lines, "%x  %s\n", sha256.Sum256([]byte(f.Text)), f.Path)
	}
	return hex.EncodeToString(lines.Sum(nil))
}

// isDigest says whether s has the form that Digest gives.
func isDigest(s string) bool {
	if len(s) != 2*sha256.Size {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
