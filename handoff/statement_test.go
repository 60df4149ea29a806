package handoff_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"fieldbook/handoff"
	"fieldbook/handoff/canonical"
)

// signedChanges are statements that the owner of a key signs rightly and that are no handoffs all the same.
func signedChanges(t testing.TB) []tampered {
	payload := vectorPayload(t)
	var all []tampered
	add := func(name, code string, payload []byte) {
		all = append(all, tampered{"signed: " + name, code, sealed(t, payload, vectorKey())})
	}
	replaced := func(from, to string) []byte { return replaceOnce(t, payload, from, to) }
	changed := func(change func(statement, predicate map[string]any)) []byte {
		return changeStatement(t, payload, change)
	}

	add("a space", handoff.CodeNotCanonical, append([]byte(" "), payload...))
	add("a line feed after", handoff.CodeNotCanonical, append(bytes.Clone(payload), '\n'))
	add("keys in another order", handoff.CodeNotCanonical, append([]byte(`{"predicateType":"https://fieldbook.example/handoff/v1",`), replaced(`"predicateType":"https://fieldbook.example/handoff/v1",`, "")[1:]...))
	add("a key twice", handoff.CodeNotCanonical, replaced(`"unit":"ch19-a"`, `"unit":"ch19-b","unit":"ch19-a"`))
	add("an unusable public key before it", handoff.CodeKey, replaced(`"public_key":`, `"public_key":"","public_key":`))
	add("a second public key after it", handoff.CodeNotCanonical, replaced(`"public_key":"`+spki64(vectorKey())+`"`,
		`"public_key":"`+spki64(vectorKey())+`","public_key":"`+spki64(otherKey())+`"`))
	add("an escaped character", handoff.CodeNotCanonical, replaced(`"unit":"ch19-a"`, `"unit":"ch19\u002da"`))
	add("a fraction", handoff.CodeKey, replaced(`"attempts":3`, `"attempts":3.0`))
	add("a large number", handoff.CodeKey, replaced(`"attempts":3`, `"attempts":9007199254740992`))
	add("a fraction after the key", handoff.CodeStatement, replaced(`"rows":[[1,`, `"rows":[[1.0,`))
	add("bytes that are not UTF-8", handoff.CodeStatement, replaced(`"unit":"ch19-a"`, "\"unit\":\"ch19\xff\""))
	add("a lone surrogate", handoff.CodeStatement, replaced(`"unit":"ch19-a"`, `"unit":"\ud800"`))
	add("text for a number", handoff.CodeStatement, replaced(`"attempts":3`, `"attempts":"3"`))
	add("a number for text", handoff.CodeStatement, replaced(`"unit":"ch19-a"`, `"unit":19`))

	add("another statement type", handoff.CodeStatement, replaced("https://in-toto.io/Statement/v1", "https://in-toto.io/Statement/v2"))
	add("another predicate", handoff.CodeOtherType, replaced("https://fieldbook.example/handoff/v1", "https://slsa.dev/provenance/v1"))
	add("a later version", handoff.CodeOtherType, replaced("https://fieldbook.example/handoff/v1", "https://fieldbook.example/handoff/v2"))
	add("no subject", handoff.CodeStatement, changed(func(s, _ map[string]any) { s["subject"] = []any{} }))
	add("two subjects", handoff.CodeStatement, changed(func(s, _ map[string]any) { s["subject"] = append(s["subject"].([]any), s["subject"].([]any)[0]) }))
	add("another subject", handoff.CodeStatement, replaced(`"name":"implementation"`, `"name":"solution"`))
	add("a second digest", handoff.CodeStatement, replaced(`{"sha256":`, `{"sha1":"","sha256":`))
	add("another digest", handoff.CodeDigest, replaced(handoff.ImplementationDigest(vectorRecord().Implementation), handoff.Digest(nil)))
	add("another implementation", handoff.CodeDigest, replaced(`package assistant\n`, `package assistent\n`))
	add("files in another order", handoff.CodeStatement, changed(func(_, p map[string]any) {
		files := p["implementation"].([]any)
		files[0], files[1] = files[1], files[0]
	}))
	add("a public key in another case before it", handoff.CodeStatement, replaced(`"public_key":`, `"public_Key":"","public_key":`))
	// The Kelvin sign folds to k, so encoding/json takes this key, which comes later, for the same one.
	add("a public key in another case after it", handoff.CodeKey, replaced(`"public_key":"`+spki64(vectorKey())+`"`,
		`"public_key":"`+spki64(vectorKey())+"\",\"public_\u212aey\":\""+spki64(otherKey())+`"`))
	add("a time with an offset", handoff.CodeStatement, replaced("2026-03-03T08:00:00Z", "2026-03-03T09:00:00+01:00"))
	add("a time with zero offset", handoff.CodeStatement, replaced("2026-03-03T08:00:00Z", "2026-03-03T08:00:00+00:00"))
	add("a time with a fraction", handoff.CodeStatement, replaced("2026-03-03T08:00:00Z", "2026-03-03T08:00:00.5Z"))
	add("a time in no calendar", handoff.CodeStatement, replaced("2026-03-03T08:00:00Z", "2026-02-30T08:00:00Z"))
	return all
}

