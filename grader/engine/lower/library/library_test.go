// Package library_test holds the supplied sources against the standard packages that they stand for.
package library_test

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	ourcmp "fieldbook/grader/engine/lower/library/cmp"
	ouriter "fieldbook/grader/engine/lower/library/iter"
	ourmaps "fieldbook/grader/engine/lower/library/maps"
	ourslices "fieldbook/grader/engine/lower/library/slices"
	ourstrings "fieldbook/grader/engine/lower/library/strings"
	oursync "fieldbook/grader/engine/lower/library/sync"
)

// outcome is what a call returns or panics with.
func outcome(f func() any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "panics"
		}
	}()
	return fmt.Sprintf("%#v", f())
}

func TestSlicesAgree(t *testing.T) {
	ints := rapid.SliceOfN(rapid.IntRange(0, 6), 0, 9)
	small := rapid.IntRange(0, 9)
	rapid.Check(t, func(t *rapid.T) {
		s, v := ints.Draw(t, "s"), ints.Draw(t, "v")
		i, j, x := small.Draw(t, "i"), small.Draw(t, "j"), small.Draw(t, "x")
		odd := func(n int) bool { return n%2 == 1 }
		byRest := func(a, b int) int { return a%3 - b%3 }
		roomy := func() []int { return append(make([]int, 0, 30), s...) }
		for name, pair := range map[string][2]func() any{
			"Insert":       {func() any { return ourslices.Insert(roomy(), i, v...) }, func() any { return slices.Insert(roomy(), i, v...) }},
			"Insert full":  {func() any { return ourslices.Insert(slices.Clip(s), i, v...) }, func() any { return slices.Insert(slices.Clip(s), i, v...) }},
			"Delete":       {func() any { return ourslices.Delete(roomy(), i, j) }, func() any { return slices.Delete(roomy(), i, j) }},
			"Replace":      {func() any { return ourslices.Replace(roomy(), i, j, v...) }, func() any { return slices.Replace(roomy(), i, j, v...) }},
			"DeleteFunc":   {func() any { return ourslices.DeleteFunc(roomy(), odd) }, func() any { return slices.DeleteFunc(roomy(), odd) }},
			"Compact":      {func() any { return ourslices.Compact(roomy()) }, func() any { return slices.Compact(roomy()) }},
			"Sort":         {func() any { c := roomy(); ourslices.Sort(c); return c }, func() any { c := roomy(); slices.Sort(c); return c }},
			"SortFunc":     {func() any { c := roomy(); ourslices.SortFunc(c, byRest); return c }, func() any { c := roomy(); slices.SortFunc(c, byRest); return c }},
			"SortStable":   {func() any { c := roomy(); ourslices.SortStableFunc(c, byRest); return c }, func() any { c := roomy(); slices.SortStableFunc(c, byRest); return c }},
			"IsSorted":     {func() any { return ourslices.IsSorted(s) }, func() any { return slices.IsSorted(s) }},
			"Reverse":      {func() any { c := roomy(); ourslices.Reverse(c); return c }, func() any { c := roomy(); slices.Reverse(c); return c }},
			"Index":        {func() any { return ourslices.Index(s, x) }, func() any { return slices.Index(s, x) }},
			"Equal":        {func() any { return ourslices.Equal(s, v) }, func() any { return slices.Equal(s, v) }},
			"Compare":      {func() any { return ourslices.Compare(s, v) }, func() any { return slices.Compare(s, v) }},
			"Min":          {func() any { return ourslices.Min(s) }, func() any { return slices.Min(s) }},
			"MaxFunc":      {func() any { return ourslices.MaxFunc(s, byRest) }, func() any { return slices.MaxFunc(s, byRest) }},
			"Concat":       {func() any { return ourslices.Concat(s, v, s) }, func() any { return slices.Concat(s, v, s) }},
			"Repeat":       {func() any { return ourslices.Repeat(s, x-1) }, func() any { return slices.Repeat(s, x-1) }},
			"Chunk":        {func() any { return chunks(ourslices.Chunk(s, x)) }, func() any { return chunks(slices.Chunk(s, x)) }},
			"BinarySearch": {func() any { c := ourslices.Sorted(ourslices.Values(s)); return pairOf(ourslices.BinarySearch(c, x)) }, func() any { c := slices.Sorted(slices.Values(s)); return pairOf(slices.BinarySearch(c, x)) }},
			"Clone":        {func() any { return ourslices.Clone(s) }, func() any { return slices.Clone(s) }},
			"Backward":     {func() any { return all(ourslices.Backward(s)) }, func() any { return all(slices.Backward(s)) }},
		} {
			if got, want := outcome(pair[0]), outcome(pair[1]); got != want {
				t.Fatalf("%s of %v, %v, %d, %d, %d: got %s, want %s", name, s, v, i, j, x, got, want)
			}
		}
	})
}

