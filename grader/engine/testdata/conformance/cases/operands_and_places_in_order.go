package main

import "fmt"

type pair struct{ a, b int }

var trace []string

func note(s string, v int) int {
	trace = append(trace, s)
	return v
}

func values() (string, int, bool) { return "v", 3, true }

func makeArray() [5]int {
	note("array", 0)
	return [5]int{1, 2, 3, 4, 5}
}

func try(name string, f func()) {
	defer func() {
		fmt.Println(name, recover(), trace)
		trace = nil
	}()
	f()
}

func main() {
	s := make([]byte, 5, 6)
	copy(s, "12346")
	s = append(s[:len(s)-1], '5', s[len(s)-1])
	fmt.Println(string(s))

	m := map[int]int{1: 1}
	var p *int
	try("map from nil pointer", func() { m[1] = *p })
	fmt.Println(m)
	try("map then nil pointer", func() { m[2], *p = 42, 2 })
	fmt.Println(m)
	list := []int{}
	i := 1
	try("map then index", func() { m[3], list[i] = 3, 4 })
	fmt.Println(m)

	x := pair{1, 2}
	q := &x
	q, q.a = &pair{}, 9
	fmt.Println(x, *q)

	var arr *[10]int
	n := 0
	for k := range arr {
		n += k
	}
	fmt.Println(n, len(arr))
	for k := range makeArray() {
		n += k
	}
	fmt.Println(n, trace)
	trace = nil
	places := [5]int{}
	k := 0
	for k, places[k] = range []int{5, 6, 7} {
	}
	fmt.Println(k, places)

	fmt.Println(fmt.Sprintln(values()))
	grown := append([]any{0}, []any{1, "x"}...)
	fmt.Println(grown)

	ch := make(chan int, 1)
	var only <-chan int = ch
	fmt.Println(ch == only, only == ch)
	var send chan<- int = make(chan int, 2)
	send <- 1
	fmt.Println(len(send))

	a, b := chan int(nil), make(chan int, 1)
	sent := 0
loop:
	for {
		select {
		case a <- note("a", 1):
			sent++
		case b <- note("b", 2):
			sent++
			b = nil
		default:
			break loop
		}
	}
	fmt.Println(sent, trace)
	trace = nil

	f := func(xs ...int) (total int) {
		for _, x := range xs {
			total += x
		}
		return
	}
	j := 3
	pj := &j
	fmt.Println(f(*pj-4, *pj*2, note("arg", j)), [2]int{*pj - 4, *pj})

	type bits uint8
	var u bits = 200
	u += 100
	fmt.Println(u, ^u, -u, u<<1, u>>3, 1<<u>>1)
	shift := -1
	try("shift", func() { fmt.Println(1 << shift) })
	try("nil func", func() { var g func(); g() })
	try("closed", func() { c := make(chan int); close(c); c <- 1 })
	type uncomparable struct{ f []int }
	try("uncomparable", func() { var v, w any = uncomparable{}, uncomparable{}; fmt.Println(v == w) })
}
