package key

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"fieldbook/handoff"
)

const (
	fileName = "signing-key.pem"
	lockName = "signing-key.lock"

	fileMode   fs.FileMode = 0o600
	folderMode fs.FileMode = 0o700

	// lockWait bounds the wait for another process, which holds the lock for one small synced write.
	lockWait  = 10 * time.Second
	lockRetry = 10 * time.Millisecond
)

// Unprotected is to be shown beside every exported key.
const Unprotected = "The exported key is not protected by a passphrase: whoever can read the file can sign as you."

const hintLost = "Move this file away and run `fieldbook key import FILE` with an export of your key. Without an export a new key is made: tell your instructor its id."

// Store is the folder that holds one key. The caller chooses it: `fieldbook` in the user's configuration folder.
type Store struct {
	Folder string
}

// Path is the key's file.
func (s Store) Path() string { return filepath.Join(s.Folder, fileName) }

// Identity is what may be shown of a key.
type Identity struct {
	KeyID     string `json:"key_id"`
	PublicKey string `json:"public_key"` // PEM
	Path      string `json:"path"`       // of the private key
}

// Identity describes a key of this store.
func (s Store) Identity(k Key) Identity {
	return Identity{KeyID: k.ID(), PublicKey: string(handoff.PublicPEM(k.Public())), Path: s.Path()}
}

// Open returns the key, and makes it on first use; made says so. Of several processes that come first at once, one makes
// the key and all return it.
func (s Store) Open(ctx context.Context) (k Key, made bool, err error) {
	if k, err = s.Load(); !isMissing(err) {
		return k, false, err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Key{}, false, err
	}
	defer unlock()
	if k, err = s.Load(); !isMissing(err) {
		return k, false, err
	}
	k = Generate()
	if err := handoff.WriteFile(s.Path(), k.PEM(), fileMode); err != nil {
		return Key{}, false, err
	}
	return k, true, nil
}

// Load returns the key, or an error with CodeMissing when there is none yet.
func (s Store) Load() (Key, error) {
	data, err := handoff.ReadFile(s.Path())
	var failed *handoff.Error
	if errors.As(err, &failed) && failed.Code == handoff.CodeFileMissing {
		return Key{}, &handoff.Error{Kind: handoff.Input, Code: CodeMissing, Message: s.Path() + ": there is no signing key yet",
			Hint: "It is made when the first handoff is written. To use the one of another machine, run `fieldbook key import FILE`."}
	}
	if err != nil {
		return Key{}, err
	}
	if err := checkPrivate(s.Folder, writableByOthers, folderMode); err != nil {
		return Key{}, err
	}
	if err := checkPrivate(s.Path(), anyAccessByOthers, fileMode); err != nil {
		return Key{}, err
	}
	k, err := Parse(s.Path(), data)
	if errors.As(err, &failed) {
		failed.Hint = hintLost
	}
	return k, err
}

// Export copies the key to a new file at path. An existing one is not overwritten. Show Unprotected with it.
func (s Store) Export(path string) error {
	k, err := s.Load()
	if err != nil {
		return err
	}
	return handoff.CreateFile(path, k.PEM(), fileMode)
}

// Import makes the key in the file at path this store's key. The one that it replaces is kept: backup is its new path, ""
// when there was none or when it is the same key, whose file then gets its right mode. Handoffs that the old key signed stay valid and stay the old key's.
func (s Store) Import(ctx context.Context, path string, now time.Time) (k Key, backup string, err error) {
	data, err := handoff.ReadFile(path)
	if err != nil {
		return Key{}, "", err
	}
	if k, err = Parse(path, data); err != nil {
		return Key{}, "", err
	}
	backup, err = s.Adopt(ctx, k, now)
	if err != nil {
		return Key{}, "", err
	}
	return k, backup, nil
}

// Adopt is Import of a key that was read already.
func (s Store) Adopt(ctx context.Context, k Key, now time.Time) (backup string, err error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	old, err := os.ReadFile(s.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", &handoff.Error{Kind: handoff.Machine, Code: handoff.CodeFileUnreadable, Message: s.Path() + ": the present key cannot be read, so it is not replaced",
			Hint: "Check its permissions.", Cause: err}
	case !bytes.Equal(old, k.PEM()):
		if backup, err = s.backUp(old, now); err != nil {
			return "", err
		}
	}
	return backup, handoff.WriteFile(s.Path(), k.PEM(), fileMode)
}

// backUp keeps the present key's bytes, readable or not, under a name that says when they were replaced.
func (s Store) backUp(old []byte, now time.Time) (string, error) {
	stamp := now.UTC().Format("20060102T150405Z")
	for n := 1; ; n++ {
		path := fmt.Sprintf("%s.%s-%d.backup", s.Path(), stamp, n)
		err := handoff.CreateFile(path, old, fileMode)
		if !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
}

// lock makes the folder if need be and keeps other processes from making or replacing the key until unlock.
func (s Store) lock(ctx context.Context) (unlock func(), err error) {
	if err := makeFolder(s.Folder); err != nil {
		return nil, &handoff.Error{Kind: handoff.Machine, Code: handoff.CodeFileWrite, Message: s.Folder + ": the folder for the signing key cannot be made",
			Hint: "Check that you may write there.", Cause: err}
	}
	if err := checkPrivate(s.Folder, writableByOthers, folderMode); err != nil {
		return nil, err
	}
	path := filepath.Join(s.Folder, lockName)
	lock := flock.New(path, flock.SetPermissions(fileMode))
	waiting, stop := context.WithTimeout(ctx, lockWait)
	defer stop()
	locked, err := lock.TryLockContext(waiting, lockRetry)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &handoff.Error{Kind: handoff.Machine, Code: CodeBusy, Message: path + ": another program has kept this lock for ten seconds",
			Hint: "End the other Fieldbook, or wait for it, and do this again.", Cause: err}
	case err != nil || !locked:
		return nil, &handoff.Error{Kind: handoff.Machine, Code: handoff.CodeFileWrite, Message: path + ": the folder for the signing key cannot be locked",
			Hint: "Check that you may write there.", Cause: err}
	}
	return func() { _ = lock.Unlock() }, nil
}

// makeFolder makes a folder and the missing ones above it, durably: a key must not vanish with its folder after it signed.
func makeFolder(folder string) error {
	if _, err := os.Stat(folder); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	above := filepath.Dir(folder)
	if err := makeFolder(above); err != nil {
		return err
	}
	if err := os.Mkdir(folder, folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return handoff.SyncFolder(above)
}

func isMissing(err error) bool {
	var failed *handoff.Error
	return errors.As(err, &failed) && failed.Code == CodeMissing
}
