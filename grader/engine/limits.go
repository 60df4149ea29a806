package engine

import "time"

// Bounds on what is read and checked. Beyond each of them lies a clear diagnostic: a learner's file is one function and
// its helpers.
const (
	maxSourceBytes    = 256 << 10       // of one file
	maxBrackets       = 200             // open (, [ and { at one place
	maxDepth          = 1000            // nodes of the syntax tree above one another
	maxConstantString = 1 << 20         // bytes of one constant string, counted before anything is evaluated
	maxDiagnostics    = 20              // shown at once; the rest is counted
	maxCheck          = 5 * time.Second // type-checking and lowering of one program
)
