package pack_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fieldbook/cmd/proctor/pack"
	"fieldbook/exercises"
	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/handoff"
	teaching "fieldbook/runtime"
)

const canary = "A-CANARY"

// module is a small module with one of everything.
func module() fstest.MapFS {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s), Mode: 0o644} }
	return fstest.MapFS{
		"go.mod": text("module m\n"), "go.sum": text(""), "README.md": text("read"), "secret.txt": text("no"),
		".ci/run": text("no"), "cmd/fieldbook/main.go": text("package main\n"), "cmd/fieldbook/main_test.go": text("no"),
		"cmd/proctor/main.go": text("no"), "units/u/unit.yaml": text("u"), "units/.hidden": text("no"),
		"exercises/e/exercise.yaml": text("e"), "exercises/holdout/holdout.go": text("no"), "exercises/holdout/e/cases.yaml": text("no"),
		"exercises/AUTHORING.md": text("no"), "grader/g.go": text("g"), "grader/testdata/x": text("no"), "grader/report/r.go": text("no"),
		"handoff/h.go": text("h"), "handoff/testdata/vector.json": text("v"), "runtime/r.go": text("r"),
	}
}

func TestBundleHoldsWhatStudentsGet(t *testing.T) {
	files, err := pack.Bundle(module())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Path)
	}
	want := "README.md cmd/fieldbook/main.go exercises/e/exercise.yaml go.mod go.sum grader/g.go handoff/h.go handoff/testdata/vector.json runtime/r.go units/u/unit.yaml"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}

func TestBundleRefusesWhatItCannotKnow(t *testing.T) {
	linked := module()
	linked["units/u/link"] = &fstest.MapFile{Data: []byte("/etc/passwd"), Mode: fs.ModeSymlink}
	if _, err := pack.Bundle(linked); err == nil || !strings.Contains(err.Error(), "units/u/link is a link") {
		t.Errorf("a link: %v", err)
	}
	if _, err := pack.Bundle(fstest.MapFS{}); err == nil {
		t.Error("an empty folder is packed")
	}
}

