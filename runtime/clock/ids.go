package clock

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"sync"
)

// IDs makes fresh identities of 32 lower-case hexadecimal digits. Implementations are safe for concurrent use and never
// return the same id twice.
type IDs interface {
	Next() string
}

// Seeded makes ids from (seed, process number, opening number) and a counter. The parent draws the seed and numbers the
// processes, the world numbers the openings: two runs with the same three numbers get the same ids, and no two openings
// share one. Nothing is stored, so a run after a crash never repeats an id.
type Seeded struct {
	mu    sync.Mutex
	state [32]byte // seed, process, opening, count: 8 bytes each, big-endian
	count uint64
}

// NewSeeded returns the id source of one opening.
func NewSeeded(seed uint64, process, opening int) *Seeded {
	s := &Seeded{}
	binary.BigEndian.PutUint64(s.state[0:], seed)
	binary.BigEndian.PutUint64(s.state[8:], uint64(process))
	binary.BigEndian.PutUint64(s.state[16:], uint64(opening))
	return s
}

// Next returns the next id.
func (s *Seeded) Next() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	binary.BigEndian.PutUint64(s.state[24:], s.count)
	sum := sha256.Sum256(s.state[:])
	return hex.EncodeToString(sum[:16])
}
