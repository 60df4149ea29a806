package sandbox

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestArtifacts holds that what a worker left is there after its death, whoever made scratch.
func TestArtifacts(t *testing.T) {
	for _, without := range [][]string{nil, {"namespaces"}} {
		p := newPool(t, Options{Without: without})
		r := runNamed(t, p, "leave artifacts", "")
		if string(r.Reply) != "left" {
			t.Fatalf("without %q: %s (%s), %q", without, r.Outcome, r.Cause, r.Reply)
		}
		for name, want := range map[string]string{"a/b/deep": "deep", "a/b/moved": "moved", "secret": "no permission"} {
			got, err := r.Artifacts.ReadFile(name, 100)
			if err != nil || string(got) != want {
				t.Errorf("without %q: %s is %q, %v", without, name, got, err)
			}
		}
		if got := walked(t, r.Artifacts); !slices.Equal(got, []string{"a/", "a/b/", "a/b/deep", "a/b/moved", "secret"}) {
			t.Errorf("without %q: walked %q", without, got)
		}
		r.Artifacts.Close()
		r.Artifacts.Close()
		if _, err := r.Artifacts.Open("secret"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("after Close: %v", err)
		}
	}
}

func TestArtifactsOfTheDead(t *testing.T) {
	p := newPool(t, Options{})
	r := runNamed(t, p, "deadlock after files", "")
	if got := walked(t, r.Artifacts); !slices.Equal(got, []string{"f"}) {
		t.Errorf("after %s, walked %q", r.Outcome, got)
	}
	if r := runNamed(t, p, "echo", ""); r.Artifacts != nil {
		t.Error("a run in profile pure has artifacts")
	}
}

