package handoff_test

import (
	"bytes"
	"testing"

	"fieldbook/handoff"
)

// FuzzRead looks for bytes that are read without having been signed: whatever is accepted must be one of the handoffs that
// this test signed itself. Everything else must be refused in a way that can be shown.
func FuzzRead(f *testing.F) {
	short := vectorRecord()
	short.Implementation = short.Implementation[:1]
	known := [][]byte{
		mustSign(f, vectorRecord(), vectorKey()),
		mustSign(f, vectorRecord(), otherKey()),
		mustSign(f, short, vectorKey()),
	}
	for _, data := range known {
		f.Add(data)
	}
	for _, change := range append(append(unsignedChanges(f), signedChanges(f)...), signedFieldChanges(f)...) {
		f.Add(change.data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := handoff.Read(data); err != nil {
			_ = refusal(t, data)
			return
		}
		for _, k := range known {
			if bytes.Equal(data, k) {
				return
			}
		}
		t.Fatalf("accepted, and never signed: %q", data)
	})
}

// FuzzStatement signs whatever the fuzzer makes of a statement. What is accepted must mean what it says: signing the record
// that was read gives the same bytes.
func FuzzStatement(f *testing.F) {
	f.Add(vectorPayload(f))
	for _, change := range append(signedChanges(f), signedFieldChanges(f)...) {
		f.Add(open(f, change.data).payload(f))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if len(payload) > handoff.MaxSize/2 {
			return
		}
		data := sealed(t, payload, vectorKey())
		h, err := handoff.Read(data)
		if err != nil {
			_ = refusal(t, data)
			return
		}
		if again := mustSign(t, h.Record, vectorKey()); !bytes.Equal(again, data) {
			t.Fatalf("read %+v, which is written as %q", h.Record, again)
		}
	})
}
