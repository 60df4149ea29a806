package sandbox

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/sandbox/enter"
)

// startTimeout bounds a trusted worker's way to its ready frame. It takes milliseconds; a machine that needs seconds is
// under a load that says nothing about the learner.
const startTimeout = 20 * time.Second

// worker is a started process, ready for one run (a native one: entered, and about to initialise learner packages).
type worker struct {
	child    *child
	ready    bool
	scratch  *scratch // nil in profile Pure
	level    string
	layers   []Layer
	ahead    string        // what it was given before it was ready
	standing bool          // serves one job after another
	rested   bool          // a standing one has done its job and can do another
	before   sample        // what it had used when it was ready for its job; zero for a native one
	exited   chan struct{} // closed when the process has been waited for
	state    *os.ProcessState
}

// launch starts a worker in one way and brings it to readiness. missing is why it is not a better way.
func (p *Pool) launch(ctx context.Context, wanted shape, how way, missing error) (w *worker, err error) {
	config := enter.Config{
		Role:       wanted.role,
		Ahead:      wanted.ahead,
		Standing:   wanted.standing,
		Scratch:    wanted.profile == Scratch,
		Namespaces: how.isolated,
		CPU:        wanted.cpu,
		Memory:     wanted.memory,
		Disk:       wanted.disk,
		Without:    p.options.Without,
	}
	w = &worker{ahead: wanted.ahead, standing: wanted.standing, exited: make(chan struct{})}
	defer func() {
		if err != nil {
			w.discard()
			w = nil
		}
	}()
	if config.Scratch && !how.isolated {
		if w.scratch, err = newScratch(p.options.TempDir, how); err != nil {
			return w, fmt.Errorf("making the scratch folder: %w", err)
		}
		config.Folder = w.scratch.folder
	}
	if w.child, err = p.launcher.launch(how, wanted.memory); err != nil {
		return w, fmt.Errorf("starting the worker: %w", err)
	}
	go w.wait()
	defer context.AfterFunc(ctx, w.child.kill)()
	defer time.AfterFunc(startTimeout, w.child.kill).Stop()
	if _, err := w.child.request.Write(enter.Frame(config.Encode())); err != nil {
		return w, fmt.Errorf("configuring the worker: %w", w.lastWords(err))
	}
	if err := w.readReport(missing); err != nil {
		return w, err
	}
	if !p.options.Native {
		if err := w.readReady(); err != nil {
			return w, fmt.Errorf("waiting for the worker to be ready: %w", w.lastWords(err))
		}
		w.ready = true
	}
	return w, ctx.Err()
}

// readReport takes the layers and, where the worker made scratch itself, the descriptor of it.
func (w *worker) readReport(missing error) error {
	payload, err := readStartFrame(w.child.result)
	if err != nil {
		return fmt.Errorf("reading the worker's report: %w", w.lastWords(err))
	}
	report, err := enter.DecodeReport(payload)
	if err != nil {
		return err
	}
	if report.Failed != "" {
		return errors.New(report.Failed)
	}
	if report.Rooted {
		if w.scratch, err = w.child.receiveScratch(); err != nil {
			return fmt.Errorf("receiving the scratch folder: %w", err)
		}
	}
	w.child.closeStart()
	for _, layer := range report.Layers {
		w.layers = append(w.layers, Layer(layer))
		if layer.Name == "namespaces" && !layer.Active && missing != nil {
			w.layers[len(w.layers)-1].Detail += ": " + refusal(missing)
		}
	}
	w.layers = append(w.layers, w.child.watchLayers()...)
	w.level = levelOf(w.layers)
	return nil
}

// refusal is an error of starting in a few words: what the kernel said, if it was the kernel.
func refusal(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return "the system refuses others (" + errno.Error() + ")"
	}
	return err.Error()
}

func (w *worker) readReady() error {
	payload, err := readStartFrame(w.child.result)
	if err != nil {
		return err
	}
	if len(payload) != 1 || payload[0] != enter.ReadyByte {
		return errFrame
	}
	return nil
}

func readStartFrame(from io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > enter.MaxStartFrame {
		return nil, errFrame
	}
	payload := make([]byte, size)
	_, err := io.ReadFull(from, payload)
	return payload, err
}

// lastWords adds what a worker that failed to start wrote to its standard error. It ends the worker.
func (w *worker) lastWords(err error) error {
	w.child.kill()
	<-w.exited
	_ = w.child.stderr.SetReadDeadline(time.Now().Add(drainTimeout))
	words, _ := io.ReadAll(io.LimitReader(w.child.stderr, 4<<10))
	return fmt.Errorf("%w (the worker ended with %v: %s)", err, w.state, grader.Visible(words))
}

func (w *worker) wait() {
	w.state, _ = w.child.process.Wait()
	close(w.exited)
}

func (w *worker) alive() bool {
	select {
	case <-w.exited:
		return false
	default:
		return true
	}
}

// discard ends a worker and frees everything it holds.
func (w *worker) discard() {
	if w.child != nil {
		w.child.kill()
		<-w.exited
		w.child.close()
	}
	if w.scratch != nil {
		w.scratch.free()
	}
}
