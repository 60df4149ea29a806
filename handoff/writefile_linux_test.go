package handoff_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fieldbook/handoff"
)

// TestFullDisk writes more than a small file system holds. The old file stays, and nothing else is left.
func TestFullDisk(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mount("fieldbook", folder, "tmpfs", syscall.MS_NOEXEC|syscall.MS_NOSUID, "size=64k"); err != nil {
		t.Skipf("SKIPPED LOUDLY: mounting a small file system needs root, so a full disk was not tried: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	}()
	path := filepath.Join(folder, "handoff.json")
	if err := handoff.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	large := bytes.Repeat([]byte("x"), 128<<10)
	check := func(err error) {
		t.Helper()
		wantError(t, err, handoff.Machine, handoff.CodeFileWrite, "the file cannot be written")
		var refused *handoff.Error
		if errors.As(err, &refused) && !strings.Contains(refused.Hint, "disk is full") {
			t.Errorf("the hint is %q", refused.Hint)
		}
	}
	check(handoff.WriteFile(path, large, 0o600))
	check(handoff.CreateFile(filepath.Join(folder, "export.pem"), large, 0o600))
	if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
		t.Errorf("the old file holds %q, %v", got, err)
	}
	if names := list(t, folder); len(names) != 1 {
		t.Errorf("the folder holds %q", names)
	}

	if err := syscall.Mount("", folder, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	err := handoff.WriteFile(path, []byte("new"), 0o600)
	wantError(t, err, handoff.Machine, handoff.CodeFileWrite, "the file cannot be written")
	var refused *handoff.Error
	if errors.As(err, &refused) && !strings.Contains(refused.Hint, "read-only") {
		t.Errorf("the hint is %q", refused.Hint)
	}
}
