package operation

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// textLimit bounds every piece of free text in an entry, in bytes.
const textLimit = 512

// FileLimit bounds what a log may make a file grow to, in bytes. The scratch folder of a worker holds less.
const FileLimit = 64 << 20

// ErrLogTooLong is returned by Decode for a log above its limit.
var ErrLogTooLong = errors.New("the operation log is longer than its limit")

// Encode writes one entry as a line of JSON.
func Encode(w io.Writer, e Entry) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // SQL is full of < and >
	if err := encoder.Encode(e); err != nil {
		return fmt.Errorf("writing entry %d of the operation log: %w", e.Seq, err)
	}
	return nil
}

// Decoder reads a log that an untrusted process writes, as it grows: see Decode for what it accepts.
type Decoder struct {
	limit   int64
	size    int64
	half    []byte // a line whose end has not come yet
	entries []Entry
	open    map[int]bool // calls by Seq; false once they returned
	err     error
}

// NewDecoder returns a decoder of a log of at most limit bytes.
func NewDecoder(limit int64) *Decoder { return &Decoder{limit: limit, open: map[int]bool{}} }

// Add reads the next piece of the log, which may end anywhere, and returns the entries that it completes. It keeps nothing
// of the piece. There are no more entries after one that is wrong.
func (d *Decoder) Add(piece []byte) []Entry {
	if d.err != nil {
		return nil
	}
	if d.size += int64(len(piece)); d.size > d.limit {
		piece = piece[:max(0, int64(len(piece))-(d.size-d.limit))]
	}
	d.half = append(d.half, piece...)
	whole := bytes.LastIndexByte(d.half, '\n') + 1
	before := len(d.entries)
	d.err = d.lines(slices.Collect(bytes.Lines(d.half[:whole])))
	d.half = append(d.half[:0], d.half[whole:]...)
	if d.err == nil && d.size > d.limit {
		d.err = fmt.Errorf("%w of %d bytes", ErrLogTooLong, d.limit)
	}
	return d.entries[before:]
}

func (d *Decoder) lines(lines [][]byte) error {
	for _, one := range decodeLines(lines) {
		if one.err == nil && one.entry.Seq != len(d.entries)+1 {
			one.err = fmt.Errorf("it is numbered %d", one.entry.Seq)
		}
		if one.err == nil {
			one.err = one.entry.belongs(d.open)
		}
		if one.err != nil {
			return d.wrong(one.err)
		}
		d.entries = append(d.entries, one.entry)
	}
	return nil
}

func (d *Decoder) wrong(err error) error {
	return fmt.Errorf("line %d of the operation log: %w", len(d.entries)+1, err)
}

// End returns all entries of a log that has ended, and what Decode returns with them.
func (d *Decoder) End() ([]Entry, error) {
	if d.err == nil && len(d.half) > 0 {
		d.err = d.wrong(io.ErrUnexpectedEOF)
	}
	return d.entries, d.err
}

// Decode reads a log of at most limit bytes that an untrusted process wrote. It accepts exactly what Encode writes: one
// line an entry, every byte of it as Encode would put it, numbered from 1 without gaps, each field only on the kinds
// that have it, paths inside the root, and each Return after its Call. It returns the entries before the first line that
// is wrong together with the error; a last line without its end is an io.ErrUnexpectedEOF.
func Decode(r io.Reader, limit int64) ([]Entry, error) {
	d := NewDecoder(limit)
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	d.Add(data)
	if err != nil && d.err == nil {
		d.err = d.wrong(err)
	}
	return d.End()
}

// decoded is one line of a log, read by itself.
type decoded struct {
	entry Entry
	err   error
}

// decodeLines reads lines on all processors: a log is mostly pages, and a student waits for it.
func decodeLines(lines [][]byte) []decoded {
	all := make([]decoded, len(lines))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(lines)) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(lines)); i = next.Add(1) - 1 {
				all[i].entry, all[i].err = decodeLine(lines[i])
			}
		})
	}
	group.Wait()
	return all
}

