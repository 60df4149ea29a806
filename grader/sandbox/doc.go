// Package sandbox runs a function on a request in a child process and returns its reply: single use, with every layer
// that the system offers between the child and the machine. It knows nothing of Go source or of exercises; bytes go in
// and bytes come out.
//
// The child is the same program started again, or another that links this package. Its main (a test binary's TestMain)
// begins with
//
//	if sandbox.IsWorker(os.Args) {
//		sandbox.Serve(warm)
//	}
//
// and the parent's main begins with Harden. A program whose workers do several things serves roles instead (ServeRoles), and
// a job names one. Serve and Function run in the worker; everything else runs in the parent.
// A job whose function only reads a learner's code, and runs nothing of it, may be Standing: its worker serves the next job too.
// What jobs have in common may go Ahead of them: a spare worker has dealt with it before the job comes.
// The worker has an empty environment, one processor, and for files its scratch folder or nothing.
//
// What comes back is believed only as far as it can be checked: a result is exactly one frame with the right
// authentication code, and exit status 0. That finds cheap forgeries; code that has taken over the worker's memory can
// answer what it likes. Integrity comes from what the worker is never told (expected values), and from artifacts that
// the parent reads after the worker's death.
//
// Doctor attacks a worker in every way that a layer should hold, and says which did.
//
// This is hardened local grading without root, daemon or container. It is not multi-tenant hosting.
//
// It imports package grader (outcomes, limits, errors), its own package enter (the layers), and nothing else of ours. Package
// footprint beside it is for tests: what a process holds of the machine.
package sandbox
