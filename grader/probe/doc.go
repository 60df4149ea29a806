// Package probe drives a prepared program and says what it did.
//
// Child side (Serve, and package worker below this one): run the probe in a world inside scratch and send back what it
// observed. No expected value ever gets there. Parent side (Runner): send the request to a sandboxed worker, classify how
// it ended, read the artifacts that it left from a private copy, rebuild the moments that the probe marked from the
// operation log, and compare, strictly and field by field. Where an artifact and the program's own words differ, the
// artifact wins.
//
// It imports grader, grader/check, grader/engine, grader/sandbox, exercises and the runtime; it knows no exercise by name.
package probe
