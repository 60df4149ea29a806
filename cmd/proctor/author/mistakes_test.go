package author_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fieldbook/cmd/proctor/author"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
	"fieldbook/runtime/world"
)

func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		probe.Serve()
	}
	os.Exit(m.Run())
}

// checker checks folders with the interpreter.
func checker(t *testing.T, folders author.Folders) *author.Checker {
	t.Helper()
	pool, err := sandbox.NewPool(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	e := engine.New(teaching.Tree())
	now := func() time.Time { return time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC) }
	return &author.Checker{
		Folders: folders, Seeds: []uint64{1}, Parallel: 3,
		Engines: []author.Engine{{Name: "yaegi", Tasks: func(x *exercises.Exercise) (*task.Task, error) {
			return task.New(task.Options{Engine: e, Pool: pool, Edition: "student", Now: now}, x)
		}}},
	}
}

// planted is a copy of both folders of one exercise, in memory, where a mistake can be planted.
type planted struct {
	t                   *testing.T
	name                string
	exercises, holdouts fstest.MapFS
}

func plant(t *testing.T, name string) *planted {
	t.Helper()
	root := filepath.Join("..", "..", "..", "exercises")
	return &planted{t: t, name: name, exercises: copied(t, root, name), holdouts: copied(t, filepath.Join(root, "holdout"), name)}
}

