package main

import (
	"bufio"
	"bytes"
	"container/heap"
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"
	"unicode"
)

type Animal interface {
	Sound() string
	Name() string
}
type Base struct{ name string }

func (b *Base) Name() string     { return b.name }
func (b *Base) SetName(n string) { b.name = n }

type Dog struct {
	*Base
	age int
}

func (d Dog) Sound() string { return "woof" }

type Loud struct {
	Animal
	times int
}

func (l Loud) Sound() string { return strings.Repeat(l.Animal.Sound()+"!", l.times) }

type Rot struct{ r io.Reader }

func (r Rot) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	for i := range p[:n] {
		switch c := p[i]; {
		case c >= 'a' && c <= 'z':
			p[i] = 'a' + (c-'a'+13)%26
		}
	}
	return n, err
}

type upper struct{ w io.Writer }

func (u *upper) Write(p []byte) (int, error) { return u.w.Write(bytes.ToUpper(p)) }

type PQ []*Item
type Item struct {
	v   string
	pri int
	idx int
}

func (p PQ) Len() int           { return len(p) }
func (p PQ) Less(i, j int) bool { return p[i].pri > p[j].pri }
func (p PQ) Swap(i, j int)      { p[i], p[j] = p[j], p[i]; p[i].idx = i; p[j].idx = j }
func (p *PQ) Push(x any)        { it := x.(*Item); it.idx = len(*p); *p = append(*p, it) }
func (p *PQ) Pop() any          { old := *p; n := len(old); it := old[n-1]; *p = old[:n-1]; return it }

type key struct{ n int }
type ctxKey string

type NotFound struct{ What string }

func (n NotFound) Error() string { return n.What + " not found" }

type Temporary interface{ Temporary() bool }
type netErr struct{ msg string }

func (n *netErr) Error() string   { return n.msg }
func (n *netErr) Temporary() bool { return true }
func (n *netErr) As(target any) bool {
	if t, ok := target.(*NotFound); ok {
		*t = NotFound{"as:" + n.msg}
		return true
	}
	return false
}

type Counter struct {
	sync.Mutex
	n  map[string]int
	hi atomic.Int64
}

func (c *Counter) Inc(k string) {
	c.Lock()
	defer c.Unlock()
	c.n[k]++
	c.hi.Add(1)
}

type Handler func(string) string

func (h Handler) Serve(s string) string { return h(s) }

type Server interface{ Serve(string) string }

func chain(h Server, mw ...func(Server) Server) Server {
	for i := len(mw) - 1; i >= 0; i-- {
		h = mw[i](h)
	}
	return h
}

func logging(prefix string) func(Server) Server {
	return func(next Server) Server {
		return Handler(func(s string) string { return prefix + next.Serve(s) })
	}
}

type Matrix [2][2]int

func (m Matrix) T() Matrix { m[0][1], m[1][0] = m[1][0], m[0][1]; return m }

type Weekday int

const (
	Sun Weekday = iota
	Mon
)

var names = map[Weekday]string{Sun: "Sun", Mon: "Mon"}

func (d Weekday) String() string { return names[d] }

var (
	x    = y + 1
	y    = f()
	z, w = g()
)

func f() int          { return 41 }
func g() (int, error) { return x, nil }
func init()           { x++ }
func init()           { x *= 2 }

type Visitor interface{ Visit(n Node) string }
type Node interface{ Accept(v Visitor) string }
type Num struct{ v float64 }
type Bin struct {
	op   byte
	l, r Node
}

func (n Num) Accept(v Visitor) string  { return v.Visit(n) }
func (b *Bin) Accept(v Visitor) string { return v.Visit(b) }

type printer struct{ depth int }

func (p *printer) Visit(n Node) string {
	p.depth++
	defer func() { p.depth-- }()
	switch n := n.(type) {
	case Num:
		return strconv.FormatFloat(n.v, 'g', -1, 64)
	case *Bin:
		return fmt.Sprintf("(%s %c%d %s)", n.l.Accept(p), n.op, p.depth, n.r.Accept(p))
	default:
		return fmt.Sprintf("?%T", n)
	}
}

