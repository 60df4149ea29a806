package operation

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// Options are what a recorder does besides counting. All fields may be nil.
type Options struct {
	// Sink receives every entry in order, one at a time. It must not call into the recorder. An error from it fails the
	// operation, and from then on every operation under the root fails with it before it is done: a log with a gap
	// would be worse than none.
	Sink func(Entry) error

	// Position says where the call being logged comes from: file as "runtime/assistant/restore.go", line from 1. Nil: the
	// nearest caller outside the supplied packages. The interpreter has one, since a call stack shows the interpreter only.
	Position func() (file string, line int)

	// Intercept is called before a durable operation is done; Seq is set, Err is not. When it returns an error the
	// operation is not done and fails with that error; TornWrite lets part of a write through. It runs under the
	// recorder's lock, so nothing else happens under the root meanwhile, and must not call into the recorder.
	Intercept func(Entry) error

	// BeforeCall is called before a call is logged and done, with no lock held: it may run a competitor on another
	// handle, whose own calls come here again. Seq is not set yet, since the competitor's entries come first.
	BeforeCall func(Entry)
}

// Recorder logs the operations under one root. Its methods are safe for concurrent use and do nothing on nil.
type Recorder struct {
	roots   []string // clean and absolute: as given, then with links followed
	options Options

	mu      sync.Mutex // held over a durable operation, so that the log's order is the order of effects
	seq     int
	failed  error // what Sink returned
	stopped bool
}

// Span is a call that has begun; durable operations done on its behalf carry its number. A nil Span records nothing.
type Span struct {
	recorder *Recorder
	seq      int
}

// Begin logs that the call name began: subject is the absolute path it is about, or empty; detail is at most 512 bytes
// in the log. The caller must End the span.
func (r *Recorder) Begin(name, subject, detail string) *Span {
	if r == nil {
		return nil
	}
	e := Entry{Kind: Call, Name: name, Detail: r.text(detail)}
	if subject != "" {
		var inside bool
		if e.Subject, inside = r.relative(subject); !inside {
			e.Subject = r.text(subject)
		}
	}
	e.File, e.Line = r.position()
	if r.options.BeforeCall != nil {
		r.options.BeforeCall(e)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return nil
	}
	// A failing sink is remembered and returned by the call's first durable operation.
	_ = r.append(&e)
	return &Span{recorder: r, seq: e.Seq}
}

// Outside is the span of operations that no call asked for.
func (r *Recorder) Outside() *Span {
	if r == nil {
		return nil
	}
	return &Span{recorder: r}
}

// End logs that the call returned err, having changed that many rows.
func (s *Span) End(err error, changed int64) {
	if s == nil || s.seq == 0 {
		return
	}
	r := s.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stopped {
		_ = r.append(&Entry{Kind: Return, Call: s.seq, Changed: changed, Err: r.errorText(err)})
	}
}

// Mark logs a moment under a label.
func (r *Recorder) Mark(label string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stopped {
		_ = r.append(&Entry{Kind: Mark, Name: r.text(label)})
	}
}

// Do does one durable operation other than a write and logs it: e has its kind and absolute paths. What lies outside the
// root is done and not logged.
func (s *Span) Do(e Entry, act func() error) error {
	r, err := s.claim(&e)
	if r == nil || err != nil {
		if err != nil {
			return err
		}
		return act()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return act()
	}
	if err = r.admit(&e); err == nil {
		err = act()
	}
	return r.finish(&e, err)
}

// Write does one write and logs it: data at offset of the file path. The function write gets all of data, or a part of
// it when an interceptor tears the write, and returns how much of it reached the file.
func (s *Span) Write(path string, offset int64, data []byte, write func([]byte) (int, error)) error {
	return s.Append(path, func() (int64, error) { return offset, nil }, data, write)
}

// Append is Write at an offset that is asked for when no other operation can move it: the file's size.
func (s *Span) Append(path string, offset func() (int64, error), data []byte, write func([]byte) (int, error)) error {
	e := Entry{Kind: Write, Path: path}
	r, err := s.claim(&e)
	if r == nil || err != nil {
		if err == nil {
			_, err = write(data)
		}
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		_, err = write(data)
		return err
	}
	if e.Offset, err = offset(); err != nil {
		return err
	}
	e.Data = append([]byte(nil), data...) // the caller's buffer is reused after this call
	written := 0
	switch torn, refused := tear(r.admit(&e)); {
	case refused == nil:
		written, err = write(data)
	case torn > 0:
		written, err = write(data[:min(torn, len(data))])
		if err == nil {
			err = refused
		}
	default:
		err = refused
	}
	e.Data = e.Data[:written]
	return r.finish(&e, err)
}

// claim turns e's paths into the log's and returns the recorder; nil when the operation is not to be logged.
func (s *Span) claim(e *Entry) (*Recorder, error) {
	if s == nil {
		return nil, nil
	}
	r := s.recorder
	e.Call = s.seq
	for _, path := range []*string{&e.Path, &e.To} {
		if *path == "" {
			continue
		}
		local, inside := r.relative(*path)
		if !inside {
			return nil, nil
		}
		if !utf8.ValidString(local) {
			return nil, fmt.Errorf("%s %q: the name is not valid UTF-8", e.Kind, local)
		}
		*path = local
	}
	return r, nil
}

// admit numbers e and asks whether it may be done. The caller holds the lock.
func (r *Recorder) admit(e *Entry) error {
	if r.failed != nil {
		return r.failed
	}
	e.Seq = r.seq + 1
	if r.options.Intercept != nil {
		return r.options.Intercept(*e)
	}
	return nil
}

// finish logs e with its outcome and returns the outcome. The caller holds the lock.
func (r *Recorder) finish(e *Entry, err error) error {
	e.Err = r.errorText(err)
	if failed := r.append(e); err == nil {
		err = failed
	}
	return err
}

// append numbers e and passes it on. The caller holds the lock.
func (r *Recorder) append(e *Entry) error {
	if r.failed != nil {
		return r.failed
	}
	r.seq++
	e.Seq = r.seq
	if r.options.Sink == nil {
		return nil
	}
	if err := r.options.Sink(*e); err != nil {
		r.failed = fmt.Errorf("writing the operation log: %w", err)
	}
	return r.failed
}

// text makes s fit for the log: the root's own path is left out, so that logs of two runs agree, and the rest is valid
// UTF-8 of at most textLimit bytes.
func (r *Recorder) text(s string) string {
	for _, root := range r.roots {
		s = strings.ReplaceAll(s, root+"/", "")
		s = strings.ReplaceAll(s, root+"\\", "")
	}
	return shorten(strings.ToValidUTF8(s, "\uFFFD"), textLimit)
}

func (r *Recorder) errorText(err error) string {
	if err == nil {
		return ""
	}
	if text := r.text(err.Error()); text != "" {
		return text
	}
	return "error without text"
}

// shorten cuts valid UTF-8 to at most limit bytes, at the end of a character.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
