package object

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"sync"
	"unicode/utf8"
)

// Rune decodes the rune at i and its width; invalid UTF-8 is U+FFFD of width 1.
func Rune(s string, i int) (rune, int) { return utf8.DecodeRuneInString(s[i:]) }

// Clear empties a map or sets a slice's elements to zero.
func Clear(x any) {
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.Map && v.IsNil() {
		return
	}
	v.Clear()
}

// MinFloat is the built-in min.
func MinFloat(x, y float64) float64 { return min(x, y) }

// MaxFloat is the built-in max.
func MaxFloat(x, y float64) float64 { return max(x, y) }

// Complex64 makes a constant.
func Complex64(re, im float64) complex64 { return complex(float32(re), float32(im)) }

// Complex128 makes a constant.
func Complex128(re, im float64) complex128 { return complex(re, im) }

// ArrayPointer stores a pointer to the array under a slice at p.
func ArrayPointer(slice any, p any) {
	dst := reflect.ValueOf(p).Elem()
	v := reflect.ValueOf(slice)
	CheckArray(v.Len(), dst.Type().Elem().Len())
	dst.Set(v.Convert(dst.Type()))
}

// Print is the built-in print, on standard error.
func Print(args ...any) {
	for _, a := range args {
		_, _ = os.Stderr.WriteString(printed(Raw(a)))
	}
}

// Println is the built-in println, on standard error.
func Println(args ...any) {
	for i, a := range args {
		if i > 0 {
			_, _ = os.Stderr.WriteString(" ")
		}
		_, _ = os.Stderr.WriteString(printed(Raw(a)))
	}
	_, _ = os.Stderr.WriteString("\n")
}

func printed(x any) string {
	switch v := reflect.ValueOf(x); v.Kind() {
	case reflect.Invalid:
		return "nil"
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32:
		return strconv.FormatFloat(v.Float(), 'g', -1, 32)
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Complex64, reflect.Complex128:
		return fmt.Sprint(x)
	default:
		return "(...)"
	}
}

// Pointer stands for sync/atomic's Pointer[T].
type Pointer struct {
	mu sync.Mutex
	v  any
}

// Load is the pointer, nil if none was stored.
func (p *Pointer) Load() any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.v
}

// Store sets the pointer.
func (p *Pointer) Store(v any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.v = v
}

// Swap sets the pointer and returns the one before.
func (p *Pointer) Swap(v any) any {
	p.mu.Lock()
	defer p.mu.Unlock()
	old := p.v
	p.v = v
	return old
}

// CompareAndSwap sets the pointer if it is old.
func (p *Pointer) CompareAndSwap(old, v any) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	same := p.v == old || p.v == nil && reflect.ValueOf(old).IsNil()
	if same {
		p.v = v
	}
	return same
}

// Sort sorts a slice of ordered elements in increasing order, NaNs first.
func Sort(slice any) {
	switch s := slice.(type) {
	case []int:
		slices.Sort(s)
		return
	case []string:
		slices.Sort(s)
		return
	case []float64:
		slices.Sort(s)
		return
	}
	v := reflect.ValueOf(slice)
	sort.Slice(slice, func(i, j int) bool {
		a, b := v.Index(i), v.Index(j)
		switch {
		case a.CanInt():
			return a.Int() < b.Int()
		case a.CanUint():
			return a.Uint() < b.Uint()
		case a.CanFloat():
			return cmp.Less(a.Float(), b.Float())
		}
		return a.String() < b.String()
	})
}
