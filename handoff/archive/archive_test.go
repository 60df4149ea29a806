package archive_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fieldbook/handoff"
	"fieldbook/handoff/archive"
)

func files() []archive.File {
	return []archive.File{
		{Name: "ch19-a-submission-v1.json", Data: []byte("{}")},
		{Name: "source/runtime/assistant/restore.go", Data: []byte("package assistant\n")},
		{Name: "café 冰.txt", Data: nil},
	}
}

func mustEncode(t testing.TB, kind archive.Kind, list []archive.File) []byte {
	t.Helper()
	data, err := archive.Encode(kind, list)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func wantRefusal(t *testing.T, err error, code, says string) {
	t.Helper()
	var known *handoff.Error
	if !errors.As(err, &known) || known.Code != code || known.Hint == "" || !strings.Contains(known.Message, says) {
		t.Fatalf("error %v, want code %s and %q", err, code, says)
	}
}

func TestTheSameFilesGiveTheSameBytes(t *testing.T) {
	list := files()
	first := mustEncode(t, archive.Submission, list)
	list[0], list[2] = list[2], list[0]
	if !bytes.Equal(first, mustEncode(t, archive.Submission, list)) {
		t.Error("the bytes depend on the order of the files")
	}
	got, err := archive.Decode(archive.Submission, first)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range got {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff([]string{"café 冰.txt", "ch19-a-submission-v1.json", "source/runtime/assistant/restore.go"}, names); diff != "" {
		t.Error(diff)
	}
	// Any program that reads ZIP files reads this one.
	r, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	if about, err := fs.ReadFile(r, "fieldbook.json"); err != nil || !strings.Contains(string(about), `"kind":"submission"`) {
		t.Errorf("fieldbook.json: %s %v", about, err)
	}
}

func TestEveryChangedByteIsRefused(t *testing.T) {
	data := mustEncode(t, archive.Submission, files())
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		if _, err := archive.Decode(archive.Submission, changed); err == nil {
			t.Fatalf("a change of byte %d was not noticed", i)
		}
	}
	for _, cut := range []int{0, 1, 4, len(data) / 2, len(data) - 1} {
		if _, err := archive.Decode(archive.Submission, data[:cut]); err == nil {
			t.Errorf("the first %d bytes were accepted", cut)
		}
	}
	for name, longer := range map[string][]byte{"After": append(bytes.Clone(data), 0), "Before": append([]byte("PK\x03\x04"), data...)} {
		if _, err := archive.Decode(archive.Submission, longer); err == nil {
			t.Errorf("%s: bytes around the archive were accepted", name)
		}
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"a", "a/b.go", ".fieldbook/progress.json", "Lucy's café 冰", "a..b", "console"} {
		if !archive.ValidName(name) {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{
		"", ".", "..", "../x", "a/../x", "/x", "a//b", "a/", "./a", `a\b`, `..\x`, "C:", "C:/x", "a:stream", "a\x00b", "a\nb", "a\x1b[2J",
		"a.", "a ", "a /b", "con", "CON.txt", "x/nul", "com1.go", "a?", "a*b", `a"b`, "\xff", strings.Repeat("x", 241),
	} {
		if archive.ValidName(name) {
			t.Errorf("%q is accepted", name)
		}
		_, err := archive.Encode(archive.Workspace, []archive.File{{Name: name}})
		wantRefusal(t, err, "archive_unusable", "")
	}
	for _, pair := range [][2]string{{"a", "a"}, {"a", "A"}, {"ä", "Ä"}, {"a", "a/b"}, {"A", "a/b/c"}, {"fieldbook.json", "x"}} {
		_, err := archive.Encode(archive.Workspace, []archive.File{{Name: pair[0]}, {Name: pair[1]}})
		wantRefusal(t, err, "archive_unusable", "archive entry")
	}
}

// hostile is an archive as another program could make it.
type hostile struct {
	name   string
	method uint16
	mode   fs.FileMode
	size   uint64 // said of itself; 0: the truth
	data   string
}

func pack(t *testing.T, entries ...hostile) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	about := hostile{name: "fieldbook.json", data: `{"files":[],"format":1,"kind":"submission"}`}
	for _, e := range append([]hostile{about}, entries...) {
		header := &zip.FileHeader{Name: e.name, Method: e.method}
		if e.mode != 0 {
			header.SetMode(e.mode)
		}
		var err error
		if e.size == 0 {
			body, createErr := w.CreateHeader(header)
			if err = createErr; err == nil {
				_, err = body.Write([]byte(e.data))
			}
		} else {
			header.CRC32, header.CompressedSize64, header.UncompressedSize64 = crc32.ChecksumIEEE([]byte(e.data)), e.size, e.size
			body, createErr := w.CreateRaw(header)
			if err = createErr; err == nil {
				_, err = body.Write([]byte(e.data))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestHostileArchives(t *testing.T) {
	for name, c := range map[string]struct {
		entries    []hostile
		code, says string
	}{
		"Escape":        {[]hostile{{name: "../x"}}, "archive_entry", `archive entry "../x" leaves its folder: none is read`},
		"Absolute":      {[]hostile{{name: "/etc/passwd"}}, "archive_entry", "leaves its folder"},
		"Backslash":     {[]hostile{{name: `..\x`}}, "archive_entry", "leaves its folder"},
		"Drive":         {[]hostile{{name: "C:/x"}}, "archive_entry", "leaves its folder"},
		"Link":          {[]hostile{{name: "x", mode: fs.ModeSymlink | 0o777, data: "/etc"}}, "archive_entry", "a link or a device"},
		"Device":        {[]hostile{{name: "x", mode: fs.ModeDevice | 0o600}}, "archive_entry", "a link or a device"},
		"Folder":        {[]hostile{{name: "x/"}}, "archive_entry", "a folder"},
		"Twice":         {[]hostile{{name: "x"}, {name: "x"}}, "archive_entry", "there twice"},
		"TwiceInCase":   {[]hostile{{name: "x"}, {name: "X"}}, "archive_entry", "there twice"},
		"TwoManifests":  {[]hostile{{name: "fieldbook.json"}}, "archive_changed", "not as Fieldbook wrote it"},
		"FileAndFolder": {[]hostile{{name: "x"}, {name: "x/y"}}, "archive_entry", "which is a file"},
		"Bomb":          {[]hostile{{name: "x", method: zip.Deflate, data: strings.Repeat("0", 1<<20)}}, "archive_malformed", "compressed"},
		"SaysMore":      {[]hostile{{name: "x", size: 1 << 40, data: "y"}}, "archive_too_large", "larger than the archive"},
		"Unlisted":      {[]hostile{{name: "x", data: "y"}}, "archive_changed", "not as Fieldbook wrote it"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := archive.Decode(archive.Submission, pack(t, c.entries...))
			wantRefusal(t, err, c.code, c.says)
			if got != nil {
				t.Errorf("%d files were returned", len(got))
			}
		})
	}
	t.Run("OtherKind", func(t *testing.T) {
		_, err := archive.Decode(archive.Submission, mustEncode(t, archive.Workspace, files()))
		wantRefusal(t, err, "archive_other_kind", "an exported workspace, and a submission was asked for")
	})
	t.Run("NoArchive", func(t *testing.T) {
		_, err := archive.Decode(archive.Submission, []byte("{}"))
		wantRefusal(t, err, "archive_malformed", "not an archive")
	})
	t.Run("NoManifest", func(t *testing.T) {
		var out bytes.Buffer
		if err := zip.NewWriter(&out).Close(); err != nil {
			t.Fatal(err)
		}
		_, err := archive.Decode(archive.Submission, out.Bytes())
		wantRefusal(t, err, "archive_malformed", "")
	})
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(0, 8).Draw(t, "count")
		var list []archive.File
		for i := range count {
			data := rapid.SliceOfN(rapid.Byte(), 0, 64).Draw(t, "data")
			list = append(list, archive.File{Name: fmt.Sprintf("%d/%s", i, rapid.StringMatching(`[a-z][a-z0-9 _é-]{0,9}[a-z0-9]`).Draw(t, "name")), Data: data})
		}
		data, err := archive.Encode(archive.Workspace, list)
		if err != nil {
			if len(list) > 0 && strings.Contains(err.Error(), "some systems") {
				return // a device of Windows, drawn by chance
			}
			t.Fatal(err)
		}
		got, err := archive.Decode(archive.Workspace, data)
		if err != nil || len(got) != len(list) {
			t.Fatalf("%d files of %d: %v", len(got), len(list), err)
		}
		for i, f := range got {
			if f.Name != list[i].Name || !bytes.Equal(f.Data, list[i].Data) {
				t.Fatalf("file %d is %q, and %q was put in", i, f.Name, list[i].Name)
			}
		}
	})
}

// FuzzDecode holds that whatever is accepted is exactly what would be written, and that every name stays in its folder.
func FuzzDecode(f *testing.F) {
	f.Add(mustEncode(f, archive.Submission, files()))
	f.Add(mustEncode(f, archive.Workspace, nil))
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range []archive.Kind{archive.Submission, archive.Workspace} {
			list, err := archive.Decode(kind, data)
			if err != nil {
				var known *handoff.Error
				if !errors.As(err, &known) {
					t.Errorf("an error without words: %v", err)
				}
				continue
			}
			for _, file := range list {
				if !fs.ValidPath(file.Name) {
					t.Errorf("%q was accepted", file.Name)
				}
			}
			again, err := archive.Encode(kind, list)
			if err != nil || !bytes.Equal(again, data) {
				t.Errorf("what was accepted is not what is written: %v", err)
			}
		}
	})
}
