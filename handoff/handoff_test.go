package handoff_test

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fieldbook/handoff"
	"fieldbook/handoff/canonical"
)

func TestSignAndRead(t *testing.T) {
	want := vectorRecord()
	data := mustSign(t, want, vectorKey())
	h, err := handoff.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(h.Record, want) {
		t.Errorf("Read = %+v\nwant %+v", h.Record, want)
	}
	public := vectorKey().Public().(ed25519.PublicKey)
	if !h.PublicKey.Equal(public) || h.KeyID != handoff.KeyID(public) {
		t.Errorf("signer = %x, %s", h.PublicKey, h.KeyID)
	}
	if h.Digest != handoff.Digest(data) || h.ImplementationDigest != handoff.ImplementationDigest(want.Implementation) {
		t.Errorf("digests = %s, %s", h.Digest, h.ImplementationDigest)
	}
	if again := mustSign(t, h.Record, vectorKey()); !slices.Equal(again, data) {
		t.Error("the same record and key give other bytes")
	}
}

func TestSignNormalises(t *testing.T) {
	r := vectorRecord()
	r.Tools, r.Sandbox.Layers = nil, nil
	r.Environment.Created = time.Date(2026, time.March, 3, 9, 0, 0, 999, time.FixedZone("CET", 3600))
	h, err := handoff.Read(mustSign(t, r, vectorKey()))
	if err != nil {
		t.Fatal(err)
	}
	if h.Tools == nil || h.Sandbox.Layers == nil || !h.Environment.Created.Equal(vectorRecord().Environment.Created) {
		t.Errorf("Read = %+v", h.Record)
	}
}