func copied(t *testing.T, root, name string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	disk := os.DirFS(root)
	err := fs.WalkDir(disk, name, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(disk, p)
		files[p] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func (p *planted) at(file string) (fstest.MapFS, string) {
	if rest, held := strings.CutPrefix(file, "holdout/"); held {
		return p.holdouts, path.Join(p.name, rest)
	}
	return p.exercises, path.Join(p.name, file)
}

// edit replaces a text that must be there.
func (p *planted) edit(file, old, new string) {
	p.t.Helper()
	files, name := p.at(file)
	if files[name] == nil || !strings.Contains(string(files[name].Data), old) {
		p.t.Fatalf("%s does not hold %q", file, old)
	}
	files[name] = &fstest.MapFile{Data: []byte(strings.Replace(string(files[name].Data), old, new, 1))}
}

// move gives a file another name.
func (p *planted) move(from, to string) {
	p.t.Helper()
	files, name := p.at(from)
	others, other := p.at(to)
	if files[name] == nil {
		p.t.Fatalf("there is no %s", from)
	}
	others[other] = files[name]
	delete(files, name)
}

// keep leaves in a folder of the holdouts nothing but the named files, so that a check is short.
func (p *planted) keep(folder string, names ...string) {
	keep := map[string]bool{}
	for _, n := range names {
		keep[path.Join(p.name, folder, n)] = true
	}
	for name := range p.holdouts {
		if strings.HasPrefix(name, path.Join(p.name, folder)+"/") && !keep[name] {
			delete(p.holdouts, name)
		}
	}
}

// TestPlantedMistakes plants what authors get wrong and holds that the check is red and names the reason.
func TestPlantedMistakes(t *testing.T) {
	for name, test := range map[string]struct {
		exercise string
		plant    func(*planted)
		item     string // that is red
		want     string // in one of its complaints
	}{
		"StarterHoldsTheSolution": {
			"manifest", func(p *planted) {
				p.edit("starter.go", "\texercise.Unfinished()\n\treturn false\n", "\tif len(expected) == 0 {\n\t\texercise.Unfinished()\n\t}\n\treturn len(expected) == len(observed)\n")
			},
			"starter", "manifest/starter.go: the holdout same-members does not find the starter unfinished",
		},
		"WrongExpectation": {
			"manifest", func(p *planted) {
				p.edit("exercise.yaml", "  - name: both are empty\n    args: [{}, {}]\n    expected: false", "  - name: both are empty\n    args: [{}, {}]\n    expected: true")
			},
			"solution", "both are empty is false and should be true",
		},
		"WrongHoldout": {
			"manifest", func(p *planted) {
				p.edit("holdout/cases.yaml", "{name: the same empty digest, args: [{$a: \"\"}, {$a: \"\"}], expected: true}", "{name: the same empty digest, args: [{$a: \"\"}, {$a: \"\"}], expected: false}")
			},
			"solution", "the solution does not meet the case empty-digests",
		},
		"WrongSolutionThatIsRight": {
			"manifest", func(p *planted) {
				files, name := p.at("holdout/wrong/digests-only.go")
				_, solution := p.at("holdout/solution/manifest.go")
				text := strings.Replace(string(files[solution].Data), "FIELDBOOK-HOLDOUT-CANARY manifest solution", "FIELDBOOK-HOLDOUT-CANARY manifest wrong digests-only", 1)
				files[name].Data = []byte(strings.Replace(text, "// ManifestAgrees", "// Mistake: it has none.\n//\n// ManifestAgrees", 1))
			},
			"wrong solution digests-only", "holdout/manifest/wrong/digests-only.go: no probe fails it",
		},
		"VariantThatIsWrong": {
			"manifest", func(p *planted) {
				files, name := p.at("holdout/variants/maps-equal.go")
				files[name].Data = []byte(strings.Replace(string(files[name].Data), "len(expected) > 0 && ", "", 1))
			},
			"variant maps-equal", "both are empty is true and should be false",
		},
		"ImpostorThatIsRight": {
			"manifest", func(p *planted) {
				files, name := p.at("impostor_names_only.go")
				text, _ := teaching.Source("runtime/assistant/manifest.go")
				files[name].Data = append([]byte("//go:build exercise\n\n"), text...)
			},
			"impostor names-only", "manifest/impostor_names_only.go: it passes the visible probe",
		},
		"NoHint": {
			"restore", func(p *planted) { p.edit("exercise.yaml", "  - kind: boundary", "  - kind: structure") },
			"files of the exercise", `hint 2 is of kind "structure"; write boundary`,
		},
		"StrayFile": {
			"restore", func(p *planted) { p.move("fault_unpaused_image.go", "fault_unpaused_imgae.go") },
			"files of the exercise", "restore/fault_unpaused_imgae.go: exercise.yaml does not name this file",
		},
		"StrayHoldout": {
			"manifest", func(p *planted) { p.move("holdout/wrong/names-only.go", "holdout/wrnog/names-only.go") },
			"files of the holdouts", "holdout/manifest/wrnog: nothing is called so",
		},
		"NoCanary": {
			"restore", func(p *planted) { p.edit("holdout/cases/rows.go", "FIELDBOOK-HOLDOUT-CANARY", "a comment") },
			"files of the holdouts", "holdout/restore/cases/rows.go:3: the third line must be the canary",
		},
		"AVoiceThatTalksDown": {
			"manifest", func(p *planted) {
				p.edit("exercise.yaml", "Write both questions down.", "Simply write both questions down!")
			},
			"texts", `the text says "Simply"`,
		},
		"SomethingUnwritten": {
			"manifest", func(p *planted) {
				p.edit("exercise.yaml", "title: Decide whether a backup folder is the one its manifest names", "title: \"\" # WRITE: a title")
			},
			"everything is written", "manifest/exercise.yaml:2: still to be written: a title",
		},
		"AFaultThatNothingShows": {
			"recovery-execute", func(p *planted) { // of a short function all edits are soon tried
				p.edit("exercise.yaml", "    kind: swap\n", "    kind: matched\n    probe: fault_probe.go\n    differs:\n      - {database: shop.sqlite, table: assistant_control, column: paused, value: 7}\n")
				files, name := p.at("probe.go")
				_, copied := p.at("fault_probe.go")
				files[copied] = files[name]
				p.keep("variants", "helpers.go")
				p.keep("wrong", "no-lookup.go", "does-nothing.go", "key-by-prefix.go")
				p.edit("holdout/cases.yaml", "visible: [crash-before-the-effect, does-nothing, drops-the-others, forgets-the-reuse, never-says-reused, skips-the-crash, swallows-the-crash, no-lookup]", "visible: [does-nothing, no-lookup]")
			},
			"fault no-lookup", "the fault no-lookup is found neither in",
		},
		"ACaseThatForgetsTheWorld": {
			"restore", func(p *planted) {
				p.keep("variants", "helpers.go")
				p.keep("wrong", "no-marker.go", "keeps-owners.go", "disables-jobs.go")
				p.short()
				files, name := p.at("holdout/cases.yaml")
				files[name].Data = []byte(strings.ReplaceAll(string(files[name].Data), "    compare: world\n", ""))
			},
			"wrong solution disables-jobs", "holdout/restore/wrong/disables-jobs.go: no probe fails it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := plant(t, test.exercise)
			test.plant(p)
			c := checker(t, author.Folders{Exercises: p.exercises, Holdouts: p.holdouts, Place: "memory"})
			result, err := c.Check(context.Background(), []string{test.exercise})
			if err != nil {
				t.Fatal(err)
			}
			if result.Passed() {
				t.Fatal("the check is green")
			}
			for _, i := range result.Items {
				if i.Name == test.item && strings.Contains(strings.Join(i.Lines(), "\n"), test.want) {
					return
				}
				if !i.Passed {
					t.Logf("%s:\n  %s", i.Name, strings.Join(i.Lines(), "\n  "))
				}
			}
			t.Errorf("no complaint of %q says %q", test.item, test.want)
		})
	}
}

// TestEnginesMustAgree gives the check a second engine that expects something else: every answer is judged otherwise by it.
func TestEnginesMustAgree(t *testing.T) {
	p := plant(t, "manifest")
	c := checker(t, author.Folders{Exercises: p.exercises, Holdouts: p.holdouts, Place: "memory"})
	first := c.Engines[0].Tasks
	c.Engines = append(c.Engines, author.Engine{Name: "other", Tasks: func(e *exercises.Exercise) (*task.Task, error) {
		contrary := *e
		contrary.Table = append([]exercises.TableCase(nil), e.Table...)
		contrary.Table[0].Expected = world.BoolValue(false)
		return first(&contrary)
	}})
	result, err := c.Check(context.Background(), []string{"manifest"})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range result.Items {
		if i.Name == "variant maps-equal" {
			if text := strings.Join(i.Lines(), "\n"); i.Passed || !strings.Contains(text, "the engines disagree: with other it fails VISIBLE: intact, found in another order is true and should be false") {
				t.Errorf("passed: %t\n%s", i.Passed, text)
			}
			return
		}
	}
	t.Error("the variant is not there")
}

// TestJUnit holds that control characters do not break the file.
func TestJUnit(t *testing.T) {
	var out bytes.Buffer
	result := author.Result{Items: []author.Item{
		{Subject: "a", Name: "one", Passed: true, Saw: "fine\x1b[31m"},
		{Subject: "a", Name: "two", Complaints: []grader.Diagnostic{{File: "f.go", Line: 3, Message: "bad \x00 & <worse>\xff"}}},
		{Subject: "b", Name: "three", Void: true},
	}}
	if err := author.JUnit(&out, result); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Suites []struct {
			Name                    string `xml:"name,attr"`
			Tests, Failures, Errors int    `xml:",attr"`
			Cases                   []struct {
				Name    string `xml:"name,attr"`
				Failure string `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if len(read.Suites) != 2 || len(read.Suites[0].Cases) != 2 || !strings.Contains(read.Suites[0].Cases[1].Failure, `f.go:3: bad \u0000 & <worse>`) {
		t.Errorf("read %+v", read)
	}
	if !strings.Contains(out.String(), `errors="1"`) || strings.Contains(out.String(), "\x1b") {
		t.Errorf("written\n%s", out.String())
	}
}

// TestAnswersAreGeneratedFromAnySignature compiles what is generated for exercises of every shape of result.
func TestAnswersAreGeneratedFromAnySignature(t *testing.T) {
	for name, test := range map[string]struct {
		signature, starter string
		want               []string
	}{
		"Bool": {"func(a bool, b string) bool", "package p\n\nfunc F(a bool, b string) bool { return false }\n", []string{"empty", "constant true", "echo of a"}},
		"TwoResults": {
			"func(ctx context.Context, m map[string]int) (int, error)",
			"package p\n\nimport \"context\"\n\nfunc F(ctx context.Context, m map[string]int) (int, error) { return 0, nil }\n",
			[]string{"empty", "constant one", "constant error"},
		},
		"Nothing": {"func(a []int)", "package p\n\nfunc F(a []int) {}\n", []string{"empty"}},
		"Renamed": {
			"func(x t.Time) t.Time", "package p\n\nimport t \"time\"\n\nfunc F(x t.Time) t.Time { return x }\n", []string{"empty", "echo of x"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := &exercises.Exercise{Replaces: []exercises.Replaced{{File: "p/p.go", Starter: "starter.go", Functions: []exercises.Function{{Name: "F", Signature: test.signature}}}}}
			answers, err := author.Generate(e, []byte(test.starter))
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, a := range answers {
				names = append(names, a.Name)
				set := token.NewFileSet()
				file, err := parser.ParseFile(set, "p.go", a.Text, 0)
				if err == nil {
					_, err = (&types.Config{Importer: importer.ForCompiler(set, "source", nil)}).Check("p", set, []*ast.File{file}, nil)
				}
				if err != nil {
					t.Errorf("%s: %v\n%s", a.Name, err, a.Text)
				}
			}
			if strings.Join(names, ", ") != strings.Join(test.want, ", ") {
				t.Errorf("generated %q, want %q", names, test.want)
			}
		})
	}
}

// short leaves out what takes time and is not asked for: the crashes, and all cases but the first.
func (p *planted) short() {
	p.t.Helper()
	files, name := p.at("exercise.yaml")
	text := string(files[name].Data)
	begin, end := strings.Index(text, "# Every instant at which a crash"), strings.Index(text, "transfer: manifest")
	if begin < 0 || end < begin {
		p.t.Fatal("the part about crashes is not where it was")
	}
	files[name] = &fstest.MapFile{Data: []byte(text[:begin] + text[end:])}
	delete(files, path.Join(p.name, "probe_again.go"))

	files, name = p.at("holdout/cases.yaml")
	text = regexp.MustCompile(`(?m)^visible:.*\n(  .*\n)*`).ReplaceAllString(string(files[name].Data), "")
	cases := strings.SplitAfter(text, "\n  - name: ")
	files[name] = &fstest.MapFile{Data: []byte(strings.TrimSuffix(cases[0]+cases[1], "\n  - name: ") + "\n")}
	p.keep("cases", "rows.go")
}
