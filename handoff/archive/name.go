package archive

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ValidName reports whether a file may have this name in an archive: a slash path that stays below its folder and means the
// same file on every system. No element begins a drive or a stream, ends in a dot or a space, or is a device of Windows.
func ValidName(name string) bool { return nameProblem(name) == "" }

func nameProblem(name string) string {
	switch {
	case len(name) > maxName:
		return fmt.Sprintf("archive entry %q… has a name of %d bytes", name[:40], len(name))
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unprintable):
		return fmt.Sprintf("archive entry %q has a name that cannot be printed", name)
	case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, `\:`):
		return fmt.Sprintf("archive entry %q leaves its folder", name)
	}
	for _, element := range strings.Split(name, "/") {
		if strings.ContainsAny(element, `<>"|?*`) || strings.HasSuffix(element, ".") || strings.HasSuffix(element, " ") || device(element) {
			return fmt.Sprintf("archive entry %q has a name that some systems cannot store", name)
		}
	}
	return ""
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// device reports whether Windows takes a name for one of its devices, whatever follows the first dot.
func device(element string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(element), ".")
	base = strings.TrimRight(base, " ")
	if numbered := strings.TrimRight(base, "0123456789"); len(base) == len(numbered)+1 && (numbered == "COM" || numbered == "LPT") {
		return true
	}
	return slices.Contains([]string{"CON", "PRN", "AUX", "NUL"}, base)
}

// namesProblem says what is wrong with the names of one archive, "" when nothing is. The manifest's own name is taken.
func namesProblem(names []string) string {
	seen := map[string]string{foldName(manifestName): manifestName}
	for _, name := range names {
		if problem := nameProblem(name); problem != "" {
			return problem
		}
		folded := foldName(name)
		if other, there := seen[folded]; there {
			return fmt.Sprintf("archive entry %q is there twice, also as %q", name, other)
		}
		seen[folded] = name
	}
	for _, name := range names {
		for folder := foldName(name); strings.Contains(folder, "/"); {
			folder = folder[:strings.LastIndexByte(folder, '/')]
			if other, there := seen[folder]; there {
				return fmt.Sprintf("archive entry %q lies in %q, which is a file", name, other)
			}
		}
	}
	return ""
}

// foldName is a name as a file system sees it that ignores case.
func foldName(name string) string { return strings.ToLower(name) }
