package worker

import (
	"fmt"

	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// FaultKind is how a durable operation fails.
type FaultKind string

// The kinds of fault.
const (
	NoSpace    FaultKind = "no_space"    // the disk is full: the operation is not done
	TornWrite  FaultKind = "torn_write"  // half the bytes of a write reach the file, then the disk is full
	FailedSync FaultKind = "failed_sync" // the disk does not confirm that the data is durable
)

// Fault makes one durable operation of a run fail.
type Fault struct {
	After     string    `json:"after"`     // a mark of the probe
	Before    string    `json:"before"`    // a later mark
	Operation int       `json:"operation"` // number of the operation between the two, from 1; it counts failing ones too
	Kind      FaultKind `json:"kind"`
}

// injector refuses one operation. It runs in the worker. The recorder calls watch and intercept under its lock.
type injector struct {
	fault Fault
	armed bool
	seen  int
	hit   *operation.Entry // the operation that was refused, without its data
}

// join adds the injector to what a world begins with.
func (i *injector) join(o *world.Options) {
	sink := o.Sink
	o.Sink = func(e operation.Entry) error {
		i.watch(e)
		if sink == nil {
			return nil
		}
		return sink(e)
	}
	o.Intercept = i.intercept
}

// watch is told of every entry of the log.
func (i *injector) watch(e operation.Entry) {
	if e.Kind != operation.Mark {
		return
	}
	switch e.Name {
	case i.fault.After:
		i.armed = true
	case i.fault.Before:
		i.armed = false
	}
}

// intercept is asked before every durable operation.
func (i *injector) intercept(e operation.Entry) error {
	if !i.armed {
		return nil
	}
	if i.seen++; i.seen != i.fault.Operation {
		return nil
	}
	bytes := len(e.Data)
	e.Data = nil
	i.hit = &e
	switch i.fault.Kind {
	case NoSpace:
		return operation.ErrNoSpace
	case TornWrite:
		return operation.TornWrite{Bytes: bytes / 2}
	case FailedSync:
		return operation.ErrSyncFailed
	default:
		return fmt.Errorf("an unknown fault %q", i.fault.Kind)
	}
}
