package main

import "fmt"

// Variables beside calls in one expression. The language leaves open when they are read; this is what its compiler does.

type P struct{ X, Y int }

func (p *P) Shift(n int) int { p.X += n; p.Y -= n; return p.X }
func (p P) With(n int) P     { p.X = n; return p }
func f(p P, n int) P         { p.X = n; return p }
func g(n int, p P) P         { p.X = n; return p }

type A [2]int

func (a *A) Set(n int) int { a[1] = n; return n }
func (a A) Get(n int) A    { a[0] = n; return a }
func h(a A, n int) A       { a[0] = n; return a }
func k(a int, n int) int   { return a*1000 + n }

type B struct{ p P }

func main() {
	v := P{1, 2}
	fmt.Println(v.With(v.Shift(2)))
	fmt.Println(f(v, v.Shift(2)))
	fmt.Println(g(v.Shift(2), v))
	a := A{1, 2}
	fmt.Println(a.Get(a.Set(5)))
	fmt.Println(h(a, a.Set(6)))
	b := B{v}
	fmt.Println(b.p.With(b.p.Shift(3)))
	fmt.Println(k(b.p.X, b.p.Shift(3)))
	ptr := &v
	fmt.Println(ptr.With(ptr.Shift(1)), f(*ptr, ptr.Shift(1)))
	s := []P{v}
	fmt.Println(s[0].With(s[0].Shift(1)), f(s[0], s[0].Shift(1)))
	fmt.Println(v, v.Shift(1), v)
	w, n := v, v.Shift(1)
	fmt.Println(w, n)
	var any1 any
	any1, n = v, v.Shift(1)
	fmt.Println(any1, n)
	fmt.Println(v.X, v.Shift(1), v.X, v.X+v.Shift(1)+v.X)
	fn := func(p P, n int) P { return p }
	fmt.Println(fn(v, v.Shift(1)))
	m := v.With
	fmt.Println(m(v.Shift(1)))
	defer fmt.Println(v, v.Shift(1))
	x := 1
	inc := func() int { x++; return x }
	fmt.Println(k(x, inc()), x+inc(), inc()+x)
	q := [3]int{1, 2, 3}
	cq := func() int { q[0] += 10; return 0 }
	fmt.Println(k(q[0], cq()), q[0]+cq(), q == [3]int{11 + cq(), 2, 3})
	fmt.Println(append([]int{7}, x, inc(), x), append([]int(nil), x, inc()), min(x, inc()), max(inc(), x, inc()))
	l := []int{1}
	more := func() int { l = append(l, 9); l[0] = 5; return len(l) }
	fmt.Println(append(l, l[0], more(), l[0]), len(l))
	z := complex(float64(x), float64(inc()))
	fmt.Println(z)
}