func walked(t *testing.T, a *Artifacts) []string {
	t.Helper()
	var names []string
	err := a.Walk(func(name string, info fs.FileInfo) error {
		if info.IsDir() {
			name += "/"
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// left is a scratch folder as a worker could have left it where nothing keeps it from making links and pipes.
func left(t *testing.T) (*Artifacts, string) {
	t.Helper()
	s, err := makeScratch(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := &Artifacts{scratch: s}
	t.Cleanup(a.Close)
	return a, s.folder
}

func TestArtifactsRefuse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED LOUDLY: links need a privilege on Windows")
	}
	a, folder := left(t)
	outside := filepath.Join(t.TempDir(), "secret")
	for _, err := range []error{
		os.WriteFile(outside, []byte("secret"), 0o600),
		os.Symlink(outside, filepath.Join(folder, "link")),
		os.Symlink(filepath.Dir(outside), filepath.Join(folder, "linked folder")),
		os.Symlink("inside", filepath.Join(folder, "inner link")),
		os.WriteFile(filepath.Join(folder, "inside"), []byte("inside"), 0o600),
		os.Mkdir(filepath.Join(folder, "folder"), 0o700),
		makePipe(filepath.Join(folder, "pipe")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name string
		want error
	}{
		{"link", ErrNotRegular},
		{"inner link", ErrNotRegular},
		{"linked folder/secret", ErrNotRegular},
		{"pipe", ErrNotRegular},
		{"folder", ErrNotRegular},
		{".", ErrNotRegular},
		{"inside/below", ErrNotRegular},
		{"missing", fs.ErrNotExist},
		{"folder/missing", fs.ErrNotExist},
		{"../secret", fs.ErrInvalid},
		{"/etc/passwd", fs.ErrInvalid},
		{"folder/../inside", fs.ErrInvalid},
		{"", fs.ErrInvalid},
	} {
		if _, err := a.ReadFile(test.name, 100); !errors.Is(err, test.want) {
			t.Errorf("%q: got %v, want %v", test.name, err, test.want)
		}
	}
	if got := walked(t, a); !slices.Equal(got, []string{"folder/", "inside"}) {
		t.Errorf("walked %q", got)
	}
	if _, err := a.ReadFile("inside", 6); err != nil {
		t.Errorf("a file of exactly the limit: %v", err)
	}
	if _, err := a.ReadFile("inside", 5); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a file one byte larger than the limit: %v", err)
	}
}

func TestArtifactsBounds(t *testing.T) {
	a, folder := left(t)
	for i := range maxEntries {
		if err := os.WriteFile(filepath.Join(folder, strings.Repeat("x", i%200+1)+string(rune('a'+i/200))), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	visit := func(string, fs.FileInfo) error { return nil }
	if err := a.Walk(visit); err != nil {
		t.Errorf("%d files: %v", maxEntries, err)
	}
	if err := os.WriteFile(filepath.Join(folder, "one too many"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.Walk(visit); !errors.Is(err, ErrTooManyFiles) {
		t.Errorf("%d files: %v", maxEntries+1, err)
	}
	if !a.scratch.over(1 << 30) {
		t.Error("the watch does not see too many files")
	}

	deep, folder := left(t)
	if err := os.MkdirAll(filepath.Join(folder, filepath.FromSlash(strings.Repeat("d/", maxDepth+2))), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := deep.Walk(visit); !errors.Is(err, ErrTooManyFiles) {
		t.Errorf("deep folders: %v", err)
	}
	stop := errors.New("stop")
	if err := deep.Walk(func(string, fs.FileInfo) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the visitor's error became %v", err)
	}
}

func TestSweepScratch(t *testing.T) {
	dir := t.TempDir()
	used, err := makeScratch(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer used.free()
	abandoned, err := makeScratch(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(abandoned.folder, "f"), nil, 0o400); err != nil {
		t.Fatal(err)
	}
	if abandoned.lock == nil {
		t.Skip("SKIPPED LOUDLY: folders cannot be locked on this system, so nothing is swept by its lock")
	}
	_ = abandoned.lock.Close() // as if its program had been killed
	_ = abandoned.root.Close()
	young := leftovers(t, dir)
	sweepScratch(dir)
	if got := leftovers(t, dir); !slices.Equal(got, young) {
		t.Errorf("young folders were swept: %q of %q are left", got, young)
	}
	old := []string{used.folder, abandoned.folder}
	for _, folder := range old {
		past := modified(t, folder).Add(-2 * sweepAge)
		if err := os.Chtimes(folder, past, past); err != nil {
			t.Fatal(err)
		}
	}
	sweepScratch(dir)
	if got := leftovers(t, dir); !slices.Equal(got, []string{filepath.Base(used.folder)}) {
		t.Errorf("after the sweep %q are left, want the one in use", got)
	}
}

func TestRequestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := request{
			nonce:  rapid.SliceOfN(rapid.Byte(), nonceSize, nonceSize).Draw(t, "nonce"),
			attack: rapid.String().Draw(t, "attack"),
			reply:  rapid.IntRange(0, MaxRequest).Draw(t, "reply"),
			body:   rapid.SliceOf(rapid.Byte()).Draw(t, "body"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "inputs") {
			want.inputs = append(want.inputs, input{
				path:   rapid.String().Draw(t, "path"),
				folder: rapid.Bool().Draw(t, "folder"),
				data:   rapid.SliceOf(rapid.Byte()).Draw(t, "data"),
			})
		}
		got, err := decodeRequest(encodeRequest(want)[4:])
		if err != nil {
			t.Fatal(err)
		}
		same := bytes.Equal(got.nonce, want.nonce) && got.attack == want.attack && got.reply == want.reply && bytes.Equal(got.body, want.body) && len(got.inputs) == len(want.inputs)
		for i := range want.inputs {
			same = same && got.inputs[i].path == want.inputs[i].path && got.inputs[i].folder == want.inputs[i].folder && bytes.Equal(got.inputs[i].data, want.inputs[i].data)
		}
		if !same {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

func TestReadInputs(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{
		os.Mkdir(filepath.Join(dir, "folder"), 0o700),
		os.WriteFile(filepath.Join(dir, "folder", "file"), []byte("12345"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	inputs, err := readInputs(os.DirFS(dir), 5)
	if err != nil || len(inputs) != 2 || inputs[0].path != "folder" || !inputs[0].folder || inputs[1].path != "folder/file" || string(inputs[1].data) != "12345" {
		t.Errorf("got %+v, %v", inputs, err)
	}
	if _, err := readInputs(os.DirFS(dir), 4); err == nil {
		t.Error("files larger than scratch were accepted")
	}
	if runtime.GOOS != "windows" {
		if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		if _, err := readInputs(os.DirFS(dir), 100); err == nil || !strings.Contains(err.Error(), "link is not a regular file") {
			t.Errorf("a link among the inputs: %v", err)
		}
	}
}

func TestOpenIsReadOnly(t *testing.T) {
	a, folder := left(t)
	if err := os.WriteFile(filepath.Join(folder, "f"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := a.Open("f")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write([]byte("x")); err == nil {
		t.Error("an artifact was written to")
	}
	if data, err := io.ReadAll(file); err != nil || string(data) != "text" {
		t.Errorf("read %q, %v", data, err)
	}
}

func modified(t *testing.T, path string) time.Time {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}
