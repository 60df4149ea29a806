package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"time"
)

type Level int

const (
	Low Level = iota
	Mid
	High
)

func (l Level) String() string { return [...]string{"low", "mid", "high"}[l] }

type Status string

type Point struct{ X, Y int }

func (p Point) Dist() int        { return p.X*p.X + p.Y*p.Y }
func (p *Point) Move(dx, dy int) { p.X += dx; p.Y += dy }

type Named struct {
	Point
	Name  string `json:"name"`
	Level Level  `json:"level"`
	inner Level
	Tags  []Status          `json:"tags,omitempty"`
	M     map[Status]*Point `json:"m"`
	Any   any
	Err   error
	When  time.Duration
	F     func() int
	Ptr   *Point
}

type MyErr struct {
	Code int
	Err  error
}

func (e *MyErr) Error() string { return fmt.Sprintf("code %d: %v", e.Code, e.Err) }
func (e *MyErr) Unwrap() error { return e.Err }

type ValErr struct{ S string }

func (e ValErr) Error() string        { return "val " + e.S }
func (e ValErr) Is(target error) bool { return target == io.EOF }

type Shape interface {
	Area() float64
	Name() string
}
type Sq struct{ s float64 }
type Ci struct{ r float64 }

func (s Sq) Area() float64  { return s.s * s.s }
func (s Sq) Name() string   { return "sq" }
func (c *Ci) Area() float64 { return 3 * c.r * c.r }
func (c *Ci) Name() string  { return "ci" }

type byArea []Shape

func (b byArea) Len() int           { return len(b) }
func (b byArea) Less(i, j int) bool { return b[i].Area() < b[j].Area() }
func (b byArea) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

type Temp float64

func (t Temp) MarshalJSON() ([]byte, error) { return []byte(fmt.Sprintf(`"%.1fC"`, float64(t))), nil }
func (t *Temp) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	var f float64
	_, err := fmt.Sscanf(s, "%fC", &f)
	*t = Temp(f)
	return err
}

type Conf struct {
	T    Temp
	Ts   []Temp
	Lvl  Level
	Opt  *int `json:"opt,omitempty"`
	Sub  struct{ A, B int }
	Map  map[string]Temp
	When time.Time `json:"when"`
}

func main() {
	p := &Point{1, 2}
	n := Named{Point: *p, Name: "n", Level: Mid, inner: High, Tags: []Status{"a", "b"}, M: map[Status]*Point{"k": nil}, Any: Low, Err: errors.New("e"), When: time.Second}
	fmt.Printf("%v\n%+v\n", n.Point, n.Point)
	fmt.Println(n.Level, n.inner, n.Tags, n.Any, n.Err, n.When)
	fmt.Printf("%v %+v %d %s %x %q\n", n.Level, n.Level, n.Level, n.Level, n.Level, n.Level)
	fmt.Printf("%#v %#v %#v %T %T\n", n.Level, n.Tags, n.Point, n, n.M)
	n.F, n.M = nil, nil
	fmt.Printf("%v\n", n)
	fmt.Printf("%+v\n", n)
	fmt.Printf("%#v\n", Sq{2})
	fmt.Printf("%v %+v %v\n", p, p, []*Point{nil})
	fmt.Printf("%5d|%-8v|%8v|%08.3f|%+d\n", Level(2), Level(1), Status("st"), Temp(1.5), Level(1))
	var e error = &MyErr{3, fmt.Errorf("wrap: %w", io.EOF)}
	fmt.Println(e, errors.Is(e, io.EOF), errors.Unwrap(e))
	w := fmt.Errorf("outer: %w", e)
	var me *MyErr
	fmt.Println(errors.As(w, &me), me.Code, me == e)
	fmt.Println(errors.Is(ValErr{"x"}, io.EOF), errors.Is(fmt.Errorf("a %w b %w", io.ErrUnexpectedEOF, ValErr{"y"}), io.EOF))
	var ve ValErr
	fmt.Println(errors.As(errors.Join(e, ValErr{"z"}), &ve), ve)
	var nilErr *MyErr
	var e2 error = nilErr
	fmt.Println(e2 == nil, nilErr == nil)
	shapes := []Shape{Sq{3}, &Ci{1}, Sq{1}}
	sort.Sort(byArea(shapes))
	for i, s := range shapes {
		switch v := s.(type) {
		case Sq:
			fmt.Println(i, "Sq", v.s, v.Area())
		case *Ci:
			fmt.Println(i, "Ci", v.r, v.Area())
		}
	}
	fmt.Println(shapes[0] == Shape(Sq{1}), shapes[0] == shapes[2], len(shapes))
	m := map[Shape]int{}
	m[Sq{1}] = 5
	m[Sq{1}]++
	fmt.Println(m[Sq{1}], len(m), m)
	var a any = Level(2)
	if s, ok := a.(fmt.Stringer); ok {
		fmt.Println("stringer", s)
	}
	_, ok := a.(int)
	_, ok2 := a.(Level)
	fmt.Println(ok, ok2)
	c := Conf{T: 21.5, Ts: []Temp{1, 2}, Lvl: High, Map: map[string]Temp{"z": 3, "a": 4}, When: time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)}
	c.Sub.A = 9
	b, err := json.Marshal(c)
	fmt.Println(string(b), err)
	var c2 Conf
	err = json.Unmarshal(b, &c2)
	fmt.Printf("%+v %v\n", c2, err)
	bi, _ := json.MarshalIndent(map[string]any{"p": p, "l": Low, "s": []any{Sq{1}, n.Tags}}, "", " ")
	fmt.Println(string(bi))
	err = json.Unmarshal([]byte(`{"T": 5, "Lvl": "x"}`), &c2)
	fmt.Println(err)
	f := p.Move
	p = &Point{100, 100}
	f(1, 1)
	g := (*Point).Move
	g(p, 1, 1)
	h := Point.Dist
	fmt.Println(*p, h(*p))
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s-%v", Status("q"), Level(0))
	io.WriteString(&sb, "\n")
	fmt.Print(sb.String())
	type local struct{ a, b int }
	ls := map[local]string{{1, 2}: "x"}
	fmt.Println(ls, ls[local{1, 2}])
	fmt.Printf("%v %+v %T\n", local{1, 2}, &local{3, 4}, local{})
	var np *Point
	func() {
		defer func() { fmt.Println("rec:", recover()) }()
		fmt.Println(np.X)
	}()
	func() {
		defer func() { r := recover(); e, ok := r.(error); fmt.Println("rec:", e, ok) }()
		var arr []int
		i := 5
		fmt.Println(arr[i])
	}()
	func() {
		defer func() { fmt.Println("rec:", recover()) }()
		panic(fmt.Sprintf("x%d", 1))
	}()
	func() {
		defer func() { fmt.Println("rec:", recover()) }()
		panic(ValErr{"boom"})
	}()
}
