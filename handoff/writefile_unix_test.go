//go:build !windows

package handoff_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldbook/handoff"
)

// writerVariable holds, in the environment of a child of this test, the path that it writes without end.
const writerVariable = "FIELDBOOK_TEST_WRITER"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerVariable); path != "" {
		writeWithoutEnd(path)
	}
	os.Exit(m.Run())
}

// contentsOf version n are 64 KiB that no other version shares a byte with in most places.
func contentsOf(n int) []byte {
	return bytes.Repeat([]byte(strconv.Itoa(n)+"\n"), 64<<10/len(strconv.Itoa(n)+"\n"))
}

func writeWithoutEnd(path string) {
	for n := 1; ; n++ {
		if err := handoff.WriteFile(path, contentsOf(n), 0o600); err != nil {
			fmt.Fprint(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintln(os.Stdout, n) // shown as saved
	}
}

// TestKilledWriter kills a process that writes one file again and again. Whatever the instant, the file holds one version as
// a whole, and none that is older than the last one that was shown as saved.
func TestKilledWriter(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "handoff.json")
	for round := range 20 {
		writer := exec.Command(self)
		writer.Env = append(os.Environ(), writerVariable+"="+path)
		stdout, err := writer.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		shown := bufio.NewReader(stdout)
		saved, err := shown.ReadString('\n') // at least one version
		if err != nil {
			t.Fatalf("the writer saved nothing: %v", err)
		}
		time.Sleep(time.Duration(round) * 1700 * time.Microsecond) // another instant each time
		_ = writer.Process.Kill()
		rest, err := io.ReadAll(shown)
		if err != nil {
			t.Fatal(err)
		}
		_ = writer.Wait() // killed
		lines := strings.Fields(saved + string(rest))
		last, err := strconv.Atoi(lines[len(lines)-1])
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(data), "\n")
		version, err := strconv.Atoi(first)
		if err != nil || !bytes.Equal(data, contentsOf(version)) {
			t.Fatalf("the file is not one version: %.40q, %d bytes", data, len(data))
		}
		if version < last {
			t.Fatalf("version %d was shown as saved; the file holds version %d", last, version)
		}
	}
}

func TestModeAndUmask(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := handoff.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, %v", info.Mode(), err)
	}
}
