package lock_test

import (
	"os"
	"path/filepath"
	"testing"

	"fieldbook/runtime/files/lock"
)

func TestTry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	try := func(f *os.File, want bool) {
		t.Helper()
		if got, err := lock.Try(f); err != nil || got != want {
			t.Errorf("locked %v, error %v; want %v", got, err, want)
		}
	}
	first, second := open(), open()
	defer second.Close()
	try(first, true)
	try(second, false)
	third := open()
	third.Close() // closing another descriptor of the file must not end the lock
	try(second, false)
	first.Close()
	try(second, true)
	if _, err := lock.Try(first); err == nil {
		t.Error("a closed file was locked")
	}
}
