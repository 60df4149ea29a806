// Package world is what a probe gets and what it gives: a World holds one shop in a scratch folder, with its time, its ids
// and its operation log; an Observation holds what the probe saw, each value with its kind.
//
// It is supplied: compiled, and offered to interpreted code. A probe is
//
//	func Probe(ctx context.Context, w *world.World) (world.Observation, error)
//
// A World lives in the sandboxed worker, or in a native test. Observations travel to the parent, which compares them;
// expected values never come here. It imports the other supplied packages and nothing above them.
package world
