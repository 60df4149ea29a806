package main

import "fmt"

// Variables beside calls in a composite literal. The language leaves open when they are read; this is what its compiler
// does. A map is filled entry by entry.

type point struct{ x, y int }

type box struct {
	point
	arr  [3]int
	list []point
	attr map[string]int
	any  any
}

func main() {
	n := 1
	grow := func(by int) int {
		n += by
		return n * 100
	}

	fmt.Println([]int{n, grow(1), n, grow(2), n})
	fmt.Println([3]int{n, 2: grow(3)}, n)
	fmt.Println(point{n, grow(4)}, point{grow(5), n})

	b := box{
		point: point{n, n},
		arr:   [3]int{n, 2: n},
		list:  []point{{n, grow(6)}, {y: n}},
		attr:  map[string]int{"a": n, "b": grow(7), "c": n},
		any:   n,
	}
	fmt.Println(b.point, b.arr, b.list, b.attr, b.any, n)

	m := map[string][]int{"a": {n, grow(8)}, "b": {n}}
	fmt.Println(m["a"], m["b"])

	p := []*point{{n, grow(9)}, {n, n}}
	fmt.Println(*p[0], *p[1])

	nested := [2][2]point{{{n, 1}, {2, grow(10)}}, {{n, n}, {}}}
	fmt.Println(nested)
}
