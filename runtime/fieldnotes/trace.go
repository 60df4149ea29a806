package fieldnotes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"fieldbook/runtime/files"
)

// Record appends an event to the trace: one line, one write, one sync. The trace explains what a run did and decides
// nothing. Secrets are redacted at every depth before anything is written; see Redact.
func (n *Notebook) Record(event string, fields map[string]any) (err error) {
	span := n.begin("fieldnotes.Record", TraceFile, event)
	defer func() { span.End(err, 0) }()
	return n.append(event, fields)
}

// Trace reads the events of the trace in their order. A last line that is not terminated was never finished: it is ignored.
func (n *Notebook) Trace() (events []map[string]any, err error) {
	span := n.begin("fieldnotes.Trace", TraceFile, "")
	defer func() { span.End(err, 0) }()
	if err = n.alive(); err != nil {
		return nil, err
	}
	data, err := files.Read(n.Path(TraceFile))
	if errors.Is(err, files.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for number := 1; ; number++ {
		line, rest, terminated := bytes.Cut(data, []byte("\n"))
		if !terminated {
			return events, nil
		}
		var event map[string]any
		if err = decode(line, &event); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w: %w", TraceFile, number, ErrBroken, err)
		}
		events, data = append(events, event), rest
	}
}

func (n *Notebook) append(event string, fields map[string]any) error {
	if err := n.alive(); err != nil {
		return err
	}
	redacted, err := Redact(fields)
	if err != nil {
		return fmt.Errorf("redact the event %s: %w", event, err)
	}
	redacted["event"] = event
	line, err := json.Marshal(redacted)
	if err != nil {
		return err
	}
	path := n.Path(TraceFile)
	isNew, err := cutUnfinished(path)
	if err != nil {
		return fmt.Errorf("cut off an unfinished line: %w", err)
	}
	file, err := files.Append(path)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil && isNew {
		err = files.SyncFolder(n.folder)
	}
	return err
}

// cutUnfinished cuts off what a crash left after the last line's end, durably: another line appended to it would spoil
// both. It reports whether there is no file yet.
func cutUnfinished(path string) (isNew bool, err error) {
	data, err := files.Read(path)
	if errors.Is(err, files.ErrNotExist) {
		return true, nil
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	if err != nil || whole == len(data) {
		return whole == 0, err
	}
	if err := files.Truncate(path, int64(whole)); err != nil {
		return false, err
	}
	return whole == 0, files.Sync(path)
}
