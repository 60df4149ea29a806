package enter

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ReadFrame reads one frame of at most limit bytes from the request descriptor. It blocks in a plain system call, outside
// the runtime's poller: a goroutine in a pollable read would hide a deadlock of the learner's from the runtime.
func (d *Descriptors) ReadFrame(limit int) ([]byte, error) {
	var head [4]byte
	if err := d.readFull(head[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if uint64(size) > uint64(limit) {
		return nil, fmt.Errorf("a frame of %d bytes; at most %d are accepted", size, limit)
	}
	payload := make([]byte, size)
	return payload, d.readFull(payload)
}

func (d *Descriptors) readFull(buffer []byte) error {
	for len(buffer) > 0 {
		n, err := d.readRequest(buffer)
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrUnexpectedEOF
		}
		buffer = buffer[n:]
	}
	return nil
}

// WriteResult writes all of data to the result descriptor.
func (d *Descriptors) WriteResult(data []byte) error { return writeFull(d.result, data) }

// MaxLog is where the operation log is cut, in bytes.
const MaxLog = 8 << 20

// LogLimit is how much of the operation log is written, in bytes: one more than MaxLog, which tells the parent that there
// was more; or as much as a worker may write into a file. The rest is dropped.
func LogLimit(disk int64) int64 { return min(MaxLog+1, disk) }

// Log is the operation log's descriptor as a writer, for one goroutine at a time. Each Write is at least one system call:
// what was written before the process dies is in the parent's hands. limit is a LogLimit.
func (d *Descriptors) Log(limit int64) io.Writer { return &logWriter{d.log, limit} }

type logWriter struct {
	to   handle
	left int64
}

func (l *logWriter) Write(data []byte) (int, error) {
	kept := data[:min(int64(len(data)), l.left)]
	if err := writeFull(l.to, kept); err != nil {
		return 0, fmt.Errorf("writing the operation log: %w", err)
	}
	l.left -= int64(len(kept))
	return len(data), nil
}

func writeFull(to handle, data []byte) error {
	for len(data) > 0 {
		n, err := write(to, data)
		if err != nil {
			return err
		}
		if n <= 0 {
			return errors.New("nothing was written")
		}
		data = data[n:]
	}
	return nil
}
