package workspace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// swapperVariable holds, in the environment of a child of this test, the folder that it replaces without end.
const swapperVariable = "FIELDBOOK_TEST_SWAPPER"

// unsupported is the exchange of a system that has none.
func unsupported(string, string) error { return errors.ErrUnsupported }

func TestMain(m *testing.M) {
	if path := os.Getenv(swapperVariable); path != "" {
		swapWithoutEnd(path)
	}
	os.Exit(m.Run())
}

// versionOf is version n of a folder: two files that say the same number.
func versionOf(n int) []File {
	text := []byte(strings.Repeat(strconv.Itoa(n)+"\n", 500))
	return []File{{Path: "a", Text: text}, {Path: "b", Text: text}}
}

func swapWithoutEnd(path string) {
	way := exchange
	if filepath.Base(path) == "renamed" {
		way = unsupported
	}
	for n := 1; ; n++ {
		if err := replaceFolder(path, versionOf(n), way); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintln(os.Stdout, n)
	}
}

// TestKilledSwapper kills a process that replaces a folder again and again, by each of the two ways. Whatever the instant,
// the folder is one version as a whole, and none that is older than the last one that was shown as saved.
func TestKilledSwapper(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"exchanged", "renamed"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			for round := range 8 {
				swapper := exec.Command(self)
				swapper.Env = append(os.Environ(), swapperVariable+"="+path)
				stdout, err := swapper.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := swapper.Start(); err != nil {
					t.Fatal(err)
				}
				shown := bufio.NewReader(stdout)
				saved, err := shown.ReadString('\n')
				if err != nil {
					t.Fatalf("the swapper saved nothing: %v", err)
				}
				time.Sleep(time.Duration(round) * 1300 * time.Microsecond) // another instant each time
				_ = swapper.Process.Kill()
				rest, err := io.ReadAll(shown)
				if err != nil {
					t.Fatal(err)
				}
				_ = swapper.Wait() // killed
				lines := strings.Fields(saved + string(rest))
				last, err := strconv.Atoi(lines[len(lines)-1])
				if err != nil {
					t.Fatal(err)
				}
				if err := RecoverFolder(path); err != nil {
					t.Fatal(err)
				}
				if version := mustVersion(t, path); version < last {
					t.Fatalf("version %d was shown as saved; the folder holds version %d", last, version)
				}
				if _, err := os.Lstat(path + previousSuffix); err == nil {
					t.Error("the old folder is still there")
				}
			}
		})
	}
}

// mustVersion is the version of a folder, which must be one as a whole.
func mustVersion(t *testing.T, path string) int {
	t.Helper()
	var versions []string
	for _, name := range []string{"a", "b"} {
		text, err := os.ReadFile(filepath.Join(path, name))
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, string(text))
	}
	first, _, _ := strings.Cut(versions[0], "\n")
	version, err := strconv.Atoi(first)
	if want := string(versionOf(version)[0].Text); err != nil || versions[0] != want || versions[1] != want {
		t.Fatalf("the folder is not one version: %.20q, %.20q", versions[0], versions[1])
	}
	return version
}

func TestReplaceFolder(t *testing.T) {
	for name, way := range map[string]func(a, b string) error{"exchanged": exchange, "renamed": unsupported} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "new", "folder")
			for n := 1; n <= 2; n++ {
				if err := replaceFolder(path, versionOf(n), way); err != nil || mustVersion(t, path) != n {
					t.Fatal(err)
				}
			}
			if err := replaceFolder(path, []File{{Path: "c", Text: []byte("alone")}}, way); err != nil {
				t.Fatal(err)
			}
			entries, err := os.ReadDir(path)
			if err != nil || len(entries) != 1 || entries[0].Name() != "c" {
				t.Errorf("the folder holds %v, %v", entries, err)
			}
			beside, err := os.ReadDir(filepath.Dir(path))
			if err != nil || len(beside) != 1 {
				t.Errorf("beside it are %v, %v", beside, err)
			}
		})
	}
	t.Run("a file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := ReplaceFolder(path, versionOf(1)); err == nil || !strings.Contains(err.Error(), "is no folder") {
			t.Errorf("a file was replaced: %v", err)
		}
		if text, _ := os.ReadFile(path); string(text) != "mine" {
			t.Errorf("the file holds %q", text)
		}
	})
}

// TestRecoverFolder has a replacement cut short before and after the new folder has its name.
func TestRecoverFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder")
	if err := fill(path+previousSuffix, versionOf(1)); err != nil {
		t.Fatal(err)
	}
	if err := RecoverFolder(path); err != nil || mustVersion(t, path) != 1 {
		t.Fatal(err)
	}
	if err := fill(path+previousSuffix, versionOf(0)); err != nil {
		t.Fatal(err)
	}
	if err := RecoverFolder(path); err != nil || mustVersion(t, path) != 1 {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path + previousSuffix); err == nil {
		t.Error("the old folder is still there")
	}
}
