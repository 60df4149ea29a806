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

// Log is the operation log's descriptor as a writer. Each Write is at least one system call: what was written before the
// process dies is in the parent's hands.
func (d *Descriptors) Log() io.Writer { return logWriter{d} }

type logWriter struct{ descriptors *Descriptors }

func (l logWriter) Write(data []byte) (int, error) {
	if err := writeFull(l.descriptors.log, data); err != nil {
		return 0, fmt.Errorf("writing the operation log: %w", err)
	}
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
