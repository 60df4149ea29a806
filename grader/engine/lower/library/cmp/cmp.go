// Package cmp is the standard package's functions in the subset that package lower compiles.
package cmp

// Ordered is what can be compared by <.
type Ordered interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64 | ~string
}

// Less is cmp.Less.
func Less[T Ordered](x, y T) bool {
	return (x != x && y == y) || x < y
}

// Compare is cmp.Compare.
func Compare[T Ordered](x, y T) int {
	if x < y {
		return -1
	}
	if x > y {
		return +1
	}
	if x == y {
		return 0
	}
	xNaN := x != x
	yNaN := y != y
	if xNaN {
		if yNaN {
			return 0
		}
		return -1
	}
	return +1
}

// Or is cmp.Or.
func Or[T comparable](vals ...T) T {
	var zero T
	for _, v := range vals {
		if v != zero {
			return v
		}
	}
	return zero
}