func TestArchiveIsTheSameTwice(t *testing.T) {
	date := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	files, err := pack.Bundle(module())
	if err != nil {
		t.Fatal(err)
	}
	first, err := pack.Archive("course", files, date)
	if err != nil {
		t.Fatal(err)
	}
	second, err := pack.Archive("course", files, date)
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("two archives of the same files differ: %v", err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for archive := tar.NewReader(zip); ; n++ {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(archive)
		if err != nil || header.Name != "course/"+files[n].Path || !bytes.Equal(data, files[n].Data) || !header.ModTime.Equal(date) || header.Uid != 0 {
			t.Errorf("entry %d is %+v, %v", n, header, err)
		}
	}
	if n != len(files) {
		t.Errorf("%d entries of %d", n, len(files))
	}
}

func TestScannerFindsWhatStudentsMustNotHave(t *testing.T) {
	var solution strings.Builder
	for _, n := range []string{"first", "second", "third", "fourth", "fifth", "sixth"} {
		solution.WriteString("\tthe first long line of the reference, which ships on purpose\n")
		solution.WriteString("\tthe " + n + " long line of the solution, nobody else's by chance\n")
	}
	s, err := pack.NewScanner(canary, fstest.MapFS{"holdout.go": {Data: []byte("package holdout")}, "e/solution/e.go": {Data: []byte(solution.String())}},
		[][]byte{[]byte("\tthe first long line of the reference, which ships on purpose\n")})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(solution.String(), "\n")
	for name, test := range map[string]struct {
		file pack.File
		want string
	}{
		"Nothing":      {pack.File{Path: "runtime/r.go", Data: []byte("package r\n")}, ""},
		"Canary":       {pack.File{Path: "units/u.md", Data: []byte("x " + canary + " y")}, "a holdout's canary stands at byte 2"},
		"Copied":       {pack.File{Path: "runtime/r.go", Data: []byte(strings.ReplaceAll(solution.String(), "\t", "    "))}, "6 of 6 long lines are those of the held file e/solution/e.go"},
		"MostOfIt":     {pack.File{Path: "runtime/r.go", Data: []byte(strings.Join(lines[:8], ""))}, "4 of 6 long lines"},
		"HalfIsChance": {pack.File{Path: "runtime/r.go", Data: []byte(strings.Join(lines[:6], ""))}, ""},
		"CasesFile":    {pack.File{Path: "units/cases.yaml", Data: nil}, "a file of holdouts is called so"},
	} {
		t.Run(name, func(t *testing.T) {
			leaks := s.Source(test.file)
			if test.want == "" && len(leaks) > 0 || test.want != "" && (len(leaks) != 1 || !strings.Contains(leaks[0].String(), test.want)) {
				t.Errorf("leaks %v, want %q", leaks, test.want)
			}
		})
	}
	if len(s.Binary("fieldbook", []byte("\x7fELF"+canary))) != 1 {
		t.Error("a canary in a program is not found")
	}
}

func TestOpeningOpensItsCommitment(t *testing.T) {
	sets := []pack.Set{{"manifest", handoff.Digest([]byte("m"))}, {"restore", handoff.Digest([]byte("r"))}}
	o := pack.NewOpening(sets)
	again, err := pack.ParseOpening("opening", o.Text())
	if err != nil || !again.Is(sets) || again.Commitment() != o.Commitment() || o.Commitment() != handoff.Digest(o.Text()) {
		t.Fatalf("%+v, %v", again, err)
	}
	if other := pack.NewOpening(sets); other.Commitment() == o.Commitment() {
		t.Error("two openings have one salt")
	}
	if again.Is(sets[:1]) || again.Is([]pack.Set{sets[0], {"restore", handoff.Digest(nil)}}) {
		t.Error("other sets are taken for these")
	}
	text := string(o.Text())
	for name, changed := range map[string]string{
		"Empty": "", "NoSets": o.Salt + "\n", "NoSalt": text[65:], "Unsorted": o.Salt + "\n" + strings.Join(strings.SplitAfter(text[65:], "\n")[1:], "") + strings.SplitAfter(text[65:], "\n")[0],
		"NoLineFeed": strings.TrimSuffix(text, "\n"), "UpperCase": strings.ToUpper(text), "Carriage": strings.ReplaceAll(text, "\n", "\r\n"),
	} {
		var refused *grader.Error
		if _, err := pack.ParseOpening("opening", []byte(changed)); !errors.As(err, &refused) || refused.Exit != grader.ExitUsage {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzOpening(f *testing.F) {
	f.Add(pack.NewOpening([]pack.Set{{"restore", handoff.Digest(nil)}}).Text())
	f.Fuzz(func(t *testing.T, data []byte) {
		if o, err := pack.ParseOpening("opening", data); err == nil && !bytes.Equal(o.Text(), data) {
			t.Fatalf("%q is read, and written as %q", data, o.Text())
		}
	})
}

// TestTheBundleBuildsToTheSameBytes packs the module itself: what students get holds nothing held, builds, and builds to the
// same bytes in another folder.
func TestTheBundleBuildsToTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED LOUDLY: -short leaves out that the student's program builds from the bundle, to the same bytes twice")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED LOUDLY: the Go toolchain is not in PATH, so the bundle was not built")
	}
	files, err := pack.Bundle(os.DirFS(filepath.Join("..", "..", "..")))
	if err != nil {
		t.Fatal(err)
	}
	var references [][]byte
	for _, e := range exercises.All() {
		text, err := teaching.Source(e.Replaces[0].File)
		if err != nil {
			t.Fatal(err)
		}
		references = append(references, text)
	}
	scanner, err := pack.NewScanner(holdout.Canary, holdout.Folders(), references)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for _, leak := range scanner.Source(f) {
			t.Error(leak)
		}
	}
	var programs [2][]byte
	for i := range programs {
		folder := t.TempDir()
		if err := pack.LayOut(folder, files); err != nil {
			t.Fatal(err)
		}
		programs[i], err = pack.Build(context.Background(), folder, pack.Target{OS: "linux", Arch: "amd64"})
		if err != nil {
			t.Fatalf("%v: %s", err, grader.AsError(err).Hint)
		}
	}
	if !bytes.Equal(programs[0], programs[1]) {
		t.Error("two builds of one bundle differ")
	}
	for _, leak := range scanner.Binary("fieldbook", programs[0]) {
		t.Error(leak)
	}
}
