//go:build !windows

package key

import (
	"fmt"
	"io/fs"
	"os"

	"fieldbook/handoff"
)

const (
	writableByOthers  fs.FileMode = 0o022
	anyAccessByOthers fs.FileMode = 0o077
)

// checkPrivate refuses a file or folder whose mode has any of the given bits, and says which mode it should have.
func checkPrivate(path string, forbidden, want fs.FileMode) error {
	info, err := os.Stat(path)
	if err != nil {
		return &handoff.Error{Kind: handoff.Input, Code: handoff.CodeFileUnreadable, Message: path + ": its permissions cannot be read", Hint: "Check the folder.", Cause: err}
	}
	if info.Mode()&forbidden == 0 {
		return nil
	}
	return &handoff.Error{Kind: handoff.Input, Code: CodeExposed,
		Message: fmt.Sprintf("%s: others on this machine can read or replace your signing key (mode %04o)", path, info.Mode().Perm()),
		Hint:    fmt.Sprintf("Run: chmod %o '%s'", want, path)}
}
