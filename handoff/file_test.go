package handoff_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fieldbook/handoff"
)

// wantError fails unless err is a refusal with this kind and code, a message that has says in it, and a hint.
func wantError(t *testing.T, err error, kind handoff.Kind, code, says string) {
	t.Helper()
	var refused *handoff.Error
	if !errors.As(err, &refused) {
		t.Fatalf("the error is %v; want %s", err, code)
	}
	if refused.Kind != kind || refused.Code != code || !strings.Contains(refused.Message, says) || refused.Hint == "" {
		t.Errorf("the error is %s, %s: %s (%s)\nwant %s, %s: …%s…", refused.Kind, refused.Code, refused.Message, refused.Hint, kind, code, says)
	}
}

func TestLoad(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "Lucy's 🍦 shop")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	data := mustSign(t, vectorRecord(), vectorKey())
	file := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("ch19-unit-a-handoff-v1.json", data)

	h, err := handoff.Load(good, handoff.Expect{Unit: "ch19-a"})
	if err != nil || h.Digest != handoff.Digest(data) {
		t.Fatalf("Load = %v, %v", h, err)
	}

	link := filepath.Join(folder, "link")
	if err := os.Symlink(good, link); err == nil {
		if _, err := handoff.Load(link, handoff.Expect{}); err != nil {
			t.Errorf("Load through a link: %v", err)
		}
	}
	tests := map[string]struct {
		path string
		kind handoff.Kind
		code string
		says string
	}{
		"missing":      {filepath.Join(folder, "other"), handoff.Input, handoff.CodeFileMissing, "other: there is no such file"},
		"a folder":     {folder, handoff.Input, handoff.CodeFileUnreadable, "shop: this is a folder"},
		"empty":        {file("empty", nil), handoff.Invalid, handoff.CodeTruncated, "empty: the file is empty"},
		"cut off":      {file("short", data[:99]), handoff.Invalid, handoff.CodeTruncated, "short: the handoff is cut off after 99 bytes"},
		"edited":       {file("edited", append(data[:len(data):len(data)], '\n')), handoff.Invalid, handoff.CodeNotCanonical, "edited: the handoff's bytes are not those that Fieldbook writes"},
		"as large":     {file("as large", make([]byte, handoff.MaxSize)), handoff.Invalid, handoff.CodeMalformed, "as large: the file is not a handoff"},
		"too large":    {file("too large", make([]byte, handoff.MaxSize+1)), handoff.Invalid, handoff.CodeTooLarge, "too large: the file has more than 4194304 bytes"},
		"another unit": {good, handoff.Invalid, handoff.CodeOtherUnit, "ch19-unit-a-handoff-v1.json: the handoff is for the unit ch19-a and not for ch19-b"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := handoff.Load(test.path, handoff.Expect{Unit: "ch19-b"})
			wantError(t, err, test.kind, test.code, test.says)
		})
	}
	t.Run("a device", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("SKIPPED LOUDLY: Windows has no device files to refuse")
		}
		_, err := handoff.Load("/dev/zero", handoff.Expect{})
		wantError(t, err, handoff.Input, handoff.CodeFileUnreadable, "/dev/zero: this is a pipe, a socket or a device")
	})
}

func TestWriteFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "näme with space.json")
	for _, contents := range []string{"first", "second, and longer", ""} {
		if err := handoff.WriteFile(path, []byte(contents), 0o640); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != contents {
			t.Fatalf("the file holds %q, %v; want %q", got, err, contents)
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&^0o640 != 0 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
	if names := list(t, folder); len(names) != 1 {
		t.Errorf("the folder holds %q", names)
	}
	t.Run("in the current folder", func(t *testing.T) {
		t.Chdir(folder)
		if err := handoff.WriteFile("here", []byte("x"), 0o600); err != nil {
			t.Error(err)
		}
	})
}

func TestWriteFileRefuses(t *testing.T) {
	folder := t.TempDir()
	kept := filepath.Join(folder, "kept")
	if err := os.WriteFile(kept, []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Run("a link", func(t *testing.T) {
		link := filepath.Join(folder, "link")
		if err := os.Symlink(kept, link); err != nil {
			t.Skipf("SKIPPED LOUDLY: this user cannot make links: %v", err)
		}
		defer os.Remove(link)
		wantError(t, handoff.WriteFile(link, []byte("x"), 0o600), handoff.Input, handoff.CodeFileRefused, "link: this is a symbolic link")
		wantError(t, handoff.CreateFile(link, []byte("x"), 0o600), handoff.Input, handoff.CodeFileRefused, "link: there is a file already")
	})
	t.Run("a link to nothing", func(t *testing.T) {
		link, target := filepath.Join(folder, "dangling"), filepath.Join(folder, "target")
		if err := os.Symlink(target, link); err != nil {
			t.Skipf("SKIPPED LOUDLY: this user cannot make links: %v", err)
		}
		defer os.Remove(link)
		wantError(t, handoff.WriteFile(link, []byte("x"), 0o600), handoff.Input, handoff.CodeFileRefused, "dangling: this is a symbolic link")
		wantError(t, handoff.CreateFile(link, []byte("x"), 0o600), handoff.Input, handoff.CodeFileRefused, "dangling: there is a file already")
		if _, err := os.Lstat(target); err == nil {
			t.Error("the link was followed")
		}
	})
	t.Run("a folder", func(t *testing.T) {
		wantError(t, handoff.WriteFile(folder, []byte("x"), 0o600), handoff.Input, handoff.CodeFileRefused, "this is a folder")
	})
	t.Run("a missing folder", func(t *testing.T) {
		wantError(t, handoff.WriteFile(filepath.Join(folder, "no", "file"), []byte("x"), 0o600), handoff.Machine, handoff.CodeFileWrite, "file: the file cannot be written")
	})
	t.Run("a file as a folder", func(t *testing.T) {
		wantError(t, handoff.WriteFile(filepath.Join(kept, "file"), []byte("x"), 0o600), handoff.Machine, handoff.CodeFileWrite, "file: the file cannot be written")
	})
	t.Run("an existing file, when creating", func(t *testing.T) {
		wantError(t, handoff.CreateFile(kept, []byte("x"), 0o600), handoff.Input, handoff.CodeFileRefused, "kept: there is a file already")
	})
	if got, err := os.ReadFile(kept); err != nil || string(got) != "kept" {
		t.Errorf("the file that was there holds %q, %v", got, err)
	}
	if names := list(t, folder); len(names) != 1 {
		t.Errorf("the folder holds %q", names)
	}
}

func list(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