// chunks is the chunks of a sequence, of whichever package's type.
func chunks[Seq ~func(func([]int) bool)](seq Seq) (list [][]int) {
	seq(func(c []int) bool { list = append(list, c); return len(list) < 3 })
	return list
}

func all[Seq ~func(func(int, int) bool)](seq Seq) (list [][2]int) {
	seq(func(i, v int) bool { list = append(list, [2]int{i, v}); return true })
	return list
}

func pairOf(i int, found bool) string { return fmt.Sprint(i, found) }

func TestMapsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.MapOfN(rapid.IntRange(0, 5), rapid.IntRange(0, 2), 0, 5)
		m, other := draw.Draw(t, "m"), draw.Draw(t, "other")
		if got, want := ourmaps.Equal(m, other), maps.Equal(m, other); got != want {
			t.Fatalf("Equal: got %t", got)
		}
		got, want := ourmaps.Clone(m), maps.Clone(m)
		ourmaps.Copy(got, other)
		maps.Copy(want, other)
		ourmaps.DeleteFunc(got, func(k, v int) bool { return k == v })
		maps.DeleteFunc(want, func(k, v int) bool { return k == v })
		if !maps.Equal(got, want) || !maps.Equal(ourmaps.Collect(ourmaps.All(got)), want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
	if ourmaps.Clone(map[int]int(nil)) != nil {
		t.Error("the clone of nil is not nil")
	}
}

func TestStringsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[ab, \n]{0,12}`).Draw(t, "s")
		sep := rapid.SampledFrom([]string{"", ",", "a", ", "}).Draw(t, "sep")
		for name, pair := range map[string][2]iter.Seq[string]{
			"Lines":         {iter.Seq[string](ourstrings.Lines(s)), strings.Lines(s)},
			"SplitSeq":      {iter.Seq[string](ourstrings.SplitSeq(s, sep)), strings.SplitSeq(s, sep)},
			"SplitAfterSeq": {iter.Seq[string](ourstrings.SplitAfterSeq(s, sep)), strings.SplitAfterSeq(s, sep)},
			"FieldsSeq":     {iter.Seq[string](ourstrings.FieldsSeq(s)), strings.FieldsSeq(s)},
		} {
			if got, want := slices.Collect(pair[0]), slices.Collect(pair[1]); !slices.Equal(got, want) {
				t.Fatalf("%s(%q, %q): got %q, want %q", name, s, sep, got, want)
			}
		}
	})
}

func TestCompare(t *testing.T) {
	nan := []float64{1, -1, 0}[2]
	nan /= nan
	for _, c := range []struct {
		x, y float64
		want int
	}{{1, 2, -1}, {2, 1, 1}, {1, 1, 0}, {nan, 1, -1}, {1, nan, 1}, {nan, nan, 0}} {
		if got := ourcmp.Compare(c.x, c.y); got != c.want {
			t.Errorf("Compare(%v, %v) = %d, want %d", c.x, c.y, got, c.want)
		}
		if got := ourcmp.Less(c.x, c.y); got != (c.want < 0) {
			t.Errorf("Less(%v, %v) = %t", c.x, c.y, got)
		}
	}
	if got := ourcmp.Or(0, 0, 3, 4); got != 3 {
		t.Errorf("Or gives %d, want 3", got)
	}
}

func TestPull(t *testing.T) {
	count := func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
			if i == 2 {
				panic("two")
			}
		}
	}
	next, stop := ouriter.Pull(count)
	for want := range 3 {
		if v, ok := next(); v != want || !ok {
			t.Errorf("next gives %d, %t, want %d", v, ok, want)
		}
	}
	func() {
		defer func() {
			if r := recover(); r != "two" {
				t.Errorf("recovered %v, want the sequence's panic", r)
			}
		}()
		next()
	}()
	stop()
	next, stop = ouriter.Pull(count)
	next()
	stop()
	stop()
	if v, ok := next(); ok {
		t.Errorf("next gives %d after stop", v)
	}
}

func TestOnceValue(t *testing.T) {
	calls := 0
	once := oursync.OnceValue(func() int { calls++; return 7 })
	if once() != 7 || once() != 7 || calls != 1 {
		t.Errorf("called %d times", calls)
	}
	failing := oursync.OnceValues(func() (int, error) { calls++; panic("bad") })
	for range 2 {
		func() {
			defer func() {
				if r := recover(); r != "bad" {
					t.Errorf("recovered %v, want bad", r)
				}
			}()
			failing()
		}()
	}
	if calls != 2 {
		t.Errorf("called %d times, want 2", calls)
	}
}
