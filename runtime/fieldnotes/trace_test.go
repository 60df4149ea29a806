package fieldnotes_test

import (
	"errors"
	"strings"
	"testing"

	"fieldbook/runtime/fieldnotes"
)

func TestTraceIgnoresAnUnfinishedLineAndCutsItOff(t *testing.T) {
	first := `{"event":"a"}` + "\n"
	for _, test := range []struct{ name, found, kept string }{
		{"whole", first, first},
		{"half a line", first + `{"eve`, first},
		{"a line without its end", first + `{"event":"b"}`, first},
		{"nothing but half a line", `{"eve`, ""},
		{"empty", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			notes := mustOpen(t, t.TempDir(), fieldnotes.Options{})
			mustWrite(t, notes.Path(fieldnotes.TraceFile), test.found)
			events, err := notes.Trace()
			if err != nil || len(events) != strings.Count(test.kept, "\n") {
				t.Errorf("Trace() = %v, %v", events, err)
			}
			if got := mustRead(t, notes.Path(fieldnotes.TraceFile)); got != test.found {
				t.Errorf("reading changed the file to %q", got)
			}
			if err := notes.Record("c", map[string]any{"n": 1}); err != nil {
				t.Fatal(err)
			}
			want := test.kept + `{"event":"c","n":1}` + "\n"
			if got := mustRead(t, notes.Path(fieldnotes.TraceFile)); got != want {
				t.Errorf("after the next event the file is %q, want %q", got, want)
			}
		})
	}
}

func TestTraceRefusesABrokenLineInTheMiddle(t *testing.T) {
	notes := mustOpen(t, t.TempDir(), fieldnotes.Options{})
	mustWrite(t, notes.Path(fieldnotes.TraceFile), `{"event":"a"}`+"\n"+`{"eve`+"\n"+`{"event":"c"}`+"\n")
	if events, err := notes.Trace(); !errors.Is(err, fieldnotes.ErrBroken) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("Trace() = %v, %v", events, err)
	}
}

func TestRecordOwnsTheNameOfTheEvent(t *testing.T) {
	notes := mustOpen(t, t.TempDir(), fieldnotes.Options{})
	fields := map[string]any{"event": "forged", "reason": fieldnotes.Allowed}
	if err := notes.Record("policy_decision", fields); err != nil {
		t.Fatal(err)
	}
	if got := mustRead(t, notes.Path(fieldnotes.TraceFile)); got != `{"event":"policy_decision","reason":"allowed"}`+"\n" {
		t.Errorf("the line is %s", got)
	}
	if fields["event"] != "forged" {
		t.Error("the caller's map was changed")
	}
}
