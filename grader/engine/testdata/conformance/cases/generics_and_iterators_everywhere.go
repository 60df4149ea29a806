package main

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
)

type Number interface {
	~int | ~int64 | ~float64
}

func Sum[T Number](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return
}

func Map[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, 0, len(xs))
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

func Reduce[T, A any](xs []T, a A, f func(A, T) A) A {
	for _, x := range xs {
		a = f(a, x)
	}
	return a
}

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(v T) { s.items = append(s.items, v) }
func (s *Stack[T]) Pop() (T, bool) {
	var zero T
	if len(s.items) == 0 {
		return zero, false
	}
	v := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v, true
}
func (s *Stack[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := len(s.items) - 1; i >= 0; i-- {
			if !yield(i, s.items[i]) {
				return
			}
		}
	}
}

type Pair[K comparable, V any] struct {
	Key K
	Val V
}

func (p Pair[K, V]) String() string    { return fmt.Sprintf("<%v=%v>", p.Key, p.Val) }
func (p Pair[K, V]) Swap() Pair2[V, K] { return Pair2[V, K]{p.Val, p.Key} }

type Pair2[A, B any] struct {
	A A
	B B
}

type List[T any] struct {
	head *node[T]
	size int
}
type node[T any] struct {
	v    T
	next *node[T]
}

func (l *List[T]) Add(v T) *List[T] {
	l.head = &node[T]{v, l.head}
	l.size++
	return l
}
func (l *List[T]) Each(f func(T)) {
	for n := l.head; n != nil; n = n.next {
		f(n.v)
	}
}

type Tree[T cmp.Ordered] struct {
	Left, Right *Tree[T]
	Val         T
}

func (t *Tree[T]) Insert(v T) *Tree[T] {
	if t == nil {
		return &Tree[T]{Val: v}
	}
	switch {
	case v < t.Val:
		t.Left = t.Left.Insert(v)
	case v > t.Val:
		t.Right = t.Right.Insert(v)
	}
	return t
}
func (t *Tree[T]) Walk(yield func(T) bool) bool {
	if t == nil {
		return true
	}
	return t.Left.Walk(yield) && yield(t.Val) && t.Right.Walk(yield)
}
func (t *Tree[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) { t.Walk(yield) }
}

type Set[T comparable] map[T]struct{}

func (s Set[T]) Add(v T)      { s[v] = struct{}{} }
func (s Set[T]) Has(v T) bool { _, ok := s[v]; return ok }
func SetOf[T comparable](v ...T) Set[T] {
	s := Set[T]{}
	for _, x := range v {
		s.Add(x)
	}
	return s
}

type MyInt int

func Keys[M ~map[K]V, K cmp.Ordered, V any](m M) []K {
	ks := make([]K, 0, len(m))
	for k := range m {
		ks = append(ks, k)
	}
	slices.Sort(ks)
	return ks
}

type Person struct {
	Name string
	Age  int
}

type Cache[K comparable, V any] struct {
	mu sync.Mutex
	m  map[K]V
	mk func(K) (V, error)
}

func NewCache[K comparable, V any](mk func(K) (V, error)) *Cache[K, V] {
	return &Cache[K, V]{m: make(map[K]V), mk: mk}
}
func (c *Cache[K, V]) Get(k K) (V, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.m[k]; ok {
		return v, nil
	}
	v, err := c.mk(k)
	if err != nil {
		var zero V
		return zero, fmt.Errorf("get %v: %w", k, err)
	}
	c.m[k] = v
	return v, nil
}

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer fmt.Println("done")
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func find(n int) (r int, err error) {
	defer func() { r *= 10 }()
	for i := range count(10) {
		for j := range count(3) {
			if j == 2 {
				break
			}
			if i*j == n {
				return i, nil
			}
		}
	}
	return -1, fmt.Errorf("none")
}

