package archive

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"fieldbook/handoff/canonical"
)

// Kind says what an archive carries.
type Kind string

// The kinds.
const (
	Submission Kind = "submission" // what an instructor gets of one unit
	Workspace  Kind = "workspace"  // a student's workspace, for another machine
)

func (k Kind) words() string {
	switch k {
	case Submission:
		return "a submission"
	case Workspace:
		return "an exported workspace"
	}
	return "something else"
}

// File is one file of an archive. Its name is a slash path below the folder that the archive stands for; ValidName says which
// names there are.
type File struct {
	Name string
	Data []byte
}

// What an archive may be made of. A submission has a dozen small files; a workspace grows by some hundred kilobytes a run.
const (
	Format   = 1
	MaxBytes = 512 << 20
	MaxFiles = 50_000
	maxName  = 240
	overhead = 256 // of an entry, beside its name three times: two headers, and its line in the manifest
)

// manifestName is the first entry: what the archive is.
const manifestName = "fieldbook.json"

type manifest struct {
	Files  []entry `json:"files"`
	Format int64   `json:"format"`
	Kind   Kind    `json:"kind"`
}

type entry struct {
	Bytes  int64  `json:"bytes"`
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Encode makes an archive. The order in which the files are given does not matter. A name that no archive can hold, and a name
// that two files have on a file system that ignores case, are refused with an *handoff.Error of kind Input.
func Encode(kind Kind, files []File) ([]byte, error) {
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	names := make([]string, len(sorted))
	total := 0
	for i, f := range sorted {
		names[i] = f.Name
		total += len(f.Data)
	}
	if problem := namesProblem(names); problem != "" {
		return nil, unusable("%s", problem)
	}
	if len(sorted) > MaxFiles || total > MaxBytes-MaxFiles*(3*maxName+overhead) {
		return nil, unusable("there are %d files with %d bytes, more than an archive can hold", len(sorted), total)
	}
	return encode(kind, sorted)
}

// encode writes sorted files whose names are right.
func encode(kind Kind, files []File) ([]byte, error) {
	m := manifest{Files: []entry{}, Format: Format, Kind: kind}
	for _, f := range files {
		sum := sha256.Sum256(f.Data)
		m.Files = append(m.Files, entry{Bytes: int64(len(f.Data)), Name: f.Name, SHA256: hex.EncodeToString(sum[:])})
	}
	about, err := canonical.Marshal(m)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range append([]File{{Name: manifestName, Data: about}}, files...) {
		// Raw: the header carries checksum and size at once, and nothing of the compressor's version is in the bytes.
		body, err := w.CreateRaw(&zip.FileHeader{
			Name: f.Name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(f.Data), CreatorVersion: zipVersion, ReaderVersion: zipVersion,
			CompressedSize64: uint64(len(f.Data)), UncompressedSize64: uint64(len(f.Data)),
		})
		if err == nil {
			_, err = body.Write(f.Data)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// zipVersion 2.0 is what every program that reads ZIP files knows.
const zipVersion = 20

// Is reports whether a file begins as an archive does. It says nothing of the rest.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// Decode reads an archive of a kind and returns its files, ascending by name. Anything else than what Encode writes is
// refused whole with an *handoff.Error of kind Invalid; no file of a refused archive is returned.
func Decode(kind Kind, data []byte) ([]File, error) {
	if len(data) > MaxBytes {
		return nil, refused(codeTooLarge, hintOther, "the archive has more than %d bytes", MaxBytes)
	}
	if !Is(data) {
		return nil, refused(codeMalformed, hintOther, "the file is not an archive of Fieldbook")
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, refused(codeMalformed, hintAgain, "the archive is cut off or damaged")
	}
	if err := checkEntries(r.File, len(data)); err != nil {
		return nil, err
	}
	files := make([]File, len(r.File))
	for i, f := range r.File {
		if files[i], err = read(f); err != nil {
			return nil, err
		}
	}
	if len(files) == 0 || files[0].Name != manifestName {
		return nil, refused(codeMalformed, hintOther, "the archive is not one of Fieldbook's: it does not begin with %s", manifestName)
	}
	m, err := readManifest(files[0].Data)
	if err != nil {
		return nil, err
	}
	if m.Kind != kind {
		return nil, refused(codeOtherKind, hintOther, "the archive is %s, and %s was asked for", m.Kind.words(), kind.words())
	}
	files = files[1:]
	again, err := encode(m.Kind, files)
	if err != nil || !bytes.Equal(again, data) {
		return nil, refused(codeChanged, hintAgain, "the archive is not as Fieldbook wrote it: something in it was changed, added or left out")
	}
	return files, nil
}

// checkEntries looks at the directory of an archive of size bytes, before anything in it is read.
func checkEntries(list []*zip.File, size int) error {
	if len(list) > MaxFiles+1 {
		return refused(codeTooLarge, hintOther, "the archive has %d entries", len(list))
	}
	var names []string
	var total uint64
	for _, f := range list {
		if f.Name != manifestName { // a second one is found when the files are encoded again
			names = append(names, f.Name)
		}
		if !f.Mode().IsRegular() {
			return refused(codeName, hintAgain, "archive entry %q is a folder, a link or a device: none is read", f.Name)
		}
		if f.Method != zip.Store || f.CompressedSize64 != f.UncompressedSize64 {
			return refused(codeMalformed, hintRepacked, "archive entry %q is compressed, and Fieldbook compresses nothing: none is read", f.Name)
		}
		if total += f.UncompressedSize64; f.UncompressedSize64 > uint64(size) || total > uint64(size) {
			return refused(codeTooLarge, hintAgain, "archive entry %q says that it is larger than the archive: none is read", f.Name)
		}
	}
	if problem := namesProblem(names); problem != "" {
		return refused(codeName, hintAgain, "%s: none is read", problem)
	}
	return nil
}

// read reads one entry, whose size was compared with the archive's; the checksum is compared at its end.
func read(f *zip.File) (File, error) {
	body, err := f.Open()
	if err != nil {
		return File{}, refused(codeMalformed, hintAgain, "archive entry %q cannot be read", f.Name)
	}
	defer body.Close()
	data := make([]byte, f.UncompressedSize64)
	if _, err := io.ReadFull(body, data); err != nil {
		return File{}, refused(codeMalformed, hintAgain, "archive entry %q is cut off or damaged", f.Name)
	}
	if _, err := body.Read(make([]byte, 1)); err != io.EOF {
		return File{}, refused(codeMalformed, hintAgain, "archive entry %q is cut off or damaged", f.Name)
	}
	return File{Name: f.Name, Data: data}, nil
}

// readManifest reads what an archive says of itself. That it is right about the files is shown by encoding them again.
func readManifest(data []byte) (manifest, error) {
	var m manifest
	if canonical.Check(data) != nil || json.Unmarshal(data, &m) != nil {
		return m, refused(codeMalformed, hintAgain, "the archive's %s is not as Fieldbook writes it", manifestName)
	}
	if m.Format > Format {
		return m, refused(codeNewer, "Read it with the newer program.", "the archive was written by a newer Fieldbook (format %d, this program knows %d)", m.Format, Format)
	}
	return m, nil
}
