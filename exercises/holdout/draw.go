package holdout

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/exercises/strict"
	"fieldbook/runtime/world"
)

// Parameter is a value that is drawn for a case: exactly one of a whole number between two bounds, a word, hexadecimal
// digits, or one of several values.
type Parameter struct {
	Name   string
	Int    [2]int64 // lowest and highest, both possible
	Word   int      // number of letters, a to z
	Hex    int      // number of digits, 0 to f
	Choose []world.Value
}

// UnmarshalYAML reads {int: [lo, hi]}, {word: n}, {hex: n} or {choose: [value, …]}.
func (p *Parameter) UnmarshalYAML(n *yaml.Node) error {
	var doc struct {
		Int    []int64     `yaml:"int"`
		Word   int         `yaml:"word"`
		Hex    int         `yaml:"hex"`
		Choose []yaml.Node `yaml:"choose"`
	}
	if err := strict.Load(n, &doc); err != nil {
		return err
	}
	kinds := 0
	for _, given := range []bool{doc.Int != nil, doc.Word != 0, doc.Hex != 0, doc.Choose != nil} {
		if given {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return strict.Misplaced(n, "a parameter is drawn by exactly one of int, word, hex and choose")
	case doc.Int != nil && (len(doc.Int) != 2 || doc.Int[0] > doc.Int[1]):
		return strict.Misplaced(n, "int needs its lowest and its highest value, in this order")
	case doc.Word < 0 || doc.Word > maxText || doc.Hex < 0 || doc.Hex > maxText:
		return strict.Misplaced(n, "a text has 1 to %d characters", maxText)
	case doc.Int == nil && doc.Choose == nil && max(doc.Word, doc.Hex) < minText:
		return strict.Misplaced(n, "a text of fewer than %d characters can be guessed, and two of a case can be equal", minText)
	}
	*p = Parameter{Word: doc.Word, Hex: doc.Hex}
	copy(p.Int[:], doc.Int)
	for i := range doc.Choose {
		v, err := strict.Value(&doc.Choose[i])
		if err != nil {
			return err
		}
		p.Choose = append(p.Choose, v)
	}
	return nil
}

// Bounds on drawn texts.
const (
	minText = 6
	maxText = 64
)

func sorted(named map[string]Parameter) []Parameter {
	var list []Parameter
	for name, p := range named {
		p.Name = name
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Parameter) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Draw returns the case's parameters for one seed. The same seed gives the same values for ever, on every machine; two
// texts of one case are never equal.
func (c Case) Draw(seed uint64) map[string]world.Value {
	drawn := make(map[string]world.Value, len(c.Parameters))
	texts := map[string]bool{}
	for _, p := range c.Parameters {
		source := &source{seed: seed, label: c.Name + "\x00" + p.Name}
		v := p.draw(source)
		for text, ok := v.AsString(); ok && p.Choose == nil; text, ok = v.AsString() {
			if !texts[text] {
				texts[text] = true
				break
			}
			v = p.draw(source)
		}
		drawn[p.Name] = v
	}
	return drawn
}

func (p Parameter) draw(s *source) world.Value {
	switch {
	case p.Choose != nil:
		return p.Choose[s.below(uint64(len(p.Choose)))]
	case p.Word > 0:
		return world.StringValue(s.text(p.Word, "abcdefghijklmnopqrstuvwxyz"))
	case p.Hex > 0:
		return world.StringValue(s.text(p.Hex, "0123456789abcdef"))
	default:
		return world.IntValue(p.Int[0] + int64(s.below(uint64(p.Int[1]-p.Int[0])+1)))
	}
}

// source is a stream of numbers that depends on a seed and a label alone: SHA-256 of seed, count and label. A standard
// generator would do, and would tie old results to one version of the standard library.
type source struct {
	seed  uint64
	count uint64
	label string
}

// below returns a number in [0, n), all equally likely; n = 0 stands for 2^64.
func (s *source) below(n uint64) uint64 {
	for {
		var head [16]byte
		binary.BigEndian.PutUint64(head[:8], s.seed)
		binary.BigEndian.PutUint64(head[8:], s.count)
		s.count++
		sum := sha256.Sum256(append(head[:], s.label...))
		v := binary.BigEndian.Uint64(sum[:])
		if n == 0 {
			return v
		}
		// Numbers above the last whole multiple of n would make small results likelier.
		if rest := -n % n; v >= rest {
			return v % n
		}
	}
}

func (s *source) text(length int, alphabet string) string {
	out := make([]byte, length)
	for i := range out {
		out[i] = alphabet[s.below(uint64(len(alphabet)))]
	}
	return string(out)
}
