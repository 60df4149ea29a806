package fieldnotes_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/runtime/fieldnotes"
)

func TestRedact(t *testing.T) {
	type header struct {
		Token string `json:"token"`
		Name  string
	}
	for _, test := range []struct {
		name string
		in   map[string]any
		want string
	}{
		{"nil", nil, `{}`},
		{"nothing secret", map[string]any{"tool": "t", "n": 1.5}, `{"n":1.5,"tool":"t"}`},
		{"both names", map[string]any{"token": "x", "secret": "y"}, `{"secret":"[redacted]","token":"[redacted]"}`},
		{"any letter case", map[string]any{"Token": "x", "SECRET": "y"}, `{"SECRET":"[redacted]","Token":"[redacted]"}`},
		{"whole names", map[string]any{"tokens": 2, "secretary": "z"}, `{"secretary":"z","tokens":2}`},
		{"not a text", map[string]any{"token": map[string]any{"v": "x"}, "secret": []any{1}}, `{"secret":"[redacted]","token":"[redacted]"}`},
		{"in a map", map[string]any{"a": map[string]any{"b": map[string]any{"token": "x"}}}, `{"a":{"b":{"token":"[redacted]"}}}`},
		{"in a list", map[string]any{"a": []any{1, []any{map[string]any{"secret": "x", "k": true}}}}, `{"a":[1,[{"k":true,"secret":"[redacted]"}]]}`},
		{"in a typed map", map[string]any{"a": map[string]string{"token": "x"}}, `{"a":{"token":"[redacted]"}}`},
		{"in a struct", map[string]any{"a": []header{{"x", "n"}}}, `{"a":[{"Name":"n","token":"[redacted]"}]}`},
		{"in raw JSON", map[string]any{"a": json.RawMessage(`{"token":"x"}`)}, `{"a":{"token":"[redacted]"}}`},
		{"large numbers stay", map[string]any{"n": uint64(18446744073709551615)}, `{"n":18446744073709551615}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := fieldnotes.Redact(test.in)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := json.Marshal(got); err != nil || string(text) != test.want {
				t.Errorf("Redact() = %s, %v, want %s", text, err, test.want)
			}
		})
	}
	if got, err := fieldnotes.Redact(map[string]any{"f": func() {}}); err == nil {
		t.Errorf("what JSON cannot write became %v", got)
	}
}

// canary is the value of every secret that is drawn. Nothing else that is drawn can hold it.
const canary = "CANARY-7f3a"

// value draws a JSON value nested up to depth, with secrets in it.
func value(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kinds := 4
		if depth > 0 {
			kinds = 6
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "bool")
		case 2:
			return rapid.Int32().Draw(t, "int")
		case 3:
			return rapid.StringMatching(`[a-z "\\<é]{0,8}`).Draw(t, "text")
		case 4:
			return rapid.SliceOfN(value(depth-1), 0, 3).Draw(t, "list")
		default:
			return fields(depth-1).Draw(t, "map")
		}
	})
}

func fields(depth int) *rapid.Generator[map[string]any] {
	return rapid.Custom(func(t *rapid.T) map[string]any {
		m := rapid.MapOfN(rapid.StringMatching(`[a-z]{1,5}`), value(depth), 0, 3).Draw(t, "fields")
		for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"token", "secret", "Token", "SECRET", "tOkEn"}), 0, 2).Draw(t, "secrets") {
			m[name] = rapid.SampledFrom([]any{canary, []any{canary}, map[string]any{"value": canary}, map[string]any{canary: 1}}).Draw(t, "secret")
		}
		return m
	})
}

func TestNoSecretReachesTheTrace(t *testing.T) {
	folder := t.TempDir()
	outer, runs := t, 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		drawn := fields(5).Draw(t, "fields")
		before := fmt.Sprint(drawn)
		redacted, err := fieldnotes.Redact(drawn)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(redacted)
		if err != nil || bytes.Contains(text, []byte(canary)) {
			t.Fatalf("a secret is left in %s (%v)", text, err)
		}
		if fmt.Sprint(drawn) != before {
			t.Fatal("the caller's fields were changed")
		}
		again, err := fieldnotes.Redact(redacted)
		if err != nil || !reflect.DeepEqual(again, redacted) {
			t.Fatalf("redacting again changed %v to %v (%v)", redacted, again, err)
		}
		if runs > 20 { // the disk syncs
			return
		}
		notes := mustOpen(outer, folder, fieldnotes.Options{})
		if err := notes.Record("outcome", drawn); err != nil {
			t.Fatal(err)
		}
	})
	trace := mustRead(t, mustOpen(t, folder, fieldnotes.Options{}).Path(fieldnotes.TraceFile))
	if trace == "" || strings.Contains(trace, canary) {
		t.Errorf("the trace is empty or holds a secret: %s", trace)
	}
}
