package sandbox

import (
	"fmt"
	"os"
	"runtime"
)

// launcher starts processes from one thread that lives as long as the pool. On Linux a worker is killed when the thread
// that started it exits; started from an ordinary goroutine, it would die whenever the Go runtime retires a thread.
type launcher struct {
	program program
	calls   chan func()
}

func newLauncher(options Options) (*launcher, error) {
	program, err := findProgram(options)
	if err != nil {
		return nil, fmt.Errorf("finding the worker's program: %w", err)
	}
	l := &launcher{program: program, calls: make(chan func())}
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		for call := range l.calls {
			call()
		}
	}()
	return l, nil
}

// launch starts a worker process that waits for its configuration.
func (l *launcher) launch(how way, memory int64) (c *child, err error) {
	done := make(chan struct{})
	l.calls <- func() {
		defer close(done)
		c, err = l.program.start(how, memory)
	}
	<-done
	return c, err
}

func (l *launcher) close() {
	close(l.calls)
	l.program.close()
}

// ends are the parent's ends of a worker's descriptors.
type ends struct {
	request                            *os.File // written
	result, log, crash, stdout, stderr *os.File // read
	keeps                              bool     // log is a file that keeps what is written, no pipe
}

// pipes makes a worker's pipes: the parent's ends, and the worker's ends in the order stdout, stderr, request, result,
// log, crash. On error everything is closed.
func pipes() (parent ends, worker []*os.File, err error) {
	var all []*os.File
	pair := func(make func() (reads, writes *os.File, err error)) (reads, writes *os.File) {
		if err != nil {
			return nil, nil
		}
		if reads, writes, err = make(); err == nil {
			all = append(all, reads, writes)
		}
		return reads, writes
	}
	worker = make([]*os.File, 6)
	parent.stdout, worker[0] = pair(os.Pipe)
	parent.stderr, worker[1] = pair(os.Pipe)
	worker[2], parent.request = pair(os.Pipe)
	parent.result, worker[3] = pair(os.Pipe)
	parent.log, worker[4] = pair(parent.makeLog)
	parent.crash, worker[5] = pair(os.Pipe)
	if err != nil {
		closeAll(all)
		return ends{}, nil, err
	}
	return parent, worker, nil
}

func (e *ends) readEnds() []*os.File {
	return []*os.File{e.result, e.log, e.crash, e.stdout, e.stderr}
}

func (e *ends) close() { closeAll(append(e.readEnds(), e.request)) }

func closeAll(files []*os.File) {
	for _, file := range files {
		_ = file.Close() // nil is an error too, and harmless
	}
}
