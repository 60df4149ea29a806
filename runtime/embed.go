// Package teaching carries the sources of the teaching runtime inside the program.
//
// The copied packages (assistant, recovery) are what exercises replace functions of: the engine reads them from Tree into a private
// copy for each task. The supplied packages are compiled in; their sources are here to be read by a student, and so that
// Digest covers them. Tests are left out of both. Paths are those of the module: "runtime/assistant/restore.go".
//
// Runs in the parent and in the worker. Imports nothing of ours.
package teaching

import (
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"sort"
	"strings"
)

//go:generate go run generate.go

// root is the folder of the module in which this package lies; every path begins with it.
const root = "runtime"

// Tree is the sources of the copied packages.
func Tree() fs.FS { return rooted{copiedSources} }

// Supplied is the sources of the supplied packages.
func Supplied() fs.FS { return rooted{suppliedSources} }

// CopiedFiles returns the paths of Tree, sorted.
func CopiedFiles() []string { return paths(copiedSources) }

// SuppliedFiles returns the paths of Supplied, sorted.
func SuppliedFiles() []string { return paths(suppliedSources) }

// Digest is the identity of the whole runtime, copied and supplied: SHA-256 in lower-case hexadecimal. For each file, in
// the order of their paths as bytes, these are hashed: the path, a zero byte, the size as 8 bytes big-endian, the contents.
func Digest() string { return digest(append(CopiedFiles(), SuppliedFiles()...)) }

// PackageDigest is the digest of one package, as Digest forms it from the files directly inside folder ("runtime/files").
// It is "" for a folder that holds none.
func PackageDigest(folder string) string {
	var inside []string
	for _, path := range append(CopiedFiles(), SuppliedFiles()...) {
		if strings.LastIndexByte(path, '/') == len(folder) && strings.HasPrefix(path, folder) {
			inside = append(inside, path)
		}
	}
	if len(inside) == 0 {
		return ""
	}
	return digest(inside)
}

// Source returns the contents of one file of either tree. The error is fs.ErrNotExist for any other path.
func Source(path string) ([]byte, error) {
	data, err := fs.ReadFile(Tree(), path)
	if err != nil {
		return fs.ReadFile(Supplied(), path)
	}
	return data, nil
}

func digest(paths []string) string {
	sort.Strings(paths)
	hash := sha256.New()
	for _, path := range paths {
		data, err := Source(path)
		if err != nil {
			panic("teaching: an embedded file is not there: " + path) // the list was read from the same tree
		}
		hash.Write(append([]byte(path), 0))
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
		hash.Write(data)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

func paths(sources embed.FS) []string {
	var list []string
	_ = fs.WalkDir(sources, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() { // reading an embedded folder does not fail
			list = append(list, root+"/"+path)
		}
		return nil
	})
	sort.Strings(list)
	return list
}
