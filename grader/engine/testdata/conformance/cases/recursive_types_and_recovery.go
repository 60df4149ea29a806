package main

import (
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"time"
)

// recursive and mutual types
type Fn func(int) Fn
type Tree map[string]Tree
type Ring *Ring
type Emp struct {
	Name string
	Boss *Emp
	Team []*Emp
	Dept *Dept
}
type Dept struct {
	Name string
	Head *Emp
	All  map[string]*Emp
	Hook func(*Dept) *Emp
}
type State func(*Machine) State
type Machine struct {
	n   int
	log []string
	cur State
}

func start(m *Machine) State { m.log = append(m.log, "start"); return middle }
func middle(m *Machine) State {
	m.n++
	if m.n < 3 {
		return middle
	}
	return nil
}

type Visitor struct {
	onLeaf func(v *Visitor, n int)
	total  int
}
type Graph struct {
	nodes map[int]*GNode
}
type GNode struct {
	id  int
	out []*Edge
	g   *Graph
}
type Edge struct {
	to *GNode
	w  int
}
type Option func(*Server) error
type Server struct {
	addr string
	opts []Option
	tls  *struct{ cert string }
}

func WithAddr(a string) Option { return func(s *Server) error { s.addr = a; return nil } }
func New(opts ...Option) (*Server, error) {
	s := &Server{opts: opts}
	for _, o := range opts {
		if err := o(s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

type LinkedList[T any] struct {
	root Element[T]
	n    int
}
type Element[T any] struct {
	next, prev *Element[T]
	list       *LinkedList[T]
	Value      T
}

func (l *LinkedList[T]) Init() *LinkedList[T] {
	l.root.next = &l.root
	l.root.prev = &l.root
	return l
}
func (l *LinkedList[T]) Push(v T) *Element[T] {
	e := &Element[T]{Value: v, list: l}
	at := l.root.prev
	e.prev = at
	e.next = at.next
	e.prev.next = e
	e.next.prev = e
	l.n++
	return e
}
func (e *Element[T]) Next() *Element[T] {
	if p := e.next; e.list != nil && p != &e.list.root {
		return p
	}
	return nil
}

type Err string

func (e Err) Error() string { return string(e) }

const ErrX = Err("x")

type multi []error

func (m multi) Error() string   { return fmt.Sprint(len(m), " errors") }
func (m multi) Unwrap() []error { return m }

func risky(n int) (res string, err error) {
	defer func() {
		if r := recover(); r != nil {
			switch r := r.(type) {
			case error:
				err = fmt.Errorf("recovered: %w", r)
			case string:
				err = errors.New(r)
			default:
				panic(r)
			}
		}
	}()
	switch n {
	case 0:
		panic("str")
	case 1:
		panic(ErrX)
	case 2:
		var m map[string]int
		m["x"] = 1
	case 3:
		a := []int{1}
		_ = a[n]
	case 4:
		panic(Fn(nil))
	}
	return fmt.Sprint("ok", n), nil
}

func multiDefer() (out string) {
	for i := 0; i < 3; i++ {
		defer func(k int) { out += fmt.Sprint(k, i, " ") }(i * 10)
	}
	func() {
		defer func() { out += "inner " }()
		out += "body "
	}()
	return out + "ret "
}

type stopwatch struct{ t time.Time }

func (s *stopwatch) done(name string) func() {
	fmt.Println("start", name)
	return func() { fmt.Println("end", name) }
}

type Grid [3][3]rune

func (g *Grid) Set(r, c int, v rune) { g[r][c] = v }
func (g Grid) String() string {
	var sb strings.Builder
	for _, row := range g {
		for _, c := range row {
			if c == 0 {
				c = '.'
			}
			sb.WriteRune(c)
		}
		sb.WriteByte('/')
	}
	return sb.String()
}

type Inventory struct {
	items map[string]struct {
		qty   int
		price float64
	}
}

type Money int64

func (m Money) String() string { return fmt.Sprintf("$%d.%02d", int64(m)/100, int64(m)%100) }

type Account struct {
	ID      string
	Balance Money
	History []Entry
}
type Entry struct {
	Amount Money
	Note   string
	At     time.Time
}

func (a *Account) Post(amount Money, note string) (err error) {
	if a.Balance+amount < 0 {
		return &InsufficientError{a.ID, a.Balance, -amount}
	}
	a.Balance += amount
	a.History = append(a.History, Entry{amount, note, time.Unix(0, 0).UTC()})
	return
}

type InsufficientError struct {
	ID         string
	Have, Want Money
}

func (e InsufficientError) Error() string {
	return fmt.Sprintf("account %q: have %v, want %v", e.ID, e.Have, e.Want)
}

func main() {
	var f Fn
	calls := 0
	f = func(n int) Fn { calls += n; return f }
	f(1)(2)(3)
	fmt.Println(calls)
	t := Tree{"a": {"b": nil}, "c": Tree{}}
	fmt.Println(len(t), len(t["a"]), t["a"]["b"] == nil)
	t["z"] = Tree{"y": t["a"]}
	for k, v := range t["z"] {
		fmt.Println(k, len(v))
	}
	d := &Dept{Name: "eng", All: map[string]*Emp{}}
	e1 := &Emp{Name: "ann", Dept: d}
	e2 := &Emp{Name: "bob", Boss: e1, Dept: d}
	e1.Team = append(e1.Team, e2, nil)
	e1.Team = e1.Team[:1]
	d.Head = e1
	d.All["bob"] = e2
	d.Hook = func(d *Dept) *Emp { return d.Head.Team[0] }
	fmt.Println(d.Hook(d).Boss.Name, d.All["bob"].Dept.Head.Name, e1.Team[0].Dept == d, d.All["none"] == nil)
	m := &Machine{}
	for m.cur = start; m.cur != nil; m.cur = m.cur(m) {
	}
	fmt.Println(m.n, m.log)
	v := &Visitor{}
	v.onLeaf = func(v *Visitor, n int) { v.total += n }
	for i := range 4 {
		v.onLeaf(v, i)
	}
	fmt.Println(v.total)
	g := &Graph{nodes: map[int]*GNode{}}
	for i := range 3 {
		g.nodes[i] = &GNode{id: i, g: g}
	}
	g.nodes[0].out = append(g.nodes[0].out, &Edge{g.nodes[1], 5}, &Edge{to: g.nodes[2], w: 7})
	sum := 0
	for _, e := range g.nodes[0].out {
		sum += e.w * e.to.id
		e.to.out = append(e.to.out, &Edge{to: g.nodes[0]})
	}
	fmt.Println(sum, len(g.nodes[2].out), g.nodes[2].out[0].to.g == g)
	s, err := New(WithAddr(":80"), func(s *Server) error { s.tls = &struct{ cert string }{"c"}; return nil })
	fmt.Println(s.addr, s.tls.cert, err, len(s.opts))
	l := new(LinkedList[string]).Init()
	first := l.Push("a")
	l.Push("b")
	l.Push("c")
	for e := first; e != nil; e = e.Next() {
		fmt.Print(e.Value, " ")
	}
	fmt.Println(l.n)
	for i := range 6 {
		func() {
			defer func() {
				if r := recover(); r != nil {
					fmt.Printf("outer %T\n", r)
				}
			}()
			r, err := risky(i)
			fmt.Println(r, err, errors.Is(err, ErrX))
		}()
	}
	fmt.Println(multiDefer())
	sw := &stopwatch{}
	func() {
		defer sw.done("x")()
		fmt.Println("working")
	}()
	var gr Grid
	gr.Set(1, 1, 'X')
	cp := gr
	cp.Set(0, 0, 'O')
	fmt.Println(gr, cp, gr == cp)
	inv := Inventory{items: make(map[string]struct {
		qty   int
		price float64
	})}
	it := inv.items["w"]
	it.qty++
	inv.items["w"] = it
	fmt.Println(inv.items["w"].qty, inv)
	acc := Account{ID: "a1"}
	for _, a := range []Money{500, -200, -400} {
		if err := acc.Post(a, "n"); err != nil {
			var ie *InsufficientError
			fmt.Println(err, errors.As(err, &ie), ie.Want)
		}
	}
	fmt.Println(acc.Balance, acc.History)
	fmt.Printf("%+v\n", acc)
	me := multi{ErrX, io.EOF}
	fmt.Println(me, errors.Is(me, io.EOF), errors.Is(fmt.Errorf("z: %w", me), ErrX))
	words := strings.Fields("b a c a b a")
	freq := map[string]int{}
	for _, w := range words {
		freq[w]++
	}
	type kv struct {
		k string
		v int
	}
	var kvs []kv
	for k, v := range freq {
		kvs = append(kvs, kv{k, v})
	}
	sort.Slice(kvs, func(i, j int) bool {
		if kvs[i].v != kvs[j].v {
			return kvs[i].v > kvs[j].v
		}
		return kvs[i].k < kvs[j].k
	})
	fmt.Println(kvs)
	var iface interface {
		error
		Unwrap() []error
	} = me
	fmt.Println(len(iface.Unwrap()), iface.Error())
	ptrs := []*int{}
	for i := 0; i < 3; i++ {
		ptrs = append(ptrs, &i)
	}
	for _, p := range ptrs {
		*p *= 2
		fmt.Print(*p, " ")
	}
	fmt.Println()
	var nilmap map[string][]int
	nilmap2 := map[string][]int{}
	nilmap2["a"] = append(nilmap2["a"], 1, 2)
	fmt.Println(nilmap["q"], len(nilmap), nilmap2)
	x := 10
	p := &x
	pp := &p
	**pp = 20
	fmt.Println(x, *p == **pp)
	type T struct {
		A [2]struct{ B []int }
	}
	var tt T
	tt.A[1].B = append(tt.A[1].B, 4)
	t2 := tt
	t2.A[1].B[0] = 5
	t2.A[0].B = []int{1}
	fmt.Println(tt, t2)
	switch y := any(tt).(type) {
	case T:
		y.A[0].B = nil
		fmt.Println("T", y)
	}
outer:
	for i := range 3 {
		switch {
		case i == 1:
			continue outer
		case i == 2:
			break outer
		default:
			fmt.Println("i", i)
		}
	}
	goto end
end:
	fmt.Println("end")
}
