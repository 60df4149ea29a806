package handoff

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Load reads the file at path and verifies it against want. Messages name the path.
func Load(path string, want Expect) (*Handoff, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	h, err := Verify(data, want)
	var refused *Error
	if errors.As(err, &refused) {
		located := *refused
		located.Message = path + ": " + refused.Message
		return nil, &located
	}
	return h, err
}

// ReadFile returns the bytes of a regular file of at most MaxSize bytes. A link is followed: whoever names a file chooses
// it. A pipe or a device is refused before it is opened, since opening one may block.
func ReadFile(path string) ([]byte, error) { return ReadFileUpTo(path, MaxSize) }

// ReadFileUpTo is ReadFile with another limit: for an archive, which carries many files.
func ReadFileUpTo(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{Kind: Input, Code: CodeFileMissing, Message: path + ": there is no such file",
			Hint: "Check the name. The path is relative to the current folder."}
	case err != nil:
		return nil, unreadable(path, err)
	case info.IsDir():
		return nil, &Error{Kind: Input, Code: CodeFileUnreadable, Message: path + ": this is a folder", Hint: "Name the file inside it."}
	case !info.Mode().IsRegular():
		return nil, &Error{Kind: Input, Code: CodeFileUnreadable, Message: path + ": this is a pipe, a socket or a device",
			Hint: "Store its contents in a file and name that."}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, unreadable(path, err)
	}
	if int64(len(data)) > limit {
		return nil, invalid(CodeTooLarge, hintOther, "%s: the file has more than %d bytes, more than any that Fieldbook writes", path, limit)
	}
	return data, nil
}

func unreadable(path string, err error) error {
	return &Error{Kind: Input, Code: CodeFileUnreadable, Message: fmt.Sprintf("%s: the file cannot be read", path),
		Hint: "Check its permissions.", Cause: err}
}
