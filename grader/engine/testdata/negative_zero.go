package main

import (
	"fmt"
	"math"
)

type celsius float64

func (c celsius) sign() bool              { return math.Signbit(float64(c)) }
func (c celsius) times(f float32) float32 { return f }

type signer interface {
	sign() bool
	times(f float32) float32
}

func same(x float64) float64             { return x }
func pair(a, b complex128) [2]complex128 { return [2]complex128{a, b} }

func twice[T float32 | float64](x T, f func(T) T) T { return f(f(x)) }

func sum(first float64, rest ...float64) (float64, []float64) { return first, rest }

func named(x float64) (y float64) {
	defer func() { y = x }()
	return 1
}

func main() {
	zero := math.Copysign(0, -1)
	small := float32(zero)
	fmt.Println(same(zero), 1/same(zero), math.Signbit(same(zero)), same(1.5), same(0))
	fmt.Println(pair(complex(zero, zero), complex(1, zero)))
	fmt.Println(twice(zero, same), twice(small, func(x float32) float32 { return x }))
	fmt.Println(sum(zero, zero, 1))
	fmt.Println(named(zero), celsius(zero).sign(), 1/celsius(1).times(small))
	var s signer = celsius(zero)
	fmt.Println(s.sign(), 1/s.times(small))
	captured := func() float64 { return zero }
	fmt.Println(captured(), 1/captured())
	f, m := same, celsius(zero).sign
	fmt.Println(f(zero), m())
	defer func(x float64) { fmt.Println(x) }(zero)
	defer fmt.Println(zero)
	done := make(chan float64)
	go func(x float64) { done <- x }(zero)
	fmt.Println(<-done)
}
