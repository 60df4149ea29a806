// Package crash explores what a crash can do to a learner's function: it takes the durable operations of one recorded run,
// builds the state of the disk at every instant at which the run may end, and judges each state by the invariants that the
// exercise declares.
//
// A Disk knows, beside the files as a running process sees them, what a power loss would leave of them. From it come the
// states, under three models: the process is killed, the power is lost, and names reach the disk before contents. Equal
// states are one. A state is judged by the parent, in a private copy; only the invariants that ask for it run learner code
// again from that state, in the sandbox. The same operations are then refused one at a time, as a full or failing disk
// would refuse them.
//
// It runs in the parent, knows no exercise by name, and imports grader, grader/probe, grader/engine, grader/sandbox,
// exercises and the runtime's log and values. The result is data; the command draws it.
package crash
