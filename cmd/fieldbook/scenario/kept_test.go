package scenario_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/runtime/fieldnotes"
)

// keptFiles is evidence as it is collected: with the source that ran.
func keptFiles(t *testing.T, runs ...string) scenario.Files {
	t.Helper()
	files := made(t, runs...)
	record, err := scenario.ParseRecord(files[scenario.RecordFile])
	if err != nil {
		t.Fatal(err)
	}
	source := []byte("package recovery\n")
	sum := sha256.Sum256(source)
	for i := range record.Runs {
		record.Runs[i].Sources = []scenario.Source{{Path: "runtime/recovery/run.go", Function: "Run", Label: scenario.Yours, SHA256: hex.EncodeToString(sum[:])}}
		record.Runs[i].Digest = scenario.SourcesDigest(record.Runs[i].Sources)
	}
	files[scenario.RecordFile] = encoded(t, record)
	files["source/run.go"] = source
	return files
}

func tree(folders map[string]scenario.Files) fstest.MapFS {
	all := fstest.MapFS{}
	for folder, files := range folders {
		for name, data := range files {
			all[strings.TrimPrefix(folder+"/"+name, "./")] = &fstest.MapFile{Data: data, Mode: 0o644}
		}
	}
	return all
}

func TestReadTree(t *testing.T) {
	happy, crash := keptFiles(t, "happy"), keptFiles(t, "crash", "happy")
	for _, test := range []struct {
		name    string
		folders map[string]scenario.Files
		want    []string
	}{
		{"a folder of evidence", map[string]scenario.Files{"crash": crash, "happy": happy, "budget-0": happy}, []string{"happy", "crash", "budget-0"}},
		{"one scenario", map[string]scenario.Files{".": happy}, []string{"given"}},
		{"a workspace", map[string]scenario.Files{"evidence/happy": happy, "lab-output": crash, "variants/naive": crash}, []string{"happy"}},
		{"an archive with a folder of its own", map[string]scenario.Files{"submission/evidence/happy": happy}, []string{"happy"}},
		{"nothing", map[string]scenario.Files{"notes": {"a.md": nil}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			all, err := scenario.ReadTree(tree(test.folders), "given")
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, e := range all {
				names = append(names, e.Name)
				if why := e.Damage(); why != "" {
					t.Errorf("%s is damaged: %s", e.Name, why)
				}
			}
			if !slices.Equal(names, test.want) {
				t.Errorf("found %v, want %v", names, test.want)
			}
		})
	}
	t.Run("one name twice", func(t *testing.T) {
		if _, err := scenario.ReadTree(tree(map[string]scenario.Files{"a/happy": happy, "b/happy": happy}), "x"); err == nil || !strings.Contains(err.Error(), "two folders for happy") {
			t.Errorf("it is read: %v", err)
		}
	})
	t.Run("too large", func(t *testing.T) {
		large := scenario.Files{scenario.RecordFile: bytes.Repeat([]byte(" "), scenario.Most+1)}
		if _, err := scenario.ReadTree(tree(map[string]scenario.Files{"happy": large}), "x"); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
			t.Errorf("it is read: %v", err)
		}
	})
}

func TestDamage(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(t *testing.T, f scenario.Files)
		says   string
	}{
		{"none", func(*testing.T, scenario.Files) {}, ""},
		{"another effect", func(t *testing.T, f scenario.Files) { edit(t, f, fieldnotes.EffectsFile, "written", "lost") }, "effects.json is not what the last run left"},
		{"another source", func(_ *testing.T, f scenario.Files) { f["source/run.go"] = []byte("package other\n") }, "evidence/happy/source/run.go is not the source that ran"},
		{"no source", func(_ *testing.T, f scenario.Files) { delete(f, "source/run.go") }, "evidence/happy/source/run.go is missing"},
		{"another digest", func(t *testing.T, f scenario.Files) {
			edit(t, f, scenario.RecordFile, `"source_digest": "`, `"source_digest": "0`)
		}, "do not have the digest that it names"},
		{"no record", func(_ *testing.T, f scenario.Files) { f[scenario.RecordFile] = []byte("{}") }, "it has format 0"},
		{"no run", func(_ *testing.T, f scenario.Files) {
			f[scenario.RecordFile] = []byte(`{"format":1,"runs":[]}`)
		}, "records no run"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := keptFiles(t, "happy")
			test.change(t, files)
			all, err := scenario.ReadTree(tree(map[string]scenario.Files{"happy": files}), "x")
			if err != nil || len(all) != 1 {
				t.Fatal(err)
			}
			if why := all[0].Damage(); (why == "") != (test.says == "") || !strings.Contains(why, test.says) {
				t.Errorf("the damage is %q, not %q", why, test.says)
			}
		})
	}
}

func TestReadFiles(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, scenario.Files{fieldnotes.TraceFile: []byte("x")})
	files, err := scenario.ReadFiles(folder, scenario.Names()...)
	if err != nil || len(files) != 1 || string(files[fieldnotes.TraceFile]) != "x" {
		t.Errorf("read %v, %v", files, err)
	}
	if files, err := scenario.ReadFiles(filepath.Join(folder, "gone"), "a"); err != nil || len(files) != 0 {
		t.Errorf("a folder that is not there holds %v, %v", files, err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(folder, fieldnotes.EffectsFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := scenario.ReadFiles(folder, scenario.Names()...); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a link is read: %v", err)
	}
}

func TestParseRecord(t *testing.T) {
	good := made(t, "happy")[scenario.RecordFile]
	if _, err := scenario.ParseRecord(good); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, old, new, says string }{
		{"another format", `"format": 1`, `"format": 2`, "format 2"},
		{"another field", `"format": 1`, `"format": 1, "grade": 1`, "grade"},
		{"a field of a run", `"budget": 3`, `"budget": 3, "grade": 1`, "grade"},
		{"an unknown scenario", `"scenario": "happy"`, `"scenario": "clean"`, "no scenario"},
		{"another command", `"fieldbook scenario happy"`, `"rm"`, "the command is not the one"},
		{"text for a number", `"budget": 3`, `"budget": "3"`, "budget"},
		{"cut off", `"runs"`, `"runs`, "JSON"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(string(good), test.old, test.new, 1)
			if _, err := scenario.ParseRecord([]byte(text)); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("refused with %v, not %q", err, test.says)
			}
		})
	}
}
