package exercises

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fieldbook/exercises/strict"
)

// author is a copy of an embedded folder that a test edits before it is read.
type author struct{ fstest.MapFS }

func copyOf(t *testing.T, name string) author {
	t.Helper()
	a := author{fstest.MapFS{}}
	folder, err := fs.Sub(folders, name)
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(folder, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folder, path)
		a.MapFS[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// replace puts new in the place of old, which must stand in the file once.
func (a author) replace(t *testing.T, file, old, new string) {
	t.Helper()
	text := string(a.MapFS[file].Data)
	if strings.Count(text, old) != 1 {
		t.Fatalf("%s holds %q %d times, not once", file, old, strings.Count(text, old))
	}
	a.MapFS[file] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, new, 1))}
}

// cut removes the text from begin up to end.
func (a author) cut(t *testing.T, file, begin, end string) {
	t.Helper()
	text := string(a.MapFS[file].Data)
	from, to := strings.Index(text, begin), strings.Index(text, end)
	if from < 0 || to < from {
		t.Fatalf("%s does not hold %q before %q", file, begin, end)
	}
	a.replace(t, file, text[from:to], "")
}

func TestReadAcceptsWhatIsEmbedded(t *testing.T) {
	for _, name := range []string{"manifest", "restore"} {
		if _, err := Read(copyOf(t, name), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	// swap replaces a text in a file of the exercise.
	swap := func(file, old, new string) func(*testing.T, author) {
		return func(t *testing.T, a author) { a.replace(t, file, old, new) }
	}
	cut := func(begin, end string) func(*testing.T, author) {
		return func(t *testing.T, a author) { a.cut(t, manifestName, begin, end) }
	}
	remove := func(file string) func(*testing.T, author) {
		return func(t *testing.T, a author) { delete(a.MapFS, file) }
	}
	tests := []struct {
		name     string
		exercise string
		edit     func(*testing.T, author)
		want     string // how one line of the error begins; LINE stands for any line number
	}{
		{"no manifest", "restore", remove(manifestName), "restore/exercise.yaml: the file cannot be read"},
		{"an unknown key", "restore", swap(manifestName, "profile:", "profil:"), `restore/exercise.yaml:LINE: unknown key "profil"`},
		{"an unknown key of an expectation", "restore", swap(manifestName, "meaning: The restored shop", "meanning: The restored shop"),
			`restore/exercise.yaml:LINE: unknown key "meanning"`},
		{"a date as value", "restore", swap(manifestName, "expected: null", "expected: 2026-03-02"), "restore/exercise.yaml:LINE: 2026-03-02 has no kind here"},
		{"another name", "restore", swap(manifestName, "name: restore\n", "name: restored\n"),
			`restore/exercise.yaml:1: name is "restored"; it must be the folder's name, "restore"`},
		{"another kind", "restore", swap(manifestName, "kind: source", "kind: sauce"), `restore/exercise.yaml:LINE: kind is "sauce"; write source or direct`},
		{"another profile", "restore", swap(manifestName, "profile: scratch", "profile: open"), `restore/exercise.yaml:LINE: profile is "open"`},
		{"a negative limit", "restore", swap(manifestName, "wall: 10s", "wall: -10s"), "restore/exercise.yaml:LINE: a limit is negative"},
		{"a limit that is no time", "restore", swap(manifestName, "wall: 10s", "wall: soon"), "restore/exercise.yaml:LINE: a value of another kind belongs here"},
		{"a file outside the runtime", "restore", swap(manifestName, "runtime/assistant/restore.go", "grader/../restore.go"),
			`restore/exercise.yaml:LINE: file is "grader/../restore.go"`},
		{"a signature that does not parse", "restore", swap(manifestName, "source string) error", "source string error"), "restore/exercise.yaml:LINE: signature"},
		{"a signature that is no function", "restore", swap(manifestName, "func(ctx context.Context, db *database.Database, source string) error", "string"),
			`restore/exercise.yaml:LINE: signature "string" is no function type`},
		{"a signature that is not the starter's", "restore", swap(manifestName, "source string) error", "source []byte) error"),
			"restore/starter.go:LINE: Restore has the type func(context.Context, *database.Database, string) error; it must be func(context.Context, *database.Database, []byte) error"},

		{"a starter that is not there", "restore", remove("starter.go"), `restore/exercise.yaml:LINE: the folder has no file "starter.go"`},
		{"a starter of another package", "restore", swap("starter.go", "package assistant", "package shop"), "restore/starter.go:3: the package is shop; it must be assistant"},
		{"a starter that is finished", "restore", swap("starter.go", "\texercise.Unfinished()\n", ""), "restore/starter.go:LINE: Restore must call exercise.Unfinished"},
		{"a starter without the constraint", "restore", swap("starter.go", "//go:build exercise\n\n", ""), "restore/starter.go:1: the first line must be //go:build exercise"},
		{"a starter that does not parse", "restore", swap("starter.go", "return nil", "return nil)"), "restore/starter.go:LINE: expected"},
		{"a starter that is not formatted", "restore", swap("starter.go", "\treturn nil", "    return nil"), "restore/starter.go: the file is not formatted; run gofmt"},
		{"a starter by another name", "restore", func(t *testing.T, a author) {
			a.MapFS["begin.go"] = a.MapFS["starter.go"]
			delete(a.MapFS, "starter.go")
			a.replace(t, manifestName, "starter: starter.go", "starter: begin.go")
		}, `restore/exercise.yaml:LINE: "begin.go" must be a file of this folder called starter….go`},
		{"a probe of another package", "restore", swap("probe.go", "package probe", "package main"), "restore/probe.go:LINE: the package is main; it must be probe"},
		{"a probe without Probe", "restore", swap("probe.go", "func Probe(", "func Drive("), "restore/probe.go: the file does not declare func Probe"},
		{"a file that nothing names", "restore", func(_ *testing.T, a author) { a.MapFS["probe2.go"] = a.MapFS["probe.go"] },
			"restore/probe2.go: exercise.yaml does not name this file"},

		{"no expectation", "restore", cut("expectation:", "# Nine lines"), "restore/exercise.yaml:LINE: expectation is missing"},
		{"a field twice", "restore", swap(manifestName, "field: restored_paused\n", "field: restore_error\n"), `restore/exercise.yaml:LINE: field "restore_error" stands twice`},
		{"no expected value", "restore", swap(manifestName, "    expected: true\n", ""), "restore/exercise.yaml:LINE: expected is missing; write null when nothing is expected"},
		{"an artifact without its query", "restore", swap(manifestName, "    query: SELECT paused FROM assistant_control WHERE id = 1\n", ""),
			"restore/exercise.yaml:LINE: artifact and query belong together"},
		{"a query that changes something", "restore", swap(manifestName, "query: SELECT paused FROM", "query: DELETE FROM"), "restore/exercise.yaml:LINE: query must be one SELECT"},
		{"an artifact outside scratch", "restore", swap(manifestName, "artifact: shop.sqlite\n    query: SELECT paused", "artifact: ../shop.sqlite\n    query: SELECT paused"),
			`restore/exercise.yaml:LINE: artifact is "../shop.sqlite"`},

		{"a rule before no other", "restore", swap(manifestName, "before: leave", "before: leaf"), `restore/exercise.yaml:LINE: before names "leaf"`},
		{"a rule that matches everything", "restore", swap(manifestName, "{kind: rename, path: shop.authority}", "{}"),
			"restore/exercise.yaml:LINE: an empty match would be seen in every log"},
		{"hints in another order", "restore", swap(manifestName, "kind: boundary", "kind: structure"), `restore/exercise.yaml:LINE: hint 2 is of kind "structure"; write boundary`},
		{"too few hints", "restore", cut("  - kind: structure", "faults:"), "restore/exercise.yaml:LINE: there are 2 hints; write design, boundary, structure"},
		{"its own transfer", "restore", swap(manifestName, "transfer: manifest", "transfer: restore"), "restore/exercise.yaml:LINE: an exercise cannot be its own transfer"},

		{"a fault that nobody would see", "restore", func(t *testing.T, a author) {
			a.replace(t, manifestName, "{field: restored_paused, value: false}", "{field: restored_paused, value: true}")
			a.replace(t, manifestName, "{field: work_claimed_before_audit, value: true}", "{field: work_claimed_before_audit, value: false}")
		}, "restore/exercise.yaml:LINE: broken equals the expectation"},
		{"a fault that leaves a field out", "restore", swap(manifestName, "      - {field: restored_paused, value: false}\n", ""),
			"restore/exercise.yaml:LINE: broken does not say what restored_paused is under the fault"},
		{"a matched fault without cells", "restore", cut("    differs:", "    broken:"), "restore/exercise.yaml:LINE: differs is missing"},
		{"a supplied fault that declares something else", "restore", swap("fault_unpaused_image.go", "func Restore(", "func Restores("),
			"restore/fault_unpaused_image.go: the file does not declare func Restore"},

		{"no table", "manifest", cut("table:", "hints:"), "manifest/exercise.yaml:LINE: table is missing"},
		{"a probe of a direct exercise", "manifest", swap(manifestName, "hints:", "events: [work_claimed]\n\nhints:"),
			"manifest/exercise.yaml:LINE: events belongs to exercises of kind source"},
		{"too few arguments", "manifest", swap(manifestName, "args: [{}, {}]", "args: [{}]"), "manifest/exercise.yaml:LINE: the case has 1 arguments, the function 2 parameters"},
		{"an argument of another kind", "manifest", swap(manifestName, "args: [{}, {}]", "args: [{}, {a: 1}]"),
			"manifest/exercise.yaml:LINE: argument 2, {a: 1}, is no map[string]string"},
		{"a result of another kind", "manifest", swap(manifestName, "args: [{}, {}]\n    expected: false", "args: [{}, {}]\n    expected: 0"),
			"manifest/exercise.yaml:LINE: expected, 0, is no bool"},
		{"neither result nor error", "manifest", swap(manifestName, "args: [{}, {}]\n    expected: false", "args: [{}, {}]"),
			"manifest/exercise.yaml:LINE: a case has either expected or raises"},
		{"a blank hint", "manifest", func(t *testing.T, a author) {
			a.cut(t, manifestName, "      Four inputs", "\nimpostors:")
			a.replace(t, manifestName, "  - kind: boundary\n    text: >-\n", "  - kind: boundary\n    text: \" \"\n")
		}, "manifest/exercise.yaml:LINE: text is missing"},
		{"an impostor that is not there", "manifest", remove("impostor_names_only.go"), `manifest/exercise.yaml:LINE: the folder has no file "impostor_names_only.go"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := copyOf(t, test.exercise)
			test.edit(t, a)
			_, err := Read(a, test.exercise)
			var list *strict.Error
			if !errors.As(err, &list) {
				t.Fatalf("error = %v, want a *strict.Error", err)
			}
			if !slices.ContainsFunc(strings.Split(err.Error(), "\n"), func(line string) bool { return begins(line, test.want) }) {
				t.Errorf("error =\n%v\nwant a line that begins\n%s", err, test.want)
			}
		})
	}
}

// begins compares a complaint with a beginning in which LINE stands for any line number.
func begins(got, want string) bool {
	before, after, numbered := strings.Cut(want, "LINE")
	if !numbered {
		return strings.HasPrefix(got, want)
	}
	rest, ok := strings.CutPrefix(got, before)
	tail := strings.TrimLeft(rest, "0123456789")
	return ok && tail != rest && strings.HasPrefix(tail, after)
}

func TestPositionsPointAtTheMistake(t *testing.T) {
	a := copyOf(t, "restore")
	lines := strings.Split(string(a.MapFS[manifestName].Data), "\n")
	at := slices.Index(lines, "  - field: restored_paused")
	lines[at] = "  - field: restore_error"
	a.MapFS[manifestName].Data = []byte(strings.Join(lines, "\n"))
	_, err := Read(a, "restore")
	var list *strict.Error
	if !errors.As(err, &list) {
		t.Fatal(err)
	}
	if got := list.Diagnostics[0].Line; got != at+1 {
		t.Errorf("the first complaint is about line %d, the mistake is in line %d:\n%v", got, at+1, err)
	}
}

// FuzzRead reads folders whose exercise.yaml is anything: a broken one is refused with positions, and nothing panics.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"manifest", "restore"} {
		text, err := fs.ReadFile(folders, name+"/"+manifestName)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("kind: direct\nreplaces: [{functions: [{signature: func() ()}]}]\ntable: [{expected: 1}]\n"))
	f.Add([]byte("kind: source\nreplaces: [{starter: probe.go, functions: [{signature: \"func(...int)\"}]}]\nprobe: starter.go\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := fstest.MapFS{manifestName: {Data: text}, "starter.go": {Data: []byte("package a")}, "probe.go": {Data: text}}
		e, err := Read(folder, "restore")
		var list *strict.Error
		if err != nil && (!errors.As(err, &list) || len(list.Diagnostics) == 0) {
			t.Fatalf("error %v (%T) says nothing of the files", err, err)
		}
		if err == nil && e.Name != "restore" {
			t.Fatalf("an exercise called %q was read", e.Name)
		}
	})
}
