// Package sync is the standard package's generic functions in the subset that package lower compiles.
package sync

// OnceValue is sync.OnceValue.
func OnceValue[T any](f func() T) func() T {
	once := OnceValues(func() (T, bool) { return f(), true })
	return func() T {
		v, _ := once()
		return v
	}
}

// OnceValues is sync.OnceValues.
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var (
		called  bool
		valid   bool
		failure any
		r1      T1
		r2      T2
	)
	lock := make(chan bool, 1)
	return func() (T1, T2) {
		lock <- true
		if !called {
			called = true
			func() {
				defer func() {
					if !valid {
						failure = recover()
					}
				}()
				r1, r2 = f()
				valid = true
			}()
		}
		<-lock
		if !valid {
			panic(failure)
		}
		return r1, r2
	}
}
