package holdout_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"sync"
	"testing"

	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// plain is a value as ordinary JSON.
func plain(t *testing.T, v world.Value) json.RawMessage {
	t.Helper()
	var convert func(world.Value) any
	convert = func(v world.Value) any {
		if list, ok := v.AsList(); ok {
			out := make([]any, len(list))
			for i := range list {
				out[i] = convert(list[i])
			}
			return out
		}
		if entries, ok := v.AsMap(); ok {
			out := map[string]any{}
			for k, e := range entries {
				out[k] = convert(e)
			}
			return out
		}
		switch v.Kind() {
		case world.Bool:
			b, _ := v.AsBool()
			return b
		case world.Int:
			n, _ := v.AsInt()
			return n
		case world.Float:
			f, _ := v.AsFloat()
			return f
		case world.String:
			s, _ := v.AsString()
			return s
		}
		return nil
	}
	data, err := json.Marshal(convert(v))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// scratch is a folder for one world, in memory where the system has such a place: a thousand worlds that sync as the runtime
// must would otherwise measure the disk.
func scratch(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "fieldbook-holdout-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// job and reply are the runner's.
type job struct {
	Exercise string
	Answer   string
	Probe    string                 `json:",omitempty"`
	Root     string                 `json:",omitempty"`
	Seed     uint64                 `json:",omitempty"`
	Case     map[string]world.Value `json:",omitempty"`
	Links    map[string]string      `json:",omitempty"`
	Points   map[string]string      `json:",omitempty"`
	Data     bool                   `json:",omitempty"`
	Args     []json.RawMessage      `json:",omitempty"`
}

type reply struct {
	Observation *world.Observation
	Log         []operation.Entry
	Result      json.RawMessage
	Changed     bool
	Error       string
	Unfinished  bool
}

// perform has one process run the jobs, in their order.
func perform(t *testing.T, binary string, jobs []job) []reply {
	t.Helper()
	var replies []reply
	performUntil(t, binary, jobs, func(_ int, r reply) bool {
		replies = append(replies, r)
		return false
	})
	return replies
}

// performUntil has one process run the jobs, in their order, and gives each reply to enough, until that reports true.
func performUntil(t *testing.T, binary string, jobs []job, enough func(i int, r reply) bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var failed bytes.Buffer
	cmd.Stderr = &failed
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end := sync.OnceValue(func() error { return errors.Join(in.Close(), cmd.Wait()) })
	defer end()
	encoder, decoder := json.NewEncoder(in), json.NewDecoder(out)
	for i, j := range jobs {
		var r reply
		err := encoder.Encode(j)
		if err == nil {
			err = decoder.Decode(&r)
		}
		if err != nil {
			ended := end()
			text := failed.String()
			t.Fatalf("job %d: %v; the runner ended with %v:\n%s", i+1, err, ended, text[:min(len(text), 4000)])
		}
		if enough(i, r) {
			break
		}
	}
	if err := end(); err != nil {
		t.Fatalf("the runner ended with %v:\n%s", err, failed.String())
	}
}
