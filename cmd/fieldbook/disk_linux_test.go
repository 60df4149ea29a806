package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldbook/grader"
)

// diskVariable tells a child where its own disk is to be mounted.
const diskVariable = "FIELDBOOK_TEST_DISK"

// onDisk runs the test again in a child with a mount namespace of its own and a small file system in it, and says whether
// this is that child.
func onDisk(t *testing.T, options string) (disk string, child bool) {
	t.Helper()
	if disk = os.Getenv(diskVariable); disk != "" {
		if err := syscall.Mount("none", disk, "tmpfs", 0, options); err != nil {
			t.Fatal(err)
		}
		return disk, true
	}
	var output bytes.Buffer
	cmd := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), diskVariable+"="+t.TempDir())
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("SKIPPED LOUDLY: this machine allows no user namespaces, so no small disk can be mounted: %v", err)
	}
	end := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer end.Stop()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, output.Bytes())
	}
	return "", false
}

// call runs the program with --json and returns its exit code and its object.
func call(t *testing.T, args ...string) (int, map[string]any) {
	t.Helper()
	var out, errs bytes.Buffer
	folder := t.TempDir()
	code := run(t.Context(), append(args, "--json"), system{
		in: strings.NewReader(""), out: &out, err: &errs, getenv: func(string) string { return "" }, now: time.Now,
		folder: folder, data: filepath.Join(folder, "data"), config: filepath.Join(folder, "config"), state: filepath.Join(folder, "state"),
	})
	var object map[string]any
	if err := json.Unmarshal(out.Bytes(), &object); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out.Bytes())
	}
	if errs.Len() > 0 {
		t.Errorf("%v wrote beside its object: %s", args, errs.Bytes())
	}
	return code, object
}

func errorCode(object map[string]any) string {
	e, _ := object["error"].(map[string]any)
	code, _ := e["code"].(string)
	return code
}

// fill writes a file until the disk is full, then gives some bytes back.
func fill(t *testing.T, path string, leave int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err == nil {
		err = f.Truncate(info.Size() - leave)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestRunOnAFullDisk(t *testing.T) {
	disk, child := onDisk(t, "size=1m")
	if !child {
		return
	}
	reference, err := filepath.Abs("../../runtime/assistant/restore.go")
	if err != nil {
		t.Fatal(err)
	}
	w := filepath.Join(disk, "w")
	if code, object := call(t, "init", w); code != 0 {
		t.Fatalf("init: %d %v", code, object)
	}
	// Two fillers take all the room. One is given up later; the other leaves what the lock needs, and not what an attempt
	// does.
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 256<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	fill(t, filepath.Join(disk, "rest"), 24<<10)

	code, object := call(t, "run", "restore", "--workspace", w, "--file", reference)
	if code != grader.ExitVoid || errorCode(object) != "disk_full" {
		t.Fatalf("exit %d, %v; want %d and disk_full", code, object["error"], grader.ExitVoid)
	}
	if done, _ := object["done"].(map[string]any); done["verdict"] != string(grader.Pass) {
		t.Errorf("the verdict was lost: %v", done["verdict"])
	}
	if left, _ := filepath.Glob(filepath.Join(w, "attempts", "*")); len(left) > 0 {
		t.Errorf("a part of an attempt was left: %v", left)
	}

	// With room again everything is there, and the next run is the first that is kept.
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	code, object = call(t, "run", "restore", "--workspace", w, "--file", reference)
	if code != 0 {
		t.Fatalf("with room again: exit %d, %v", code, object["error"])
	}
	if attempt, _ := object["attempt"].(map[string]any); attempt["number"] != 1.0 {
		t.Errorf("the attempt is %v, want number 1", attempt["number"])
	}
}

func TestRunInAReadOnlyWorkspace(t *testing.T) {
	disk, child := onDisk(t, "size=1m")
	if !child {
		return
	}
	w := filepath.Join(disk, "w")
	if code, object := call(t, "init", w); code != 0 {
		t.Fatalf("init: %d %v", code, object)
	}
	if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"run", "restore", "--workspace", w}, {"init", w}, {"reset", "restore", "--workspace", w}} {
		if code, object := call(t, args...); code != grader.ExitUsage || errorCode(object) != "read_only" {
			t.Errorf("%v: exit %d, %v; want %d and read_only", args, code, object["error"], grader.ExitUsage)
		}
	}
	if code, _ := call(t, "list", "--workspace", w); code != 0 {
		t.Errorf("list: exit %d; reading needs no writing", code)
	}
}