// badRecords are changes after which no handoff can hold the record, and what is said of each.
func badRecords() map[string]struct {
	change func(*handoff.Record)
	says   string
} {
	type bad = struct {
		change func(*handoff.Record)
		says   string
	}
	files := func(f ...handoff.File) func(*handoff.Record) { return func(r *handoff.Record) { r.Implementation = f } }
	path := func(path string) bad {
		return bad{files(handoff.File{Path: path}), `the field "implementation[0].path" is not a path inside the runtime`}
	}
	result := func(result string) func(*handoff.Record) {
		return func(r *handoff.Record) { r.Result = json.RawMessage(result) }
	}
	return map[string]bad{
		"no exercise":           {func(r *handoff.Record) { r.Exercise = "" }, `the field "exercise" is empty`},
		"no unit":               {func(r *handoff.Record) { r.Unit = "" }, `the field "unit" is empty`},
		"no edition":            {func(r *handoff.Record) { r.Edition = "" }, `the field "edition" is empty`},
		"no starting evidence":  {func(r *handoff.Record) { r.StartingEvidence = "" }, `the field "starting_evidence" is empty`},
		"no engine":             {func(r *handoff.Record) { r.Engine.Name = "" }, `the field "engine.name" is empty`},
		"no engine version":     {func(r *handoff.Record) { r.Engine.Version = "" }, `the field "engine.version" is empty`},
		"no tool version":       {func(r *handoff.Record) { r.Tools[1].Version = "" }, `the field "tools[1].version" is empty`},
		"no sandbox level":      {func(r *handoff.Record) { r.Sandbox.Level = "" }, `the field "sandbox.level" is empty`},
		"empty layer":           {func(r *handoff.Record) { r.Sandbox.Layers[0] = "" }, `the field "sandbox.layers[0]" is empty`},
		"no verdict":            {func(r *handoff.Record) { r.Verdict = "" }, `the field "verdict" is empty`},
		"no machine":            {func(r *handoff.Record) { r.Environment.OS = "" }, `the field "environment.os" is empty`},
		"escape sequence":       {func(r *handoff.Record) { r.Unit = "ch19\x1b[2J" }, `the field "unit" holds characters other than printable ASCII`},
		"line feed":             {func(r *handoff.Record) { r.Unit = "ch19\n" }, `the field "unit" holds characters other than printable ASCII`},
		"letters beyond ASCII":  {func(r *handoff.Record) { r.Unit = "ch19-é" }, `the field "unit" holds characters other than printable ASCII`},
		"text turned round":     {func(r *handoff.Record) { r.Unit = "ch19\u202eb" }, `the field "unit" holds characters other than printable ASCII`},
		"long text":             {func(r *handoff.Record) { r.Unit = strings.Repeat("x", 201) }, `the field "unit" is longer than 200 bytes`},
		"runtime not a digest":  {func(r *handoff.Record) { r.Runtime = "none" }, `the field "runtime" is not a SHA-256`},
		"probes in upper case":  {func(r *handoff.Record) { r.Probes = strings.ToUpper(r.Probes) }, `the field "probes" is not a SHA-256`},
		"prediction cut off":    {func(r *handoff.Record) { r.Prediction = r.Prediction[1:] }, `the field "prediction" is not a SHA-256`},
		"no previous":           {func(r *handoff.Record) { r.Previous = "" }, `the field "previous" is not a SHA-256`},
		"negative attempts":     {func(r *handoff.Record) { r.Attempts = -1 }, `the field "attempts" is not between 0 and 2^53-1`},
		"endless limit":         {func(r *handoff.Record) { r.Limits.Memory = canonical.MaxInteger + 1 }, `the field "limits.memory_bytes" is not between`},
		"too many tools":        {func(r *handoff.Record) { r.Tools = make([]handoff.Component, 65) }, `the field "tools" is not a list of at most 64`},
		"no result":             {result(""), `the field "result" is not an object`},
		"result is a list":      {result(`[]`), `the field "result" is not an object`},
		"result with space":     {result(`{"a": 1}`), `the field "result" is not in canonical JSON: byte 5`},
		"result unordered":      {result(`{"b":1,"a":2}`), `the field "result" is not in canonical JSON: byte 2`},
		"result with fraction":  {result(`{"a":0.5}`), `the field "result" is not in canonical JSON: byte 5`},
		"result cut off":        {result(`{"a":1`), `the field "result" is not in canonical JSON: byte 6`},
		"no files":              {files(), `the field "implementation" does not have 1 to 64 files`},
		"too many files":        {files(make([]handoff.File, 65)...), `the field "implementation" does not have 1 to 64 files`},
		"files out of order":    {files(handoff.File{Path: "b.go"}, handoff.File{Path: "a.go"}), `do not ascend by path`},
		"one file twice":        {files(handoff.File{Path: "a.go"}, handoff.File{Path: "a.go"}), `do not ascend by path`},
		"names like each other": {files(handoff.File{Path: "A.go"}, handoff.File{Path: "a.go"}), `differ in case alone`},
		"no path":               path(""),
		"absolute path":         path("/etc/passwd"),
		"path above":            path("../restore.go"),
		"path above inside":     path("runtime/../../restore.go"),
		"path here":             path("./restore.go"),
		"path of a folder":      path("runtime/"),
		"hidden path":           path("runtime/.git"),
		"path like an option":   path("-rf"),
		"backslashes":           path(`runtime\restore.go`),
		"drive":                 path("C:restore.go"),
		"dot at the end":        path("restore.go."),
		"long path":             path(strings.Repeat("a", 201)),
		"path in Unicode":       path("rést.go"),
	}
}

func TestSignRefuses(t *testing.T) {
	bad := badRecords()
	bad["file not UTF-8"] = struct {
		change func(*handoff.Record)
		says   string
	}{func(r *handoff.Record) { r.Implementation[1].Text = "caf\xe9" }, `the field "implementation[1].text" is not UTF-8`}
	bad["more than a file may hold"] = struct {
		change func(*handoff.Record)
		says   string
	}{func(r *handoff.Record) { r.Implementation[0].Text = strings.Repeat("x", handoff.MaxSize) }, `bytes and may have 4194304`}
	for name, test := range bad {
		t.Run(name, func(t *testing.T) {
			r := vectorRecord()
			test.change(&r)
			data, err := handoff.Sign(r, vectorKey())
			var refused *handoff.Error
			if data != nil || !errors.As(err, &refused) {
				t.Fatalf("Sign = %d bytes, %v; want a refusal", len(data), err)
			}
			if refused.Kind != handoff.Machine || refused.Code != handoff.CodeRecord || !strings.Contains(err.Error(), test.says) {
				t.Errorf("refused with %s: %v\nwant …%s…", refused.Code, err, test.says)
			}
		})
	}
}

