package workspace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
)

// onDisk runs the test again in a child with its own user and mount namespaces and a file system of its own mounted
// there, and says whether this is that child. Machines that allow no such namespaces skip the test.
func onDisk(t *testing.T, options string) (mounted string, child bool) {
	t.Helper()
	if mounted = os.Getenv("FIELDBOOK_TEST_DISK"); mounted != "" {
		if err := syscall.Mount("none", mounted, "tmpfs", 0, options); err != nil {
			t.Fatal(err)
		}
		return mounted, true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "FIELDBOOK_TEST_DISK="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("SKIPPED LOUDLY: this machine allows no user namespaces, so no small disk can be mounted: %v", err)
	}
	done := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer done.Stop()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the child on its own disk: %v; run it with FIELDBOOK_TEST_DISK set to see more", err)
	}
	return "", false
}

func TestFullDisk(t *testing.T) {
	disk, child := onDisk(t, "size=64k")
	if !child {
		return
	}
	w, err := workspace.Create(filepath.Join(disk, "w"), "student", ticking())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.SetUp(supplied, []workspace.File{starter}); err != nil {
		t.Fatal(err)
	}
	big := []byte(strings.Repeat("x", 128<<10))

	err = workspace.WriteFile(w.Path(restore), big)
	wantCode(t, err, "disk_full", grader.ExitVoid)
	if !strings.Contains(grader.AsError(err).Message, restore) {
		t.Errorf("the message does not name the file: %v", err)
	}
	if got := mustRead(t, w.Path(restore)); got != string(starter.Text) {
		t.Error("the earlier file has changed")
	}
	_, err = w.AddAttempt(workspace.Attempt{Exercise: "restore", Sources: []workspace.AttemptSource{{Path: restore, Text: big}}}, nil)
	wantCode(t, err, "disk_full", grader.ExitVoid)
	if list, err := w.ListAttempts(""); err != nil || len(list) != 0 {
		t.Errorf("a part of an attempt is listed: %v, %v", list, err)
	}
	err = filepath.WalkDir(w.Root(), func(path string, d os.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), ".fieldbook-") {
			t.Errorf("%s was left behind", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestReadOnlyDisk(t *testing.T) {
	disk, child := onDisk(t, "size=256k")
	if !child {
		return
	}
	w, err := workspace.Create(filepath.Join(disk, "w"), "student", ticking())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.SetUp(supplied, []workspace.File{starter}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	_, err = w.Lock(t.Context(), workspace.Holder{Command: "fieldbook run restore"}, 0)
	wantCode(t, err, "read_only", grader.ExitUsage)
	_, err = w.Reset(starter)
	wantCode(t, err, "read_only", grader.ExitUsage)
	if _, err := w.ListAttempts(""); err != nil {
		t.Errorf("reading needs no writing: %v", err)
	}
}
