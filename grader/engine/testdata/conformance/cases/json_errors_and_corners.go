package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

type T struct {
	A int
	C chan int `json:"c"`
}
type Bad struct{ N int }

func (b Bad) MarshalJSON() ([]byte, error) {
	if b.N > 1 {
		return nil, errors.New("too big")
	}
	return []byte(`{"bad":true}`), nil
}

type W struct {
	B   Bad
	Raw json.RawMessage
	S   string `json:",omitempty"`
	N   int    `json:"n,string"`
	X   any    `json:"x"`
	*E
}
type E struct {
	Deep string
	hid  int
}
type Kind int

func (k Kind) MarshalText() ([]byte, error) { return []byte(fmt.Sprint("k", int(k))), nil }
func (k *Kind) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "k%d", (*int)(k))
	return err
}

func main() {
	_, err := json.Marshal(T{})
	fmt.Println(err)
	_, err = json.Marshal(Bad{5})
	fmt.Println(err)
	b, err := json.Marshal([]any{Bad{1}, W{Raw: json.RawMessage(`[1]`), N: 4, X: Bad{}, E: &E{"d", 1}}, map[Kind]Kind{1: 2}})
	fmt.Println(string(b), err)
	var w W
	fmt.Println(json.Unmarshal([]byte(`{"B":{"N":3},"n":"77","x":{"q":[1,"a",null]},"Deep":"z"}`), &w), w.B, w.N, w.X, w.E.Deep)
	var m map[Kind][]Kind
	fmt.Println(json.Unmarshal([]byte(`{"k3":["k4","k5"]}`), &m), m)
	defer fmt.Printf("deferred %T %v\n", w.B, w.N)
	w.N = 5
	dec := json.NewDecoder(strings.NewReader(`{"A":1} {"A":2} {"A":"x"}`))
	for {
		var t struct{ A int }
		if err := dec.Decode(&t); err != nil {
			fmt.Println("err:", err)
			break
		}
		fmt.Println(t)
	}
	dec = json.NewDecoder(strings.NewReader(`{"Z":1}`))
	dec.DisallowUnknownFields()
	fmt.Println(dec.Decode(&E{}))
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetIndent("", " ")
	fmt.Println(enc.Encode(E{"<x>", 3}), text.String())
	var ute *json.UnmarshalTypeError
	err = json.Unmarshal([]byte(`{"n":5}`), &w)
	fmt.Println(err, errors.As(err, &ute))
	err = json.Unmarshal([]byte(`{"n":`), &w)
	fmt.Println(err)
	sc := bufio.NewScanner(strings.NewReader("a b\nc"))
	sc.Split(bufio.ScanWords)
	for sc.Scan() {
		fmt.Print(sc.Text(), ",")
	}
	fmt.Println()
	type anon struct {
		Items []struct {
			ID   int      `json:"id"`
			Tags []string `json:"tags"`
		} `json:"items"`
		Next *anon `json:"next"`
	}
	var a anon
	fmt.Println(json.Unmarshal([]byte(`{"items":[{"id":1,"tags":["x","y"]},{"id":2}],"next":{"items":[]}}`), &a))
	fmt.Printf("%+v %v\n", a.Items, a.Next.Items)
	out, _ := json.Marshal(a)
	fmt.Println(string(out))
}
