package submission_test

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fieldbook/handoff"
	"fieldbook/handoff/archive"
	"fieldbook/handoff/submission"
)

const source = "package assistant\n"

func mustSign(t testing.TB, unit string) []byte {
	t.Helper()
	r := handoff.Record{
		Exercise: "restore", Unit: unit, Edition: "student", StartingEvidence: "INDEPENDENT_UNIT_A",
		Runtime: handoff.Digest([]byte("runtime")), Probes: handoff.Digest([]byte("probes")),
		Engine: handoff.Component{Name: "yaegi", Version: "v0"}, Tools: []handoff.Component{{Name: "fieldbook", Version: "v0"}},
		Sandbox: handoff.Sandbox{Level: "standard", Layers: []string{"seccomp"}}, Prediction: handoff.None, Attempts: 1,
		Implementation: []handoff.File{{Path: "runtime/assistant/restore.go", Text: source}},
		Result:         json.RawMessage(`{}`), Verdict: "PASS", Previous: handoff.None,
		Environment: handoff.Environment{OS: "linux", Arch: "amd64", CPUs: 1},
	}
	data, err := handoff.Sign(r, ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// whole is a submission that is right; change makes another one of it.
func whole(t testing.TB, change func(map[string]string)) []byte {
	t.Helper()
	files := map[string]string{
		"u-a-submission-v1.json":              `{"unit":"u-a"}`,
		"u-a-handoff-v1.json":                 string(mustSign(t, "u-a")),
		"source/runtime/assistant/restore.go": source,
		"predictions/u-a.json":                "[]",
		"own/my_transfer/probe.go":            "package probe\n",
		"runs/E7.json":                        "{}",
	}
	if change != nil {
		change(files)
	}
	var list []archive.File
	for name, text := range files {
		list = append(list, archive.File{Name: name, Data: []byte(text)})
	}
	data, err := archive.Encode(archive.Submission, list)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRead(t *testing.T) {
	s, err := submission.Read(whole(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	if s.Unit != "u-a" || len(s.Handoffs) != 1 || s.Handoffs[0].Exercise != "restore" || string(s.Document) != `{"unit":"u-a"}` {
		t.Errorf("it read %+v", s)
	}
	if text, there := s.File("own/my_transfer/probe.go"); !there || string(text) != "package probe\n" {
		t.Errorf("the probe is %q", text)
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change     func(map[string]string)
		code, says string
	}{
		"NoDocument":       {func(f map[string]string) { delete(f, "u-a-submission-v1.json") }, "submission_incomplete", "no submission file"},
		"NoHandoff":        {func(f map[string]string) { delete(f, "u-a-handoff-v1.json") }, "submission_incomplete", "no handoff"},
		"Unexpected":       {func(f map[string]string) { f["diary.txt"] = "" }, "submission_unexpected", `"diary.txt"`},
		"UnexpectedFolder": {func(f map[string]string) { f["backups/x"] = "" }, "submission_unexpected", `"backups/x"`},
		"TwoDocuments":     {func(f map[string]string) { f["u-b-submission-v1.json"] = `{"unit":"u-b"}` }, "submission_unexpected", "u-b-submission-v1.json"},
		"OtherName":        {func(f map[string]string) { f["u-a-submission-v1.json"] = `{"unit":"u-b"}` }, "submission_document", `the unit "u-b"`},
		"NoJSON":           {func(f map[string]string) { f["u-a-submission-v1.json"] = `{"unit":` }, "submission_document", "not as Fieldbook writes it"},
		"OtherUnit":        {func(f map[string]string) { f["u-a-handoff-v1.json"] = string(mustSign(t, "u-b")) }, "submission_other_unit", "of unit u-b"},
		"ChangedHandoff": {func(f map[string]string) {
			f["u-a-handoff-v1.json"] = strings.Replace(f["u-a-handoff-v1.json"], "sig", "sug", 1)
		}, "", "u-a-handoff-v1.json: "},
		"OtherSource": {func(f map[string]string) { f["source/runtime/assistant/restore.go"] = "package other\n" }, "submission_other_source", "is not the file"},
		"NoSource":    {func(f map[string]string) { delete(f, "source/runtime/assistant/restore.go") }, "submission_other_source", "is not the file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := submission.Read(whole(t, c.change))
			var known *handoff.Error
			if !errors.As(err, &known) || c.code != "" && known.Code != c.code || !strings.Contains(known.Message, c.says) || known.Hint == "" {
				t.Errorf("error %v, want code %s and %q", err, c.code, c.says)
			}
		})
	}
	t.Run("Workspace", func(t *testing.T) {
		data, err := archive.Encode(archive.Workspace, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := submission.Read(data); err == nil {
			t.Error("an exported workspace was taken for a submission")
		}
	})
	t.Run("TooLarge", func(t *testing.T) {
		if _, err := submission.Read(make([]byte, submission.MaxBytes+1)); err == nil {
			t.Error("it was accepted")
		}
	})
}

// FuzzRead holds that whatever an instructor is handed is either read or refused in words.
func FuzzRead(f *testing.F) {
	f.Add(whole(f, nil))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := submission.Read(data)
		var known *handoff.Error
		if err != nil && !errors.As(err, &known) {
			t.Errorf("an error without words: %v", err)
		}
		if err == nil && (s.Unit == "" || len(s.Handoffs) == 0) {
			t.Errorf("it read %+v", s)
		}
	})
}
