package lower_test

// prelude is what all programs share.
const prelude = `package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

type Level int8

func (l Level) String() string { return fmt.Sprintf("L%d", int8(l)) }
func (l *Level) Up(n int)      { *l += Level(n) }

type Point struct {
	X, Y int
	Tag  string
}

func (p Point) Sum() int         { return p.X + p.Y }
func (p *Point) Shift(n int) int { p.X += n; p.Y -= n; return p.X }
func (p Point) With(n int) Point { p.X = n; return p }

type Box struct {
	Point
	Lvl   Level
	Items []int
	Arr   [3]int
	Next  *Box
	Attr  map[string]int
}

type Summer interface{ Sum() int }
type Const int

func (c Const) Sum() int { return int(c) }

type Oops struct{ Code int }

func (o *Oops) Error() string { return fmt.Sprintf("oops %d", o.Code) }

var errBase = errors.New("base")
var global int
var globals []int
var steps int

// tick ends programs that call themselves without end, or take too long.
func tick() {
	if steps++; steps > 1000 {
		panic("too many steps")
	}
}

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(v T) int { s.items = append(s.items, v); return len(s.items) }
func (s *Stack[T]) Len() int     { return len(s.items) }

func apply[T any](n T, f func(T) T) T { return f(n) }
func mapOf[T, U any](xs []T, f func(T) U) []U {
	var out []U
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}
func pair(a, b int) (int, int) { return b + 1, a - 1 }
func quarrel(n int) (int, error) {
	switch {
	case n%5 == 0:
		return n, &Oops{n}
	case n%7 == 0:
		return n, fmt.Errorf("w %d: %w", n, errBase)
	}
	return n * 2, nil
}
func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n%6; i++ {
			if !yield(i) {
				return
			}
		}
	}
}
func variadic(s string, ns ...int) int { return len(s) + len(ns) + slices.Max(append([]int{0}, ns...)) }
func classify(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case int:
		return fmt.Sprint("int ", x)
	case Level, Const:
		return fmt.Sprintf("level or const %v", x)
	case error:
		return "error " + x.Error()
	case Summer:
		return fmt.Sprint("summer ", x.Sum())
	case []int:
		return fmt.Sprint("list ", len(x))
	case fmt.Stringer:
		return "stringer " + x.String()
	}
	return "other " + fmt.Sprintf("%T", v)
}
func guard(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics:", r)
		}
	}()
	f()
}
func at(xs []int, i int) int { return xs[i] }
func div(a, b int) int       { return a / b }
func mod(a, b int) int       { return a % b }
func asInt(v any) int        { return v.(int) }
func sumOf(s Summer) int     { return s.Sum() }
func num(n int) int       { return n }
func u8(n uint8) uint8    { return n }
func i64(n int64) int64   { return n }
func lvl(n Level) Level   { return n }
func upper(s string) string { return strings.ToUpper(s) }
func trim(s string) string {
	if len(s) > 40 {
		return s[:20] + fmt.Sprint(len(s))
	}
	return s
}
func short(s []int) []int {
	if len(s) > 20 {
		return s[:20]
	}
	return s
}

`
