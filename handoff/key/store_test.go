package key_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"fieldbook/handoff"
	"fieldbook/handoff/key"
)

// folderVariable holds, in the environment of a child of these tests, the folder whose key it opens and names.
const folderVariable = "FIELDBOOK_TEST_KEY_FOLDER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(folderVariable); folder != "" {
		os.Exit(openAndName(folder))
	}
	os.Exit(m.Run())
}

func openAndName(folder string) int {
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent closes it: all children begin at once
	k, _, err := key.Store{Folder: folder}.Open(context.Background())
	if err != nil {
		fmt.Fprint(os.Stderr, err)
		return 1
	}
	fmt.Fprint(os.Stdout, k.ID())
	return 0
}

func newStore(t *testing.T) key.Store {
	return key.Store{Folder: filepath.Join(t.TempDir(), "Lucy 🍦", "fieldbook")}
}

func mustOpen(t *testing.T, s key.Store) key.Key {
	t.Helper()
	k, _, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestOpen(t *testing.T) {
	s := newStore(t)
	_, err := s.Load()
	wantError(t, err, key.CodeMissing, "signing-key.pem: there is no signing key yet")
	k, made, err := s.Open(t.Context())
	if err != nil || !made {
		t.Fatalf("Open = %v, %v", made, err)
	}
	again, made, err := s.Open(t.Context())
	if err != nil || made || again.ID() != k.ID() {
		t.Errorf("the second Open = %v, %v, %v; want %v", again, made, err, k)
	}
	if loaded, err := s.Load(); err != nil || loaded.ID() != k.ID() {
		t.Errorf("Load = %v, %v", loaded, err)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{s.Path(): 0o600, s.Folder: 0o700, filepath.Dir(s.Folder): 0o700} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s has mode %v, %v; want %v", path, info.Mode().Perm(), err, want)
			}
		}
	}
}

func TestIdentity(t *testing.T) {
	s := newStore(t)
	k := mustOpen(t, s)
	id := s.Identity(k)
	block, _ := pem.Decode([]byte(id.PublicKey))
	if id.Path != s.Path() || id.KeyID != k.ID() || block == nil || handoff.Digest(block.Bytes) != id.KeyID {
		t.Errorf("Identity = %+v", id)
	}
	if strings.Contains(id.PublicKey, "PRIVATE") {
		t.Error("the public key holds a private one")
	}
}

// TestFirstUseByManyProcesses starts processes that all find no key. They must all sign with the same one afterwards.
func TestFirstUseByManyProcesses(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		s := newStore(t)
		const processes = 8
		var children [processes]*exec.Cmd
		var out, complaints [processes]bytes.Buffer
		start, begin, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		for i := range children {
			children[i] = exec.Command(self)
			children[i].Env = append(os.Environ(), folderVariable+"="+s.Folder)
			children[i].Stdin, children[i].Stdout, children[i].Stderr = start, &out[i], &complaints[i]
			if err := children[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		start.Close()
		begin.Close()
		for i := range children {
			if err := children[i].Wait(); err != nil {
				t.Fatalf("process %d: %v: %s", i, err, complaints[i].String())
			}
		}
		want := mustOpen(t, s).ID()
		for i := range out {
			if got := out[i].String(); got != want {
				t.Errorf("process %d has key %s; the file holds %s", i, got, want)
			}
		}
		entries, err := os.ReadDir(s.Folder)
		if err != nil || len(entries) != 2 { // the key and the lock
			t.Errorf("the folder holds %v, %v", entries, err)
		}
	}
}

func TestLockIsHeld(t *testing.T) {
	s := newStore(t)
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		t.Fatal(err)
	}
	other := flock.New(filepath.Join(s.Folder, "signing-key.lock"))
	if locked, err := other.TryLock(); err != nil || !locked {
		t.Fatal(err)
	}
	defer func() { _ = other.Unlock() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Open(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Open = %v", err)
	}
	if _, err := s.Load(); err == nil {
		t.Error("a key was made in spite of the lock")
	}
}

func TestExposedKey(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED LOUDLY: on Windows a file's mode says nothing about who may read it")
	}
	for name, test := range map[string]struct {
		file, folder os.FileMode
		says, hint   string
	}{
		"readable by the group":      {0o640, 0o700, "signing-key.pem: others on this machine can read or replace your signing key (mode 0640)", "Run: chmod 600 '"},
		"readable by all":            {0o604, 0o700, "(mode 0604)", "Run: chmod 600 '"},
		"folder writable by all":     {0o600, 0o777, "fieldbook: others on this machine can read or replace your signing key (mode 0777)", "Run: chmod 700 '"},
		"folder writable by a group": {0o600, 0o720, "(mode 0720)", "Run: chmod 700 '"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			k := mustOpen(t, s)
			chmod := func(path string, mode os.FileMode) {
				if err := os.Chmod(path, mode); err != nil {
					t.Fatal(err)
				}
			}
			chmod(s.Path(), test.file)
			chmod(s.Folder, test.folder)
			_, _, err := s.Open(t.Context())
			wantError(t, err, key.CodeExposed, test.says)
			var refused *handoff.Error
			if errors.As(err, &refused) && !strings.HasPrefix(refused.Hint, test.hint) {
				t.Errorf("the hint is %q", refused.Hint)
			}
			wantError(t, s.Export(filepath.Join(t.TempDir(), "export")), key.CodeExposed, test.says)
			chmod(s.Path(), 0o600)
			chmod(s.Folder, 0o755) // readable is enough for no one to replace it
			if got, err := s.Load(); err != nil || got.ID() != k.ID() {
				t.Errorf("after the fix: %v, %v", got, err)
			}
		})
	}
}