func TestLargestHandoff(t *testing.T) {
	r := vectorRecord()
	r.Implementation = r.Implementation[:1]
	spare := handoff.MaxSize - len(mustSign(t, r, vectorKey()))
	r.Implementation[0].Text = strings.Repeat("x", spare/4*3)
	data := mustSign(t, r, vectorKey())
	if len(data) > handoff.MaxSize || len(data) < handoff.MaxSize-64 {
		t.Errorf("the handoff has %d bytes", len(data))
	}
}

func TestVerify(t *testing.T) {
	data := mustSign(t, vectorRecord(), vectorKey())
	r := vectorRecord()
	everything := handoff.Expect{Exercise: r.Exercise, Unit: r.Unit, Edition: r.Edition, Runtime: r.Runtime, Probes: r.Probes}
	other := handoff.Digest(nil)
	tests := map[string]struct {
		want    handoff.Expect
		code    string
		message string
	}{
		"OK":            {everything, "", ""},
		"nothing asked": {handoff.Expect{}, "", ""},
		"exercise":      {handoff.Expect{Exercise: "manifest"}, handoff.CodeOtherExercise, "the handoff is for the exercise restore and not for manifest"},
		"unit":          {handoff.Expect{Unit: "ch19-b"}, handoff.CodeOtherUnit, "the handoff is for the unit ch19-a and not for ch19-b"},
		"edition":       {handoff.Expect{Edition: "2027"}, handoff.CodeOtherEdition, "the handoff is for the edition student and not for 2027"},
		"runtime":       {handoff.Expect{Runtime: other}, handoff.CodeOtherRuntime, "the handoff is for the teaching runtime " + r.Runtime + " and not for " + other},
		"probes":        {handoff.Expect{Probes: other}, handoff.CodeOtherProbes, "the handoff is for the probe set " + r.Probes + " and not for " + other},
		"first of many": {handoff.Expect{Unit: "ch19-b", Runtime: other, Probes: other}, handoff.CodeOtherUnit, "the handoff is for the unit ch19-a and not for ch19-b"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h, err := handoff.Verify(data, test.want)
			if test.code == "" {
				if err != nil || h == nil || h.Exercise != "restore" {
					t.Fatalf("Verify = %v, %v", h, err)
				}
				return
			}
			var refused *handoff.Error
			if h != nil || !errors.As(err, &refused) || refused.Code != test.code || refused.Message != test.message || refused.Hint == "" || refused.Kind != handoff.Invalid {
				t.Errorf("Verify = %v, %#v; want %s: %s", h, err, test.code, test.message)
			}
		})
	}
	t.Run("a damaged one", func(t *testing.T) {
		h, err := handoff.Verify(data[:100], everything)
		var refused *handoff.Error
		if h != nil || !errors.As(err, &refused) || refused.Code != handoff.CodeTruncated || refused.Message != "the handoff is cut off after 100 bytes" {
			t.Errorf("Verify = %v, %v", h, err)
		}
	})
}

func TestImplementationDigest(t *testing.T) {
	// printf 'a\n' > a.go; printf 'b\n' > b.go; sha256sum a.go b.go | sha256sum
	const want = "c880e34b99de30bb05a66ddc0b6ee27942fa3b819083406eae2fd0d3b7b32bef"
	got := handoff.ImplementationDigest([]handoff.File{{Path: "a.go", Text: "a\n"}, {Path: "b.go", Text: "b\n"}})
	if got != want {
		t.Errorf("ImplementationDigest = %s, sha256sum gives %s", got, want)
	}
}

