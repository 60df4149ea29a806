package enter

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestConfigRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Config{
			Role:       rapid.String().Draw(t, "role"),
			Scratch:    rapid.Bool().Draw(t, "scratch"),
			Folder:     rapid.String().Draw(t, "folder"),
			Namespaces: rapid.Bool().Draw(t, "namespaces"),
			CPU:        time.Duration(rapid.Int64().Draw(t, "cpu")),
			Memory:     rapid.Int64().Draw(t, "memory"),
			Disk:       rapid.Int64().Draw(t, "disk"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "layers") {
			want.Without = append(want.Without, rapid.String().Draw(t, "layer"))
		}
		if got, err := DecodeConfig(want.Encode()); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, %v, want %+v", got, err, want)
		}
	})
}

func TestReportRoundTrip(t *testing.T) {
	want := Report{
		Layers: []Layer{{"landlock", true, "version 7"}, {"seccomp", false, "no"}},
		Folder: "/scratch", Rooted: true, Failed: "…",
	}
	got, err := DecodeReport(want.Encode())
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for cut := range want.Encode() {
		if _, err := DecodeReport(want.Encode()[:cut]); err == nil {
			t.Errorf("a report cut after %d bytes was accepted", cut)
		}
	}
	if _, err := DecodeReport(append(want.Encode(), 0)); err == nil {
		t.Error("a report with a byte too many was accepted")
	}
}

func FuzzDecodeReport(f *testing.F) {
	f.Add(Report{Layers: []Layer{{"seccomp", true, "x"}}, Folder: "/scratch"}.Encode())
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, payload []byte) {
		if r, err := DecodeReport(payload); err == nil {
			if again, err := DecodeReport(r.Encode()); err != nil || !reflect.DeepEqual(again, r) {
				t.Errorf("%+v became %+v, %v", r, again, err)
			}
		}
	})
}

func FuzzDecodeConfig(f *testing.F) {
	f.Add(Config{Folder: "/x", Without: []string{"seccomp"}}.Encode())
	f.Fuzz(func(t *testing.T, payload []byte) {
		if c, err := DecodeConfig(payload); err == nil {
			if again, err := DecodeConfig(c.Encode()); err != nil || !reflect.DeepEqual(again, c) {
				t.Errorf("%+v became %+v, %v", c, again, err)
			}
		}
	})
}
