package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"

	"fieldbook/grader/sandbox/enter"
)

// A request frame's payload is nonce, attack, what the function was not given ahead, largest reply, number of inputs, inputs, body; texts and bytes have their
// length before them. A result frame's payload is the authentication code of the rest under the nonce, one byte for the kind, and the
// reply.

const nonceSize = 32

// frameKind is the first authenticated byte of a result.
type frameKind byte

const (
	frameReply    frameKind = 'r' // the function's reply
	frameFailed   frameKind = 'e' // our own failure in the worker: its message
	frameTooLarge frameKind = 'l' // the reply is larger than it may be: its size in decimal
)

// maxResult bounds the payload of a result frame whose reply has at most that many bytes. What is said in place of a reply
// (a failure of ours) always has room.
func maxResult(reply int) int { return sha256.Size + 1 + max(reply, DefaultReply) }

type request struct {
	nonce  []byte
	attack string // a trusted attack of doctor instead of the worker's function; "" for none
	ahead  string // Job.Ahead, for a worker that has not had it
	reply  int    // largest reply in bytes
	inputs []input
	body   []byte
	log    func([]byte) // Job.Log; stays with the parent
}

// input is one file or folder to be made in scratch. Path is slash-separated and valid in the sense of fs.ValidPath.
type input struct {
	path   string
	folder bool
	data   []byte
}

func encodeRequest(r request) []byte {
	out := make([]byte, 4, r.size())
	out = appendBytes(out, r.nonce)
	out = appendBytes(out, []byte(r.attack))
	out = appendBytes(out, []byte(r.ahead))
	out = binary.AppendUvarint(out, uint64(r.reply))
	out = binary.AppendUvarint(out, uint64(len(r.inputs)))
	for _, in := range r.inputs {
		kind := byte('f')
		if in.folder {
			kind = 'd'
		}
		out = appendBytes(append(out, kind), []byte(in.path))
		out = appendBytes(out, in.data)
	}
	out = appendBytes(out, r.body)
	binary.BigEndian.PutUint32(out, uint32(len(out)-4))
	return out
}

// size is how long a request's frame is at most, in bytes.
func (r request) size() int {
	size := len(r.nonce) + len(r.attack) + len(r.ahead) + len(r.body) + 40
	for _, in := range r.inputs {
		size += len(in.path) + len(in.data) + 16
	}
	return size
}

// decodeRequest reads a payload. What it returns are slices of it: clearing the nonce clears it there too.
func decodeRequest(payload []byte) (request, error) {
	var r request
	var attack, ahead, path []byte
	var err error
	take := func(into *[]byte) {
		if err == nil {
			*into, payload, err = cutBytes(payload)
		}
	}
	take(&r.nonce)
	take(&attack)
	take(&ahead)
	if err != nil {
		return request{}, err
	}
	r.attack, r.ahead = string(attack), string(ahead)
	var numbers [2]uint64 // largest reply, number of inputs
	for i := range numbers {
		n, size := binary.Uvarint(payload)
		if size <= 0 || n > MaxRequest {
			return request{}, errFrame
		}
		numbers[i], payload = n, payload[size:]
	}
	r.reply = int(numbers[0])
	count := numbers[1]
	if count > uint64(len(payload)) {
		return request{}, errFrame
	}
	for range count {
		if len(payload) == 0 {
			return request{}, errFrame
		}
		in := input{folder: payload[0] == 'd'}
		payload = payload[1:]
		take(&path)
		take(&in.data)
		in.path = string(path)
		r.inputs = append(r.inputs, in)
	}
	take(&r.body)
	switch {
	case err != nil:
		return request{}, err
	case len(payload) > 0 || len(r.nonce) != nonceSize:
		return request{}, errFrame
	}
	return r, nil
}

// sealResult is a whole result frame, with its length.
func sealResult(mac hash.Hash, kind frameKind, reply []byte) []byte {
	sealed := append([]byte{byte(kind)}, reply...)
	mac.Write(sealed)
	return enter.Frame(append(mac.Sum(make([]byte, 0, sha256.Size+len(sealed))), sealed...))
}

// Errors of openResult.
var (
	errFrame    = errors.New("the frame is not well formed")
	errNoFrame  = errors.New("there is no frame")
	errCut      = errors.New("the frame ends too early")
	errForged   = errors.New("the frame's authentication code is wrong")
	errTrailing = errors.New("something follows the frame")
)

// openResult reads everything that a worker wrote after it was ready: exactly one authentic frame, with a reply of at most
// that many bytes.
func openResult(written, nonce []byte, reply int) (frameKind, []byte, error) {
	if len(written) == 0 {
		return 0, nil, errNoFrame
	}
	if len(written) < 4 {
		return 0, nil, errCut
	}
	size := uint64(binary.BigEndian.Uint32(written))
	rest := written[4:]
	switch {
	case size > uint64(maxResult(reply)) || size < sha256.Size+1:
		return 0, nil, fmt.Errorf("%w: a length of %d bytes", errFrame, size)
	case uint64(len(rest)) < size:
		return 0, nil, errCut
	}
	code, sealed := rest[:sha256.Size], rest[sha256.Size:size]
	mac := hmac.New(sha256.New, nonce)
	mac.Write(sealed)
	switch {
	case !hmac.Equal(mac.Sum(nil), code):
		return 0, nil, errForged
	case uint64(len(rest)) > size:
		return 0, nil, errTrailing
	}
	return frameKind(sealed[0]), sealed[1:], nil
}

func appendBytes(out, data []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(data))), data...)
}

func cutBytes(payload []byte) (data, rest []byte, err error) {
	n, size := binary.Uvarint(payload)
	if size <= 0 || n > uint64(len(payload)-size) {
		return nil, nil, errFrame
	}
	end := size + int(n)
	return payload[size:end:end], payload[end:], nil
}
