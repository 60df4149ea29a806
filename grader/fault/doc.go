// Package fault breaks a learner's own code on purpose. A matched fault is found by behaviour and not by text: every
// single-node edit of the learner's file is a candidate, and the first one, in a fixed order, whose world differs from the
// learner's own good one in exactly the declared cells is the fault. The package makes the edits and searches them; how a
// candidate is run is passed in. It runs in the parent, imports package grader only, and knows no exercise by name.
package fault
