package worker

import (
	"fieldbook/grader"
	"fieldbook/runtime/world"
)

// size is a number of bytes that the reply takes at least when it is encoded: the texts in it. Encoding a text of control
// characters takes many times its size, more than a worker has.
func (r Reply) size() int {
	n := len(r.Error) + crashSize(r.Crash)
	if r.Observation != nil {
		for name, v := range r.Observation.Fields() {
			n += len(name) + valueSize(v)
		}
	}
	for _, row := range r.Rows {
		n += len(row.Raises) + crashSize(row.Crash) + valueSize(row.Value)
	}
	for _, one := range r.Series {
		n += one.size()
	}
	return n
}

func crashSize(c *grader.Crash) int {
	if c == nil {
		return 0
	}
	return len(c.Message)
}

// valueSize counts one byte for a value without a text.
func valueSize(v world.Value) int {
	n := 1
	if text, ok := v.AsString(); ok {
		n += len(text)
	}
	if elements, ok := v.AsList(); ok {
		for _, e := range elements {
			n += valueSize(e)
		}
	}
	if entries, ok := v.AsMap(); ok {
		for name, e := range entries {
			n += len(name) + valueSize(e)
		}
	}
	return n
}