func main() {
	d := Dog{&Base{"rex"}, 3}
	d.SetName("max")
	var a Animal = Loud{d, 2}
	fmt.Println(a.Name(), a.Sound(), d.Name())
	sc := bufio.NewScanner(Rot{strings.NewReader("uryyb\njbeyq\n")})
	for sc.Scan() {
		fmt.Println(sc.Text())
	}
	var out strings.Builder
	fmt.Fprintf(&upper{&out}, "hello %d\n", 5)
	io.Copy(&upper{&out}, strings.NewReader("copied\n"))
	fmt.Print(out.String())
	pq := &PQ{}
	heap.Init(pq)
	for i, w := range []string{"a", "b", "c"} {
		heap.Push(pq, &Item{v: w, pri: (i * 7) % 5})
	}
	(*pq)[0].pri = -1
	heap.Fix(pq, 0)
	for pq.Len() > 0 {
		it := heap.Pop(pq).(*Item)
		fmt.Print(it.v, it.pri, it.idx, " ")
	}
	fmt.Println()
	ctx := context.WithValue(context.WithValue(context.Background(), key{1}, "one"), ctxKey("k"), Mon)
	fmt.Println(ctx.Value(key{1}), ctx.Value(key{2}), ctx.Value(ctxKey("k")), ctx.Value("k"))
	var err error = fmt.Errorf("w: %w", &netErr{"net"})
	var tmp Temporary
	fmt.Println(errors.As(err, &tmp), tmp.Temporary())
	var nf NotFound
	fmt.Println(errors.As(err, &nf), nf)
	var pe *strconv.NumError
	_, err = strconv.Atoi("x1")
	fmt.Println(errors.As(err, &pe), pe.Func, errors.Is(err, strconv.ErrSyntax), err)
	c := Counter{n: map[string]int{}}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Add(1)
		go func() { defer wg.Done(); c.Inc([]string{"a", "b"}[i%2]) }()
	}
	wg.Wait()
	fmt.Println(c.n, c.hi.Load())
	s := chain(Handler(strings.ToUpper), logging("1:"), logging("2:"))
	fmt.Println(s.Serve("q"))
	m := Matrix{{1, 2}, {3, 4}}
	fmt.Println(m.T(), m, m == m.T().T())
	fmt.Println(Mon, []Weekday{Sun, Mon}, map[Weekday]int{Mon: 1}, struct{ D Weekday }{Mon})
	fmt.Printf("%d %v %s %x %q %5s|%-5s|\n", Mon, Mon, Mon, Mon, Mon, Mon, Mon)
	fmt.Println(x, y, z, w)
	tree := &Bin{'+', Num{1}, &Bin{'*', Num{2.5}, Num{3}}}
	fmt.Println(tree.Accept(&printer{}))
	l := list.New()
	l.PushBack(Mon)
	l.PushFront(&d)
	for e := l.Front(); e != nil; e = e.Next() {
		switch v := e.Value.(type) {
		case Weekday:
			fmt.Println("wd", v)
		case *Dog:
			fmt.Println("dog", v.age)
		}
	}
	pool := sync.Pool{New: func() any { return &Item{v: "new"} }}
	it := pool.Get().(*Item)
	fmt.Println(it.v)
	var once sync.Once
	for range 3 {
		once.Do(func() { fmt.Println("once") })
	}
	var sm sync.Map
	sm.Store(key{1}, Mon)
	v, ok := sm.Load(key{1})
	fmt.Println(v, ok)
	people := []struct {
		Name string
		Age  int
	}{{"A", 3}, {"B", 1}, {"C", 2}}
	sort.Slice(people, func(i, j int) bool { return people[i].Age < people[j].Age })
	fmt.Println(people)
	fmt.Printf("%+v\n", people[0])
	ws := sort.StringSlice{"b", "a"}
	sort.Sort(sort.Reverse(ws))
	fmt.Println(ws)
	tw := tabwriter.NewWriter(&out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "a\tbbb\tc")
	tw.Flush()
	fmt.Print(out.String())
	re := regexp.MustCompile(`(\w)(\d)`)
	fmt.Println(re.ReplaceAllStringFunc("a1 b2", func(s string) string { return "<" + s + ">" }))
	fmt.Println(strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, "a1b2é"))
	fmt.Println(strings.FieldsFunc("a-b c", func(r rune) bool { return r == '-' || r == ' ' }))
	ctx2, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	ch := make(chan int)
	select {
	case v := <-ch:
		fmt.Println(v)
	case <-ctx2.Done():
		fmt.Println(ctx2.Err(), errors.Is(ctx2.Err(), context.DeadlineExceeded))
	}
	results := make(chan string, 3)
	go func() {
		defer close(results)
		for i := range 3 {
			results <- fmt.Sprint("r", i)
		}
	}()
	for r := range results {
		fmt.Print(r, " ")
	}
	fmt.Println(math.MaxInt64, uint64(math.MaxUint64), math.Inf(1), -7/2, -7%3, 7&^5, 1<<3|1, math.Pi)
	var u8 uint8 = 250
	u8 += 10
	var i8 int8 = 127
	i8++
	fmt.Println(u8, i8, ^0, uint32(1)<<31, int32(math.MinInt32)/2, u8>>9)
	var np *Dog
	func() {
		defer func() {
			if r := recover(); r != nil {
				fmt.Println("recovered:", r)
				if e, ok := r.(interface{ RuntimeError() }); ok {
					_ = e
					fmt.Println("runtime error")
				}
			}
		}()
		fmt.Println(np.age)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var e error
		_ = e.(*netErr)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var a any = Mon
		_ = a.(Animal)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var m map[string]int
		m["a"]++
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		a := []int{1, 2, 3}
		i := 5
		fmt.Println(a[1:i])
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		close(ch)
		close(ch)
	}()
	type local[T any] struct{ v T }
	fmt.Printf("%v %T\n", local[int]{3}, local[string]{})
	b := bytes.Buffer{}
	b.WriteString("buf")
	b.WriteByte('!')
	fmt.Println(b.String(), b.Len())
	arr := [5]int{1, 2, 3}
	sl := arr[1:3:4]
	sl = append(sl, 9)
	sl = append(sl, 10)
	sl[0] = 77
	fmt.Println(arr, sl, len(sl), cap(arr[:2]))
	for i, r := range "aé\xffz" {
		fmt.Print(i, ":", string(r), " ")
	}
	fmt.Println()
	fn := d.Sound
	d.age = 9
	var an Animal = d
	fm := an.Name
	d.SetName("zed")
	fmt.Println(fn(), fm(), Dog.Sound(d), (*Base).Name(d.Base))
	fmt.Printf("%v %v %p\n", (*Dog)(nil), error(nil), nil)
	fmt.Printf("%08b %o %#x %e %g %6.2f|%-8q|%+q|%U %c\n", 5, 8, 255, 1.5, 1e21, 3.14159, "a", "é", 'x', 'y')
	fmt.Printf("%t %v %s %v\n", true, []byte("hi"), []byte("hi"), [3]bool{true})
	fmt.Printf("%s %d %!|%z\n", 5, "x", 3)
}