// decodeLine reads one line. The bytes of a write are nearly all of a log, and are read apart from the rest: as JSON every one
// of them would be looked at several times.
func decodeLine(line []byte) (Entry, error) {
	if head, data, tail, ok := cutData(line); ok {
		e, err := decodeWhole(slices.Concat(head, tail))
		if err == nil && e.Kind == Write && (string(tail) == "}\n" && e.Err == "" || bytes.HasPrefix(tail, []byte(`,"err":`))) {
			e.Data = make([]byte, base64.StdEncoding.DecodedLen(len(data)))
			n, err := base64.StdEncoding.Strict().Decode(e.Data, data)
			e.Data = e.Data[:n]
			if err == nil && base64.StdEncoding.EncodedLen(n) == len(data) { // else there are line breaks in it
				return e, e.validate()
			}
		}
	}
	return decodeWhole(line)
}

// cutData cuts the member "data" out of a line. A quotation mark inside a text has a backslash before it, so the marks that
// are found are the member's own.
func cutData(line []byte) (head, data, tail []byte, ok bool) {
	head, rest, ok := bytes.Cut(line, []byte(`,"data":"`))
	if !ok {
		return nil, nil, nil, false
	}
	data, tail, ok = bytes.Cut(rest, []byte(`"`))
	return head, data, tail, ok && len(data) > 0
}

func decodeWhole(line []byte) (Entry, error) {
	var e Entry
	if err := json.Unmarshal(line, &e); err != nil {
		return e, err
	}
	// Duplicate, unknown, reordered and oddly written fields all show as other bytes.
	var canonical bytes.Buffer
	if err := Encode(&canonical, e); err != nil {
		return e, err
	}
	if !bytes.Equal(line, canonical.Bytes()) {
		return e, errors.New("it is not written the way entries are")
	}
	return e, e.validate()
}

// belongs checks the calls that e refers to, and notes the one that it is.
func (e Entry) belongs(open map[int]bool) error {
	_, known := open[e.Call]
	switch {
	case e.Kind == Call:
		open[e.Seq] = true
	case e.Kind == Return && !open[e.Call]:
		return fmt.Errorf("it returns from %d, which is no open call", e.Call)
	case e.Kind == Return:
		open[e.Call] = false
	case e.Call != 0 && !known:
		return fmt.Errorf("it names %d as its call, which is none", e.Call)
	}
	return nil
}

// validate checks an entry by itself: what its kind cannot have is absent, the rest is in range.
func (e Entry) validate() error {
	rest := e // what remains when everything allowed is taken away
	rest.Seq, rest.Kind = 0, ""
	switch e.Kind {
	case Create, Sync, Remove, Folder, SyncFolder:
		rest.Call, rest.Path, rest.Err = 0, "", ""
	case Write:
		rest.Call, rest.Path, rest.Offset, rest.Data, rest.Err = 0, "", 0, nil, ""
	case Truncate:
		rest.Call, rest.Path, rest.Size, rest.Err = 0, "", 0, ""
	case Rename:
		rest.Call, rest.Path, rest.To, rest.Err = 0, "", "", ""
	case Call:
		rest.Name, rest.Detail, rest.Subject, rest.File, rest.Line = "", "", "", "", 0
	case Return:
		rest.Call, rest.Changed, rest.Err = 0, 0, ""
	case Mark:
		rest.Name = ""
	default:
		return fmt.Errorf("unknown kind %q", e.Kind)
	}
	if !reflect.DeepEqual(rest, Entry{}) {
		return fmt.Errorf("a %s has a field that it cannot have", e.Kind)
	}
	for _, text := range []string{e.Name, e.Detail, e.Subject, e.File, e.Err} {
		if len(text) > textLimit {
			return fmt.Errorf("a text of it is longer than %d bytes", textLimit)
		}
	}
	if e.Kind.Durable() && !fs.ValidPath(e.Path) || e.Kind == Rename && !fs.ValidPath(e.To) {
		return errors.New("a path of it does not lie under the root")
	}
	if e.Size < 0 || e.Size > FileLimit || e.Offset < 0 || e.Offset > FileLimit-int64(len(e.Data)) || e.Line < 0 {
		return errors.New("a number of it is out of range")
	}
	return nil
}
