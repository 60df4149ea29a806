package enter

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// Config is what the parent tells a worker before it enters: the first frame on the request descriptor.
type Config struct {
	Role       string        // which of the program's functions it will run; this package does not look at it
	Ahead      string        // for the function, before the worker is ready
	Standing   bool          // it will serve one request after another
	Scratch    bool          // profile scratch: path calls stay allowed inside the scratch folder
	Folder     string        // the scratch folder when the parent made it; "" when the worker's own mount holds it
	Namespaces bool          // the process was started in its own user, mount and process-id namespaces
	CPU        time.Duration // of the run; the kernel's own limit is the next full second but one, the parent is finer
	Memory     int64         // bytes of address space beyond what the process has when it enters
	Disk       int64         // bytes of scratch, and of any one file
	Without    []string      // layers to leave out, by name: how the lower levels are tested on a better machine
}

// Layer is one part of the sandbox as the worker found it.
type Layer struct {
	Name   string // one of the names in the package comment
	Active bool
	Detail string // what is on, or why it is not
}

// Report is the worker's answer to Config: the first frame on the result descriptor.
type Report struct {
	Layers []Layer
	Folder string // the scratch folder as the worker sees it; "" in profile pure
	Rooted bool   // a descriptor of the scratch folder was sent over the start-up socket
	Failed string // not empty: the worker could not enter and has ended; the parent may try with less
}

// ReadyByte is the payload of the frame that says that the worker waits for its request.
const ReadyByte = 'R'

// MaxStartFrame bounds the frames of this package. A length above it was not written by a worker.
const MaxStartFrame = 64 << 10

var errShort = errors.New("the frame ends too early")

// Frame is payload with its length before it: four bytes, big endian.
func Frame(payload []byte) []byte {
	return append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(payload)), uint32(len(payload))), payload...)
}

// Encode is the configuration as a frame's payload.
func (c Config) Encode() []byte {
	var e encoder
	e.text(c.Role)
	e.text(c.Ahead)
	e.flag(c.Standing)
	e.flag(c.Scratch)
	e.text(c.Folder)
	e.flag(c.Namespaces)
	e.number(int64(c.CPU))
	e.number(c.Memory)
	e.number(c.Disk)
	e.number(int64(len(c.Without)))
	for _, name := range c.Without {
		e.text(name)
	}
	return e
}

// DecodeConfig is the inverse of Config.Encode.
func DecodeConfig(payload []byte) (Config, error) {
	d := decoder{rest: payload}
	c := Config{
		Role:       d.text(),
		Ahead:      d.text(),
		Standing:   d.flag(),
		Scratch:    d.flag(),
		Folder:     d.text(),
		Namespaces: d.flag(),
		CPU:        time.Duration(d.number()),
		Memory:     d.number(),
		Disk:       d.number(),
	}
	for range d.count() {
		c.Without = append(c.Without, d.text())
	}
	return c, d.end("configuration")
}

// Encode is the report as a frame's payload.
func (r Report) Encode() []byte {
	var e encoder
	e.number(int64(len(r.Layers)))
	for _, layer := range r.Layers {
		e.text(layer.Name)
		e.flag(layer.Active)
		e.text(layer.Detail)
	}
	e.text(r.Folder)
	e.flag(r.Rooted)
	e.text(r.Failed)
	return e
}

// DecodeReport is the inverse of Report.Encode.
func DecodeReport(payload []byte) (Report, error) {
	d := decoder{rest: payload}
	var r Report
	for range d.count() {
		r.Layers = append(r.Layers, Layer{Name: d.text(), Active: d.flag(), Detail: d.text()})
	}
	r.Folder = d.text()
	r.Rooted = d.flag()
	r.Failed = d.text()
	return r, d.end("report")
}

// encoder appends values: numbers as varints, texts with their length before them.
type encoder []byte

func (e *encoder) number(n int64) { *e = binary.AppendVarint(*e, n) }

func (e *encoder) text(s string) {
	e.number(int64(len(s)))
	*e = append(*e, s...)
}

func (e *encoder) flag(on bool) {
	if on {
		e.number(1)
	} else {
		e.number(0)
	}
}

// decoder takes values off the front of rest. After the first error it returns zero values.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) number() int64 {
	n, size := binary.Varint(d.rest)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

// count is a number of elements, each of which takes at least one byte of what follows.
func (d *decoder) count() int {
	n := d.number()
	if n < 0 || n > int64(len(d.rest)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) text() string {
	n := d.count()
	s := string(d.rest[:n])
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) flag() bool { return d.number() == 1 }

func (d *decoder) fail() {
	d.rest = nil
	if d.err == nil {
		d.err = errShort
	}
}

func (d *decoder) end(what string) error {
	if d.err == nil && len(d.rest) > 0 {
		d.err = fmt.Errorf("%d bytes too many", len(d.rest))
	}
	if d.err != nil {
		return fmt.Errorf("reading the worker's %s: %w", what, d.err)
	}
	return nil
}
