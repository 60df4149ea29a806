package operation_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/runtime/operation"
)

func encodeAll(t interface{ Fatal(...any) }, entries []operation.Entry) []byte {
	var b bytes.Buffer
	for _, e := range entries {
		if err := operation.Encode(&b, e); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestDecode(t *testing.T) {
	const (
		call  = `{"seq":1,"kind":"call","name":"files.Read","subject":"a","file":"runtime/assistant/restore.go","line":4}` + "\n"
		write = `{"seq":2,"kind":"write","call":1,"path":"a/b","offset":24,"data":"AAEC"}` + "\n"
		back  = `{"seq":3,"kind":"return","call":1,"changed":2}` + "\n"
	)
	tests := []struct {
		name  string
		text  string
		count int    // entries returned
		err   string // part of the error; empty: none
	}{
		{"empty", "", 0, ""},
		{"three entries", call + write + back, 3, ""},
		{"SQL is not escaped", `{"seq":1,"kind":"call","name":"database.Exec","detail":"a <> b && c"}` + "\n", 1, ""},
		{"unfinished line", call + write[:20], 1, "unexpected EOF"},
		{"no end of the last line", strings.TrimSuffix(call, "\n"), 0, "unexpected EOF"},
		{"empty line", call + "\n", 1, "line 2"},
		{"not JSON", "hello\n", 0, "line 1"},
		{"white space", `{"seq":1, "kind":"mark","name":"x"}` + "\n", 0, "not written the way"},
		{"reordered", `{"kind":"mark","seq":1,"name":"x"}` + "\n", 0, "not written the way"},
		{"duplicate key", `{"seq":1,"kind":"mark","name":"x","name":"x"}` + "\n", 0, "not written the way"},
		{"another case", `{"seq":1,"kind":"mark","Name":"x"}` + "\n", 0, "not written the way"},
		{"unknown key", `{"seq":1,"kind":"mark","name":"x","more":1}` + "\n", 0, "not written the way"},
		{"zero written out", `{"seq":1,"kind":"mark","name":"x","line":0}` + "\n", 0, "not written the way"},
		{"trailing data", `{"seq":1,"kind":"mark","name":"x"}{}` + "\n", 0, "line 1"},
		{"invalid UTF-8", "{\"seq\":1,\"kind\":\"mark\",\"name\":\"\xff\"}\n", 0, "not written the way"},
		{"unknown kind", `{"seq":1,"kind":"chmod","path":"a"}` + "\n", 0, "unknown kind"},
		{"a gap", strings.Replace(call, `"seq":1`, `"seq":2`, 1), 0, "numbered 2"},
		{"path above the root", `{"seq":1,"kind":"create","path":"../a"}` + "\n", 0, "under the root"},
		{"absolute path", `{"seq":1,"kind":"create","path":"/a"}` + "\n", 0, "under the root"},
		{"no path", `{"seq":1,"kind":"create"}` + "\n", 0, "under the root"},
		{"rename to above the root", `{"seq":1,"kind":"rename","path":"a","to":"b/../../c"}` + "\n", 0, "under the root"},
		{"the root itself", `{"seq":1,"kind":"sync_folder","path":"."}` + "\n", 1, ""},
		{"data after the error", `{"seq":1,"kind":"write","path":"a","err":"x","data":"AAEC"}` + "\n", 0, "not written the way"},
		{"data and then the error", `{"seq":1,"kind":"write","path":"a","data":"AAEC","err":"x"}` + "\n", 1, ""},
		{"data twice", `{"seq":1,"kind":"write","path":"a","data":"AAEC","data":"AAEC"}` + "\n", 0, "not written the way"},
		{"no data written out", `{"seq":1,"kind":"write","path":"a","data":""}` + "\n", 0, "not written the way"},
		{"data with a line break", `{"seq":1,"kind":"write","path":"a","data":"AA\nEC"}` + "\n", 0, "not written the way"},
		{"data with its last bits set", `{"seq":1,"kind":"write","path":"a","data":"AAF="}` + "\n", 0, "not written the way"},
		{"data that is no base64", `{"seq":1,"kind":"write","path":"a","data":"*"}` + "\n", 0, "line 1"},
		{"data in a name", `{"seq":1,"kind":"mark","name":",\"data\":\"AAEC\""}` + "\n", 1, ""},
		{"field of another kind", `{"seq":1,"kind":"create","path":"a","data":"AA=="}` + "\n", 0, "cannot have"},
		{"line on a durable operation", `{"seq":1,"kind":"create","path":"a","line":3}` + "\n", 0, "cannot have"},
		{"negative offset", `{"seq":1,"kind":"write","path":"a","offset":-1,"data":"AA=="}` + "\n", 0, "out of range"},
		{"offset too large", `{"seq":1,"kind":"write","path":"a","offset":67108864,"data":"AA=="}` + "\n", 0, "out of range"},
		{"size too large", `{"seq":1,"kind":"truncate","path":"a","size":67108865}` + "\n", 0, "out of range"},
		{"largest size", `{"seq":1,"kind":"truncate","path":"a","size":67108864}` + "\n", 1, ""},
		{"number too large for Go", `{"seq":1,"kind":"truncate","path":"a","size":9223372036854775808}` + "\n", 0, "line 1"},
		{"return without call", `{"seq":1,"kind":"return"}` + "\n", 0, "no open call"},
		{"second return", call + `{"seq":2,"kind":"return","call":1}` + "\n" + `{"seq":3,"kind":"return","call":1}` + "\n", 2, "no open call"},
		{"operation of no call", call + `{"seq":2,"kind":"sync","call":7,"path":"a"}` + "\n", 1, "names 7"},
		{"call inside a field", `{"seq":1,"kind":"call","call":1,"name":"x"}` + "\n", 0, "cannot have"},
		{"long text", `{"seq":1,"kind":"mark","name":"` + strings.Repeat("x", 513) + `"}` + "\n", 0, "longer than 512"},
		{"longest text", `{"seq":1,"kind":"mark","name":"` + strings.Repeat("x", 512) + `"}` + "\n", 1, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := operation.Decode(strings.NewReader(test.text), 1<<20)
			if len(got) != test.count {
				t.Errorf("%d entries, want %d", len(got), test.count)
			}
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if strings.Contains(test.err, "EOF") && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("error %v is no io.ErrUnexpectedEOF", err)
			}
		})
	}
	t.Run("exactly the limit and one byte more", func(t *testing.T) {
		text := call + write
		if got, err := operation.Decode(strings.NewReader(text), int64(len(text))); err != nil || len(got) != 2 {
			t.Errorf("%d entries, error %v", len(got), err)
		}
		if _, err := operation.Decode(strings.NewReader(text), int64(len(text))-1); !errors.Is(err, operation.ErrLogTooLong) {
			t.Errorf("error %v", err)
		}
	})
}

func TestEncodeDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := drawLog(t)
		got, err := operation.Decode(bytes.NewReader(encodeAll(t, entries)), 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) > 0 && !reflect.DeepEqual(got, entries) {
			t.Fatalf("read back\n%+v\nwant\n%+v", got, entries)
		}
	})
}

// A log that comes in pieces, cut anywhere and wrong anywhere, is read as it is in one piece.
func TestDecoderTakesPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := encodeAll(t, drawLog(t))
		if len(data) > 0 && rapid.Bool().Draw(t, "spoil") {
			data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] ^= 1
		}
		limit := int64(rapid.IntRange(0, len(data)+1).Draw(t, "limit"))
		want, wrong := operation.Decode(bytes.NewReader(data), limit)
		d := operation.NewDecoder(limit)
		var added []operation.Entry
		for rest := data; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			piece := bytes.Clone(rest[:n])
			added = append(added, d.Add(piece)...)
			clear(piece) // nothing of it is kept
			rest = rest[n:]
		}
		got, err := d.End()
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(added, want) {
			t.Fatalf("read\n%+v, added\n%+v, want\n%+v", got, added, want)
		}
		if fmt.Sprint(err) != fmt.Sprint(wrong) {
			t.Fatalf("error %v, want %v", err, wrong)
		}
	})
}

