package grader

import "strings"

// Kinds of crash. Engines are compared by kind and place, not by message.
const (
	CrashUnfinished = "unfinished" // the function still calls exercise.Unfinished
	CrashPanic      = "panic"      // a call of panic
	CrashNil        = "nil dereference"
	CrashIndex      = "index out of range"
	CrashSlice      = "slice bounds out of range"
	CrashDivide     = "integer divide by zero"
	CrashNilMap     = "assignment to nil map"
	CrashAssertion  = "type assertion"
	CrashClosed     = "closed channel"
	CrashMakeSlice  = "makeslice"
	CrashShift      = "negative shift"
	CrashUnhashable = "unhashable"
	CrashCompare    = "incomparable"
	CrashRuntime    = "runtime error" // any other error of the Go runtime
)

// CrashKind sorts a message of the Go runtime. Anything that is none of its usual ones is CrashRuntime.
func CrashKind(message string) string {
	for _, k := range []struct{ part, kind string }{
		{"nil pointer dereference", CrashNil},
		{"index out of range", CrashIndex},
		{"slice bounds out of range", CrashSlice},
		{"cannot convert slice", CrashSlice},
		{"divide by zero", CrashDivide},
		{"assignment to entry in nil map", CrashNilMap},
		{"interface conversion", CrashAssertion},
		{"closed channel", CrashClosed},
		{"close of nil channel", CrashClosed},
		{"makeslice", CrashMakeSlice},
		{"negative shift", CrashShift},
		{"unhashable", CrashUnhashable},
		{"comparing uncomparable", CrashCompare},
	} {
		if strings.Contains(message, k.part) {
			return k.kind
		}
	}
	return CrashRuntime
}