func TestDamagedKeyIsKept(t *testing.T) {
	s := newStore(t)
	mustOpen(t, s)
	if err := os.Truncate(s.Path(), 60); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	_, made, err := s.Open(t.Context())
	wantError(t, err, key.CodeDamaged, "signing-key.pem: the key file is cut off or damaged")
	var refused *handoff.Error
	if errors.As(err, &refused) && !strings.Contains(refused.Hint, "key import") {
		t.Errorf("the hint is %q", refused.Hint)
	}
	if after, err := os.ReadFile(s.Path()); err != nil || made || !bytes.Equal(after, before) {
		t.Errorf("the damaged key was replaced by %q, %v", after, err)
	}
	if err := os.Remove(s.Path()); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(s.Path(), 0o700); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Open(t.Context())
	wantError(t, err, handoff.CodeFileUnreadable, "signing-key.pem: this is a folder")
}

func TestFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := key.Store{Folder: filepath.Join(file, "fieldbook")}.Open(t.Context())
	var refused *handoff.Error
	if !errors.As(err, &refused) || refused.Message == "" || refused.Hint == "" {
		t.Errorf("Open = %v", err)
	}
}

func TestExportAndImport(t *testing.T) {
	here, there := newStore(t), newStore(t)
	export := filepath.Join(t.TempDir(), "my key.pem")
	wantError(t, here.Export(export), key.CodeMissing, "there is no signing key yet")
	k := mustOpen(t, here)
	if err := here.Export(export); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(export); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the export has mode %v, %v", info.Mode(), err)
	}
	wantError(t, here.Export(export), handoff.CodeFileRefused, "my key.pem: there is a file already, and it is not overwritten")

	now := time.Date(2026, time.March, 3, 8, 0, 0, 0, time.UTC)
	got, backup, err := there.Import(t.Context(), export, now)
	if err != nil || backup != "" || got.ID() != k.ID() || mustOpen(t, there).ID() != k.ID() {
		t.Fatalf("Import = %v, %q, %v; want %v", got, backup, err, k)
	}
	if _, backup, err := there.Import(t.Context(), export, now); err != nil || backup != "" {
		t.Errorf("Import of the same key = %q, %v", backup, err)
	}

	t.Run("over another key", func(t *testing.T) {
		s := newStore(t)
		old := mustOpen(t, s)
		for _, suffix := range []string{".20260303T080000Z-1.backup", ".20260303T080000Z-2.backup"} {
			_, backup, err := s.Import(t.Context(), export, now)
			if err != nil || backup != s.Path()+suffix {
				t.Fatalf("Import = %q, %v", backup, err)
			}
			kept, err := os.ReadFile(backup)
			if err != nil || !bytes.Equal(kept, old.PEM()) {
				t.Errorf("the backup holds %q, %v", kept, err)
			}
			if mustOpen(t, s).ID() != k.ID() {
				t.Error("the key was not replaced")
			}
			if _, _, err := s.Import(t.Context(), backup, now.Add(time.Hour)); err != nil { // back again, from the backup
				t.Fatal(err)
			}
			if mustOpen(t, s).ID() != old.ID() {
				t.Error("the backup is not the old key")
			}
		}
	})
	t.Run("over a damaged key", func(t *testing.T) {
		s := newStore(t)
		mustOpen(t, s)
		if err := os.WriteFile(s.Path(), []byte("scrap"), 0o644); err != nil {
			t.Fatal(err)
		}
		_, backup, err := s.Import(t.Context(), export, now)
		if err != nil {
			t.Fatal(err)
		}
		if kept, err := os.ReadFile(backup); err != nil || string(kept) != "scrap" || mustOpen(t, s).ID() != k.ID() {
			t.Errorf("the backup holds %q, %v", kept, err)
		}
	})
	t.Run("of something else", func(t *testing.T) {
		s := newStore(t)
		old := mustOpen(t, s)
		public := filepath.Join(t.TempDir(), "public.pem")
		if err := os.WriteFile(public, []byte(s.Identity(old).PublicKey), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := s.Import(t.Context(), public, now)
		wantError(t, err, key.CodeForeign, "public.pem: the file holds a public key")
		_, _, err = s.Import(t.Context(), public+"x", now)
		wantError(t, err, handoff.CodeFileMissing, "public.pemx: there is no such file")
		if mustOpen(t, s).ID() != old.ID() {
			t.Error("the key was replaced")
		}
	})
	t.Run("over a link", func(t *testing.T) {
		s := newStore(t)
		old := mustOpen(t, s)
		elsewhere := filepath.Join(t.TempDir(), "elsewhere.pem")
		if err := os.Rename(s.Path(), elsewhere); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, s.Path()); err != nil {
			t.Skipf("SKIPPED LOUDLY: this user cannot make links: %v", err)
		}
		if mustOpen(t, s).ID() != old.ID() {
			t.Error("a key behind a link is not read")
		}
		_, _, err := s.Import(t.Context(), export, now)
		wantError(t, err, handoff.CodeFileRefused, "signing-key.pem: this is a symbolic link")
	})
}

// TestSignedWithStoredKey is the whole way: a key from a store signs a handoff that verifies under the key's id.
func TestSignedWithStoredKey(t *testing.T) {
	k := mustOpen(t, newStore(t))
	data, err := os.ReadFile(filepath.Join("..", "testdata", "handoff.json"))
	if err != nil {
		t.Fatal(err)
	}
	vector, err := handoff.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := handoff.Sign(vector.Record, k.Private())
	if err != nil {
		t.Fatal(err)
	}
	if h, err := handoff.Read(signed); err != nil || h.KeyID != k.ID() || h.ImplementationDigest != vector.ImplementationDigest {
		t.Errorf("Read = %+v, %v", h, err)
	}
}