// drawLog draws any log that Decode accepts.
func drawLog(t *rapid.T) []operation.Entry {
	text := rapid.StringN(0, 40, 200)
	path := rapid.SampledFrom([]string{"a", "b", "c/d", "c/e", "f-wal", "é\"<"})
	failure := rapid.SampledFrom([]string{"", "", "", "no space"})
	var entries []operation.Entry
	var calls, open []int
	for range rapid.IntRange(0, 12).Draw(t, "length") {
		e := operation.Entry{Seq: len(entries) + 1}
		e.Kind = rapid.SampledFrom([]operation.Kind{
			operation.Create, operation.Write, operation.Truncate, operation.Sync, operation.Rename, operation.Remove,
			operation.Folder, operation.SyncFolder, operation.Call, operation.Return, operation.Mark,
		}).Draw(t, "kind")
		if e.Kind.Durable() {
			e.Path, e.Err = path.Draw(t, "path"), failure.Draw(t, "err")
			if len(calls) > 0 {
				e.Call = rapid.SampledFrom(append([]int{0}, calls...)).Draw(t, "call")
			}
		}
		switch e.Kind {
		case operation.Write:
			e.Offset = rapid.Int64Range(0, operation.FileLimit-64).Draw(t, "offset")
			if data := rapid.SliceOfN(rapid.Byte(), 0, 64).Draw(t, "data"); len(data) > 0 {
				e.Data = data
			}
		case operation.Truncate:
			e.Size = rapid.Int64Range(0, operation.FileLimit).Draw(t, "size")
		case operation.Rename:
			e.To = path.Draw(t, "to")
		case operation.Call:
			e.Name, e.Detail, e.Subject = text.Draw(t, "name"), text.Draw(t, "detail"), text.Draw(t, "subject")
			e.File, e.Line = text.Draw(t, "file"), rapid.IntRange(0, 99).Draw(t, "line")
			calls, open = append(calls, e.Seq), append(open, e.Seq)
		case operation.Return:
			if len(open) == 0 {
				continue
			}
			e.Call, open = open[len(open)-1], open[:len(open)-1]
			e.Changed, e.Err = rapid.Int64().Draw(t, "changed"), text.Draw(t, "err")
		case operation.Mark:
			e.Name = text.Draw(t, "name")
		}
		entries = append(entries, e)
	}
	return entries
}

// Whatever Decode accepts is written again as the same bytes, and can be applied to a tree without a crash.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"seq":1,"kind":"create","path":"a"}` + "\n" + `{"seq":2,"kind":"write","path":"a","data":"AA=="}` + "\n"))
	f.Add([]byte(`{"seq":1,"kind":"call","name":"x"}` + "\n" + `{"seq":2,"kind":"return","call":1,"err":"<"}` + "\n"))
	f.Add([]byte(`{"seq":1,"kind":"folder","path":"a"}` + "\n" + `{"seq":2,"kind":"rename","path":"a","to":"a/b"}` + "\n"))
	f.Add([]byte(`{"seq":1,"kind":"truncate","path":"a","size":67108864}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := operation.Decode(bytes.NewReader(data), 1<<20)
		again := encodeAll(t, entries)
		if !bytes.HasPrefix(data, again) || err == nil && !bytes.Equal(data, again) {
			t.Fatalf("accepted %q and wrote %q", data, again)
		}
		tree := operation.NewTree()
		for _, e := range entries {
			_ = tree.Apply(e)
		}
	})
}
