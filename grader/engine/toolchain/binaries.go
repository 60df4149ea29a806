package toolchain

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Bounds of the binaries that are kept. One is about 8 MB, and building it again takes a second.
const (
	maxKept = 512 << 20   // bytes, all together
	inUse   = time.Minute // a binary that was asked for as recently is about to be run
)

func (t *Toolchain) binaries() string { return filepath.Join(t.config.Cache, "programs") }

// kept is the binary of a key; "" when there is none.
func (t *Toolchain) kept(key string) (string, error) {
	path := filepath.Join(t.binaries(), key)
	now := time.Now()
	err := os.Chtimes(path, now, now) // what was used last goes last
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("look for a program that was built before: %w", err)
	}
	return path, nil
}

// keep takes a binary into the cache, whole or not at all, and returns where it is.
func (t *Toolchain) keep(key, binary string) (string, error) {
	path := filepath.Join(t.binaries(), key)
	err := os.MkdirAll(t.binaries(), 0o700)
	if err == nil {
		err = os.Chmod(binary, 0o755) // a worker may run with the rights of nobody
	}
	if err == nil {
		err = synced(binary)
	}
	if err == nil {
		err = os.Rename(binary, path)
	}
	if err != nil {
		return "", fmt.Errorf("keep a program that was built: %w", err)
	}
	return path, t.prune(key)
}

func synced(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// prune removes the binaries not used for longest while all together are too large.
func (t *Toolchain) prune(newest string) error {
	entries, err := os.ReadDir(t.binaries())
	if err != nil {
		return fmt.Errorf("list the programs that were built: %w", err)
	}
	var all []fs.FileInfo
	var size int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else another process has removed it
			all, size = append(all, info), size+info.Size()
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return cmp.Compare(a.ModTime().UnixNano(), b.ModTime().UnixNano()) })
	for _, info := range all {
		if size <= maxKept || time.Since(info.ModTime()) < inUse {
			break
		}
		if info.Name() != newest && os.Remove(filepath.Join(t.binaries(), info.Name())) == nil {
			size -= info.Size()
		}
	}
	return nil
}
