package probe_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbook/grader/probe"
	"fieldbook/runtime/world"
)

func TestReaderReadsDocuments(t *testing.T) {
	const (
		last    = `SELECT value ->> '$.event' FROM document ORDER BY number DESC LIMIT 1`
		missing = `SELECT count(*) = 0 FROM document`
	)
	for _, test := range []struct {
		name, file, text, query string
		want                    world.Value
	}{
		{"a text", "state.json", `{"phase":"stopped"}`, `SELECT value ->> '$.phase' FROM document`, world.StringValue("stopped")},
		{"a number", "state.json", `{"left":2}`, `SELECT value ->> '$.left' FROM document`, world.IntValue(2)},
		{"a fraction", "state.json", `{"left":2.0}`, `SELECT value ->> '$.left' FROM document`, world.FloatValue(2)},
		{"a truth value", "state.json", `{"done":true}`, `SELECT value ->> '$.done' FROM document`, world.BoolValue(true)},
		{"null", "state.json", `{"done":null}`, `SELECT value ->> '$.done' FROM document`, world.NullValue()},
		{"a missing field", "state.json", `{}`, `SELECT value ->> '$.done' FROM document`, world.NullValue()},
		{"the kind of a value", "state.json", `{"done":1}`, `SELECT json_type(value, '$.done') FROM document`, world.StringValue("integer")},
		{"number of fields", "state.json", `{"a":1,"b":2}`, `SELECT count(*) FROM document, json_each(document.value)`, world.IntValue(2)},
		{"a file that is there", "state.json", `{}`, missing, world.BoolValue(false)},
		{"a file that is missing", "", "", missing, world.BoolValue(true)},
		{"the last line", "log.jsonl", "{\"event\":\"a\"}\n{\"event\":\"b\"}\n", last, world.StringValue("b")},
		{"an unfinished line is none", "log.jsonl", "{\"event\":\"a\"}\n{\"event\":\"b\"}", last, world.StringValue("a")},
		{"half a line is none", "log.jsonl", "{\"event\":\"a\"}\n{\"ev", last, world.StringValue("a")},
		{"lines are counted", "log.jsonl", "1\n2\n3\n", `SELECT count(*) FROM document`, world.IntValue(3)},
		{"no line", "log.jsonl", "", `SELECT count(*) FROM document`, world.IntValue(0)},
		{"the table cannot be changed", "state.json", `1`, `DELETE FROM document RETURNING value`, world.Value{}},
		{"broken", "state.json", `{"phase"`, missing, world.Value{}},
		{"two values", "state.json", `{} {}`, missing, world.Value{}},
		{"empty", "state.json", ``, missing, world.Value{}},
		{"a broken line", "log.jsonl", "{\n{}\n", missing, world.Value{}},
		{"too large", "state.json", `"` + strings.Repeat("x", 1<<20) + `"`, missing, world.Value{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			artifact := test.file
			if artifact == "" {
				artifact = "none.json"
			} else if err := os.WriteFile(filepath.Join(folder, artifact), []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			reader := probe.NewReader(folder)
			defer reader.Close()
			got, err := reader.Value(context.Background(), artifact, test.query, test.want.Kind())
			if unreadable := (*probe.UnreadableError)(nil); test.want.Kind() == world.Absent && !errors.As(err, &unreadable) {
				t.Errorf("Value() = %s, %v, want an UnreadableError", got, err)
			} else if test.want.Kind() != world.Absent && (err != nil || !got.Equal(test.want)) {
				t.Errorf("Value() = %s %s, %v, want %s", got.Kind(), got, err, test.want)
			}
		})
	}
}

func TestReaderReadsNoDocumentThroughALink(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "real.txt"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.txt", filepath.Join(folder, "state.json")); err != nil {
		t.Skip("SKIPPED LOUDLY: this system lets nobody make a link, so none was followed")
	}
	reader := probe.NewReader(folder)
	defer reader.Close()
	if got, err := reader.Value(context.Background(), "state.json", "SELECT value FROM document", world.Absent); err == nil {
		t.Errorf("the link was followed to %s", got)
	}
}
