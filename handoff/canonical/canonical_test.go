package canonical_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/handoff/canonical"
)

func TestFormat(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"scalars":                {`[ true, false , null, 0, -1, 9007199254740991, -9007199254740991 ]`, `[true,false,null,0,-1,9007199254740991,-9007199254740991]`},
		"empty":                  {" {\n} ", `{}`},
		"empty list":             {"[\t]", `[]`},
		"keys ascend":            {`{"b":1,"a":2,"":3,"B":4,"aa":5}`, `{"":3,"B":4,"a":2,"aa":5,"b":1}`},
		"keys ascend everywhere": {`[{"b":{"d":1,"c":2},"a":[{"f":1,"e":2}]}]`, `[{"a":[{"e":2,"f":1}],"b":{"c":2,"d":1}}]`},
		"escapes in keys":        {`{"\u0062":1,"a":2}`, `{"a":2,"b":1}`},
		"least escaping":         {`"\u0041\/\u00e9<>&\u2028\u007f"`, "\"A/é<>&\u2028\x7f\""},
		"control characters":     {`"\u0000\u0008\u0009\u000a\u000b\u000c\u000d\u001F"`, `"\u0000\b\t\n\u000b\f\r\u001f"`},
		"quote and backslash":    {`"\u0022\u005c\\\""`, `"\"\\\\\""`},
		"surrogate pair":         {`"\ud83c\udF66"`, `"🍦"`},
		"replacement character":  {"\"\ufffd\"", "\"\ufffd\""},
		// RFC 8785, section 3.2.3.
		"RFC 8785 sorting": {
			`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
			"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := canonical.Format([]byte(test.in))
			if err != nil || string(got) != test.want {
				t.Fatalf("Format(%s)\n got %q, %v\nwant %q", test.in, got, err, test.want)
			}
			if err := canonical.Check(got); err != nil {
				t.Errorf("Check refuses what Format wrote: %v", err)
			}
			if err := canonical.Check([]byte(test.in)); (err == nil) != (test.in == test.want) {
				t.Errorf("Check(%s) = %v", test.in, err)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := map[string]struct {
		in      string
		problem canonical.Problem
		offset  int
		detail  string
	}{
		"nothing":              {"", canonical.Truncated, 0, "ends before it is complete"},
		"space alone":          {" \n", canonical.Truncated, 2, "ends before"},
		"text cut off":         {`["ab`, canonical.Truncated, 4, "ends before"},
		"escape cut off":       {`["\`, canonical.Truncated, 3, "ends before"},
		"hex cut off":          {`["\u00`, canonical.Truncated, 6, "ends before"},
		"pair cut off":         {`["\ud83d`, canonical.Truncated, 8, "ends before"},
		"pair cut off later":   {`["\ud83d\`, canonical.Truncated, 9, "ends before"},
		"pair cut off in hex":  {`["\ud83d\ud`, canonical.Truncated, 11, "ends before"},
		"character cut off":    {"[\"\xe2\x82", canonical.Truncated, 4, "ends before"},
		"number cut off":       {`[12`, canonical.Truncated, 3, "ends before"},
		"sign cut off":         {`-`, canonical.Truncated, 1, "ends before"},
		"word cut off":         {`[tru`, canonical.Truncated, 4, "ends before"},
		"key cut off":          {`{"a"`, canonical.Truncated, 4, "ends before"},
		"colon cut off":        {`{"a":`, canonical.Truncated, 5, "ends before"},
		"member cut off":       {`{"a":1`, canonical.Truncated, 6, "ends before"},
		"after a comma":        {`{"a":1,`, canonical.Truncated, 7, "ends before"},
		"byte order mark":      {"\ufeff{}", canonical.NotCanonical, 0, "byte order mark"},
		"no JSON":              {"PASS", canonical.Malformed, 0, `"PASS" stands where a value belongs`},
		"escape sequences":     {"\x1b[31m", canonical.Malformed, 0, `"\x1b[31m" stands where a value belongs`},
		"single quotes":        {`{'a':1}`, canonical.Malformed, 1, "where a key belongs"},
		"no colon":             {`{"a" 1}`, canonical.Malformed, 5, "where a colon belongs"},
		"comma before the end": {`{"a":1,}`, canonical.Malformed, 7, "where a key belongs"},
		"comma in a list":      {`[1,]`, canonical.Malformed, 3, "where a value belongs"},
		"no comma":             {`[1 2]`, canonical.Malformed, 3, "where a comma or the end of a list belongs"},
		"wrong bracket":        {`{"a":1]`, canonical.Malformed, 6, "where a comma or the end of an object belongs"},
		"other word":           {`nul1`, canonical.Malformed, 0, "where a value belongs"},
		"NaN":                  {`NaN`, canonical.Malformed, 0, "where a value belongs"},
		"plus sign":            {`+1`, canonical.Malformed, 0, "where a value belongs"},
		"sign alone":           {`[-]`, canonical.Malformed, 2, "where a digit belongs"},
		"leading zero":         {`01`, canonical.Malformed, 0, "leading zero"},
		"negative zero":        {`-0`, canonical.Number, 0, "negative zero"},
		"raw line feed":        {"\"a\nb\"", canonical.Malformed, 2, "control character"},
		"unknown escape":       {`"\x41"`, canonical.Malformed, 1, "unknown escape"},
		"bad hex":              {`"\u00g0"`, canonical.Malformed, 3, "hexadecimal"},
		"signed hex":           {`"\u+041"`, canonical.Malformed, 3, "hexadecimal"},
		"fraction":             {`[1.0]`, canonical.Number, 1, "fraction"},
		"exponent":             {`[1e2]`, canonical.Number, 1, "exponent"},
		"too large":            {`9007199254740992`, canonical.Number, 0, "2^53-1"},
		"too small":            {`-9007199254740992`, canonical.Number, 0, "2^53-1"},
		"far too large":        {`[` + strings.Repeat("9", 400) + `]`, canonical.Number, 1, "2^53-1"},
		"Latin-1":              {"\"caf\xe9s\"", canonical.NotUTF8, 4, "not UTF-8"},
		"overlong":             {"\"\xc0\xafs\"", canonical.NotUTF8, 1, "not UTF-8"},
		"encoded surrogate":    {"\"\xed\xa0\xbds\"", canonical.NotUTF8, 1, "not UTF-8"},
		"lone high surrogate":  {`"\ud83d"`, canonical.NotUTF8, 1, "half of a surrogate pair"},
		"lone low surrogate":   {`"\ude00"`, canonical.NotUTF8, 1, "half of a surrogate pair"},
		"two high surrogates":  {`"\ud83d\ud83d"`, canonical.NotUTF8, 1, "half of a surrogate pair"},
		"high and other":       {`"\ud83d\n"`, canonical.NotUTF8, 1, "half of a surrogate pair"},
		"replaced bytes":       {`"\ufffd"`, canonical.NotUTF8, 1, `\ufffd`},
		"same key":             {`{"a":1,"b":2,"a":3}`, canonical.Duplicate, 18, `the key "a" twice`},
		"same key, escaped":    {`{"a":1,"\u0061":3}`, canonical.Duplicate, 17, `the key "a" twice`},
		"same key inside":      {`[{"x":{"a":1,"a":1}}]`, canonical.Duplicate, 18, `the key "a" twice`},
		"a second document":    {`{}{}`, canonical.Trailing, 2, `"{}" follows the end`},
		"NUL at the end":       {"{}\x00", canonical.Trailing, 2, `"\x00" follows the end`},
		"too deep":             {deep(canonical.MaxDepth + 1), canonical.TooDeep, canonical.MaxDepth, "deeper than 64"},
		"far too deep":         {strings.Repeat(`{"a":`, 1<<20), canonical.TooDeep, 5 * canonical.MaxDepth, "deeper than 64"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := canonical.Format([]byte(test.in))
			var refused *canonical.Error
			if !errors.As(err, &refused) {
				t.Fatalf("Format = %q, %v; want a refusal", got, err)
			}
			if refused.Problem != test.problem || refused.Offset != test.offset || !strings.Contains(refused.Detail, test.detail) {
				t.Errorf("Format: %s at %d: %s\nwant %s at %d: …%s…", refused.Problem, refused.Offset, refused.Detail, test.problem, test.offset, test.detail)
			}
		})
	}
	t.Run("as deep as allowed", func(t *testing.T) {
		if err := canonical.Check([]byte(deep(canonical.MaxDepth))); err != nil {
			t.Error(err)
		}
	})
}

func TestCheckShowsTheDifference(t *testing.T) {
	err := canonical.Check([]byte(`{"a":1, "b":2}`))
	if err == nil || err.Error() != `byte 7: " \"b\":2}" stands where the canonical form has "\"b\":2}"` {
		t.Errorf("Check: %v", err)
	}
	err = canonical.Check([]byte("[1]\n"))
	if err == nil || err.Error() != `byte 3: "\n" stands where the canonical form has the end` {
		t.Errorf("Check: %v", err)
	}
}

func TestMarshal(t *testing.T) {
	type inner struct {
		Z string          `json:"z"`
		A json.RawMessage `json:"a"`
	}
	got, err := canonical.Marshal(inner{Z: "<\u2028>", A: json.RawMessage(`{"y":1,"x":[]}`)})
	if want := "{\"a\":{\"x\":[],\"y\":1},\"z\":\"<\u2028>\"}"; err != nil || string(got) != want {
		t.Errorf("Marshal = %q, %v; want %q", got, err, want)
	}
	for name, v := range map[string]any{
		"bytes that are not UTF-8": "caf\xe9",
		"a key that is not UTF-8":  map[string]int{"caf\xe9": 1},
		"a fraction":               0.5,
		"a channel":                make(chan int),
	} {
		if got, err := canonical.Marshal(v); err == nil {
			t.Errorf("Marshal accepts %s: %s", name, got)
		}
	}
	if got, err := canonical.Marshal("\ufffd \\ufffd"); err != nil || string(got) != "\"\ufffd \\\\ufffd\"" {
		t.Errorf("Marshal of a real U+FFFD = %q, %v", got, err)
	}
}

// document draws values that encoding/json and the canonical form both have.
func document() *rapid.Generator[any] {
	scalar := rapid.OneOf(
		rapid.Map(rapid.Int64Range(-canonical.MaxInteger, canonical.MaxInteger), func(n int64) any { return json.Number(itoa(n)) }),
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Just[any](nil),
	)
	return rapid.OneOf(scalar, nest(nest(scalar)))
}

func nest(element *rapid.Generator[any]) *rapid.Generator[any] {
	return rapid.OneOf(element,
		rapid.Map(rapid.SliceOfN(element, 0, 5), func(l []any) any { return append([]any{}, l...) }),
		rapid.Map(rapid.MapOfN(rapid.String(), element, 0, 5), func(m map[string]any) any { return m }),
	)
}

func itoa(n int64) string { b, _ := json.Marshal(n); return string(b) }

func decode(t interface{ Fatalf(string, ...any) }, data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("encoding/json refuses %q: %v", data, err)
	}
	return v
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := document().Draw(t, "document")
		data, err := canonical.Marshal(v)
		if err != nil {
			t.Fatalf("Marshal: %v", err)
		}
		if err := canonical.Check(data); err != nil {
			t.Fatalf("Check(%q): %v", data, err)
		}
		if got := decode(t, data); !reflect.DeepEqual(got, v) {
			t.Fatalf("encoding/json reads %q as %#v, want %#v", data, got, v)
		}
		indented, _ := json.MarshalIndent(v, " ", "\t")
		if again, err := canonical.Format(indented); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("Format of the indented document = %q, %v; want %q", again, err, data)
		}
		for n := range data {
			var refused *canonical.Error
			_, err := canonical.Format(data[:n])
			if data[0] != '{' && data[0] != '[' && data[0] != '"' {
				break // a prefix of a number is a number
			}
			if !errors.As(err, &refused) || refused.Problem != canonical.Truncated {
				t.Fatalf("Format(%q) = %v; want truncated", data[:n], err)
			}
		}
	})
}

func FuzzFormat(f *testing.F) {
	for _, seed := range []string{`{"b":1,"a":[true,null,"\ud83c\udf66"]}`, `[-12,""]`, `{"a":1,"a":2}`, "\ufeff{}", `"\u0000"`, `1.5`, "\"\xff\""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := canonical.Format(data)
		if err != nil {
			var refused *canonical.Error
			if !errors.As(err, &refused) || refused.Offset < 0 || refused.Offset > len(data) {
				t.Fatalf("refusal %#v of %q", err, data)
			}
			return
		}
		if err := canonical.Check(out); err != nil {
			t.Fatalf("Check refuses Format's output %q: %v", out, err)
		}
		if got, want := decode(t, out), decode(t, data); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q means %#v, %q means %#v", out, got, data, want)
		}
	})
}
