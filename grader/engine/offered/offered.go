// Package offered is the one list of packages that a learner's source may import. The generators of export data and of
// interpreter symbols, the checker and the messages all read it here, so a package is either offered everywhere or
// nowhere. What gives a program the machine (os, net, syscall, unsafe, reflect, runtime, templates, log, …) is not on it
// and never will be. Imports nothing of ours; runs in the parent, in the worker and in the generator.
package offered

import (
	"slices"
	"sort"
)

// Module is the module path of the course: import paths of supplied and copied packages begin with it.
const Module = "fieldbook"

// Standard returns the offered packages of the standard library, sorted.
func Standard() []string {
	return []string{
		"bufio", "bytes", "cmp", "container/heap", "container/list", "container/ring", "context", "crypto/sha256",
		"encoding/base64", "encoding/binary", "encoding/csv", "encoding/hex", "encoding/json", "errors", "fmt",
		"hash", "hash/fnv", "io", "iter", "maps", "math", "math/big", "math/bits", "math/cmplx", "math/rand",
		"net/url", "path", "regexp", "slices", "sort", "strconv", "strings", "sync", "sync/atomic",
		"text/tabwriter", "time", "unicode", "unicode/utf8",
	}
}

// Supplied returns the offered packages of the teaching runtime, sorted: compiled in, never copied.
func Supplied() []string {
	return []string{
		Module + "/runtime/clock",
		Module + "/runtime/database",
		Module + "/runtime/exercise",
		Module + "/runtime/fieldnotes",
		Module + "/runtime/files",
		Module + "/runtime/shop",
		Module + "/runtime/world",
	}
}

// Packages returns every offered package, sorted.
func Packages() []string {
	all := append(Standard(), Supplied()...)
	sort.Strings(all)
	return all
}

// Has reports whether a package is offered.
func Has(path string) bool {
	return slices.Contains(Standard(), path) || slices.Contains(Supplied(), path)
}
