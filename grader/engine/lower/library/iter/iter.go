// Package iter is the standard package's types and functions in the subset that package lower compiles.
package iter

// Seq is iter.Seq.
type Seq[V any] func(yield func(V) bool)

// Seq2 is iter.Seq2.
type Seq2[K, V any] func(yield func(K, V) bool)

// Pull is iter.Pull: the sequence runs in a goroutine of its own, one step for each call of next.
func Pull[V any](seq Seq[V]) (next func() (V, bool), stop func()) {
	next2, stop := Pull2(func(yield func(V, bool) bool) {
		seq(func(v V) bool { return yield(v, true) })
	})
	return func() (V, bool) {
		v, _, ok := next2()
		return v, ok
	}, stop
}

// Pull2 is iter.Pull2.
func Pull2[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	var (
		k       K
		v       V
		ok      bool
		started bool
		done    bool
		stopped bool
		failure any
	)
	resume := make(chan bool)
	yielded := make(chan bool)
	run := func() {
		defer func() {
			failure = recover()
			done = true
			yielded <- true
		}()
		if <-resume {
			seq(func(k1 K, v1 V) bool {
				k, v, ok = k1, v1, true
				yielded <- true
				return <-resume
			})
		}
	}
	step := func(goOn bool) {
		if !started {
			started = true
			go run()
		}
		resume <- goOn
		<-yielded
		if failure != nil {
			f := failure
			failure = nil
			panic(f)
		}
	}
	next = func() (K, V, bool) {
		var zeroK K
		var zeroV V
		if done || stopped {
			return zeroK, zeroV, false
		}
		ok = false
		step(true)
		if !ok {
			return zeroK, zeroV, false
		}
		return k, v, true
	}
	stop = func() {
		if done || stopped {
			return
		}
		stopped = true
		if started {
			step(false)
		}
		done = true
	}
	return next, stop
}