// records draws any record that a handoff can hold.
func records() *rapid.Generator[handoff.Record] {
	return rapid.Custom(func(t *rapid.T) handoff.Record {
		word := rapid.StringMatching(`[ -~]{1,40}`)
		digest := rapid.Map(rapid.SliceOf(rapid.Byte()), handoff.Digest)
		optional := rapid.OneOf(digest, rapid.Just(handoff.None))
		count := rapid.Int64Range(0, canonical.MaxInteger)
		duration := rapid.Map(count, func(n int64) time.Duration { return time.Duration(n) })
		component := rapid.Custom(func(t *rapid.T) handoff.Component {
			return handoff.Component{Name: word.Draw(t, "name"), Version: word.Draw(t, "version")}
		})
		paths := rapid.SliceOfNDistinct(rapid.StringMatching(`([a-z0-9_][a-z0-9._-]{0,5}[a-z0-9_]/){0,3}[a-z_]{1,8}\.go`), 1, 5, rapid.ID[string]).Draw(t, "paths")
		slices.Sort(paths)
		var files []handoff.File
		for _, p := range paths {
			files = append(files, handoff.File{Path: p, Text: rapid.String().Draw(t, "text")})
		}
		result, err := canonical.Marshal(rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.String())).Draw(t, "result"))
		if err != nil {
			t.Fatal(err)
		}
		return handoff.Record{
			Exercise: word.Draw(t, "exercise"), Unit: word.Draw(t, "unit"), Edition: word.Draw(t, "edition"),
			StartingEvidence: word.Draw(t, "starting evidence"), Verdict: word.Draw(t, "verdict"),
			Runtime: digest.Draw(t, "runtime"), Probes: digest.Draw(t, "probes"),
			Prediction: optional.Draw(t, "prediction"), Previous: optional.Draw(t, "previous"),
			Engine:  component.Draw(t, "engine"),
			Tools:   rapid.SliceOfN(component, 1, 4).Draw(t, "tools"),
			Sandbox: handoff.Sandbox{Level: word.Draw(t, "level"), Layers: rapid.SliceOfN(word, 1, 4).Draw(t, "layers")},
			Limits: handoff.Limits{Wall: duration.Draw(t, "wall"), CPU: duration.Draw(t, "cpu"), Memory: count.Draw(t, "memory"),
				Output: count.Draw(t, "output"), Disk: count.Draw(t, "disk")},
			Attempts:       count.Draw(t, "attempts"),
			Implementation: files,
			Result:         result,
			Environment: handoff.Environment{Created: time.Unix(rapid.Int64Range(0, 1<<37).Draw(t, "created"), 0).UTC(),
				Elapsed: duration.Draw(t, "elapsed"), OS: word.Draw(t, "os"), Arch: word.Draw(t, "arch"), CPUs: count.Draw(t, "cpus")},
		}
	})
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := records().Draw(t, "record")
		key := ed25519.NewKeyFromSeed(rapid.SliceOfN(rapid.Byte(), ed25519.SeedSize, ed25519.SeedSize).Draw(t, "seed"))
		data, err := handoff.Sign(want, key)
		if err != nil {
			t.Fatalf("Sign: %v", err)
		}
		h, err := handoff.Read(data)
		if err != nil {
			t.Fatalf("Read: %v", err)
		}
		if !reflect.DeepEqual(h.Record, want) || !h.PublicKey.Equal(key.Public()) {
			t.Fatalf("Read = %+v\nwant %+v", h.Record, want)
		}
		at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
		flipped := slices.Clone(data)
		flipped[at] ^= rapid.ByteRange(1, 255).Draw(t, "flip")
		if h, err := handoff.Read(flipped); err == nil {
			t.Fatalf("Read accepts byte %d changed: %+v", at, h)
		}
	})
}