func main() {
	fmt.Println(Sum(1, 2, 3), Sum(1.5, 2), Sum[MyInt](4, 5))
	fmt.Println(Map([]int{1, 2}, func(i int) string { return strings.Repeat("x", i) }), Reduce([]string{"a", "bb"}, 0, func(a int, s string) int { return a + len(s) }))
	var s Stack[string]
	s.Push("a")
	s.Push("b")
	for i, v := range s.All() {
		fmt.Println(i, v)
	}
	fmt.Println(s.Pop())
	fmt.Println(s.Pop())
	fmt.Println(s.Pop())
	p := Pair[string, int]{"k", 1}
	fmt.Println(p, p.Swap(), []Pair[string, int]{p})
	fmt.Printf("%T %v %+v\n", p, p, p.Swap())
	l := (&List[int]{}).Add(1).Add(2)
	l.Each(func(i int) { fmt.Print(i, " ") })
	fmt.Println(l.size)
	var t *Tree[string]
	for _, w := range strings.Fields("the quick brown fox jumps over the lazy dog") {
		t = t.Insert(w)
	}
	for v := range t.All() {
		if v > "p" {
			break
		}
		fmt.Print(v, " ")
	}
	fmt.Println()
	st := SetOf(1, 2, 3)
	fmt.Println(st.Has(2), st.Has(9), len(st), Keys(st))
	fmt.Println(Keys(map[string]bool{"b": true, "a": false}))
	ps := []Person{{"Al", 30}, {"Bo", 25}, {"Cy", 30}}
	slices.SortFunc(ps, func(a, b Person) int { return cmp.Or(-cmp.Compare(a.Age, b.Age), strings.Compare(a.Name, b.Name)) })
	fmt.Println(ps)
	i, ok := slices.BinarySearchFunc([]int{1, 3, 5}, 3, cmp.Compare[int])
	fmt.Println(i, ok, slices.Max([]int{3, 9, 2}), slices.Index([]string{"a", "b"}, "b"), slices.Contains([]MyInt{1}, 1))
	m := map[string]int{"x": 1, "y": 2}
	ks := slices.Sorted(maps.Keys(m))
	fmt.Println(ks, slices.Collect(maps.Values(map[int]int{1: 2})))
	fmt.Println(slices.Insert([]int{1, 4}, 1, 2, 3), slices.Delete([]int{1, 2, 3}, 0, 1), slices.Equal([]int{1}, []int{1}))
	c := NewCache(func(k int) (Person, error) {
		if k < 0 {
			return Person{}, fmt.Errorf("neg")
		}
		return Person{fmt.Sprint("p", k), k}, nil
	})
	fmt.Println(c.Get(3))
	fmt.Println(c.Get(-3))
	fmt.Println(find(4))
	fmt.Println(find(40))
	next, stop := iter.Pull(count(3))
	fmt.Println(next())
	fmt.Println(next())
	stop()
	fmt.Println(next())
	f := Sum[float64]
	fmt.Println(f(1, 2, 3.5))
	for c := range slices.Chunk([]int{1, 2, 3, 4, 5}, 2) {
		fmt.Print(c, len(c), cap(c), " ")
	}
	fmt.Println()
	for s := range strings.SplitSeq("a,b,c", ",") {
		fmt.Print(s, ";")
	}
	for i, v := range slices.Backward([]string{"p", "q"}) {
		fmt.Print(i, v)
	}
	fmt.Println(min(3, 1, 2), max(2.5, 1), min("b", "a"))
	once := sync.OnceValue(func() int { fmt.Println("once"); return 7 })
	fmt.Println(once(), once())
	funcs := []func() int{}
	for i := 0; i < 3; i++ {
		defer func() { fmt.Println("defer", i) }()
		funcs = append(funcs, func() int { i += 10; return i })
	}
	for _, f := range funcs {
		fmt.Print(f(), f(), " ")
	}
	fmt.Println()
	sort.Slice(ps, func(i, j int) bool { return ps[i].Name > ps[j].Name })
	fmt.Println(ps)
	clear(m)
	fmt.Println(len(m))
}