// signedFieldChanges are more of them: every key of the statement and of each object in it missing, null, spelt in another
// case, and joined by an unknown one; and every record that Sign refuses.
func signedFieldChanges(t testing.TB) []tampered {
	payload := vectorPayload(t)
	var all []tampered
	add := func(name, code string, payload []byte) {
		all = append(all, tampered{name, code, sealed(t, payload, vectorKey())})
	}
	for _, path := range keyPaths(t, payload) {
		name := strings.Join(path, ".")
		on := func(change func(object map[string]any, key string)) []byte {
			return changeStatement(t, payload, func(s, _ map[string]any) { change(walk(s, path[:len(path)-1]), path[len(path)-1]) })
		}
		code := handoff.CodeStatement
		switch name {
		case "predicate", "predicate.public_key":
			code = handoff.CodeKey
		case "predicateType":
			code = handoff.CodeOtherType
		}
		add("no "+name, code, on(func(o map[string]any, key string) { delete(o, key) }))
		add("null "+name, code, on(func(o map[string]any, key string) { o[key] = nil }))
		if name == "predicateType" {
			code = handoff.CodeStatement // the decoder that looks for a newer version is as forgiving as encoding/json
		}
		add("capital "+name, code, on(func(o map[string]any, key string) {
			o[strings.ToUpper(key)] = o[key]
			delete(o, key)
		}))
		add("unknown key beside "+name, handoff.CodeStatement, on(func(o map[string]any, key string) { o[key+"_"] = "" }))
	}

	for name, bad := range badRecords() {
		r := vectorRecord()
		bad.change(&r)
		if name == "endless limit" {
			r.Limits.Memory = -1 // no canonical statement holds a number beyond MaxInteger
		}
		encoded, err := json.Marshal(r)
		if err != nil || strings.HasPrefix(name, "result ") {
			continue // the statement around such a result is not canonical itself, which signedChanges has
		}
		add(name, handoff.CodeStatement, changeStatement(t, payload, func(_, p map[string]any) {
			for key, value := range decodeObject(t, encoded) {
				p[key] = value
			}
		}))
	}
	return all
}

func vectorPayload(t testing.TB) []byte {
	return open(t, mustSign(t, vectorRecord(), vectorKey())).payload(t)
}

// changeStatement decodes a statement, lets change work on it and on its predicate, and encodes it again.
func changeStatement(t testing.TB, payload []byte, change func(statement, predicate map[string]any)) []byte {
	statement := decodeObject(t, payload)
	change(statement, statement["predicate"].(map[string]any))
	out, err := canonical.Marshal(statement)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func decodeObject(t testing.TB, data []byte) map[string]any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		t.Fatal(err)
	}
	return object
}

// keyPaths are the paths of all keys of a statement, those inside the result and inside lists left out.
func keyPaths(t testing.TB, payload []byte) [][]string {
	var paths [][]string
	var visit func(object map[string]any, above []string)
	visit = func(object map[string]any, above []string) {
		for key, value := range object {
			path := append(append([]string{}, above...), key)
			paths = append(paths, path)
			if inside, ok := value.(map[string]any); ok && key != "result" {
				visit(inside, path)
			}
		}
	}
	visit(decodeObject(t, payload), nil)
	return paths
}

func walk(object map[string]any, path []string) map[string]any {
	for _, key := range path {
		object = object[key].(map[string]any)
	}
	return object
}

func TestSignedChanges(t *testing.T) {
	changes := append(signedChanges(t), signedFieldChanges(t)...)
	if len(changes) < 200 {
		t.Errorf("only %d changes", len(changes))
	}
	for _, test := range changes {
		t.Run(test.name, func(t *testing.T) {
			if refused := refusal(t, test.data); refused.Code != test.code {
				t.Errorf("%s: %s; want %s", refused.Code, refused.Message, test.code)
			}
		})
	}
}

func TestLaterVersionIsNamed(t *testing.T) {
	payload := vectorPayload(t)
	later := replaceOnce(t, payload, "https://fieldbook.example/handoff/v1", "https://fieldbook.example/handoff/v2")
	refused := refusal(t, sealed(t, later, vectorKey()))
	if refused.Message != `the handoff has format "v2"; this program reads v1` || !strings.Contains(refused.Hint, "newer") {
		t.Errorf("%s (%s)", refused.Message, refused.Hint)
	}
}
