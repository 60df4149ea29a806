// Package handoff writes and reads the file that carries a learner's implementation and its evidence from one unit to the
// next and to the instructor: a DSSE envelope around an in-toto statement, signed with the learner's Ed25519 key, in
// canonical JSON. FORMAT.md specifies it for other programs.
//
// Sign makes the bytes, WriteFile stores them; Load and Verify read them back and refuse, with an *Error that says which
// rule they break, every file that is not byte for byte what Sign made. That proves integrity and who holds the key. What
// the implementation does is proved by executing it again, which is the grader's work.
//
// It imports nothing of ours but handoff/canonical and runs in the parent: no learner's code and no worker reaches it.
package handoff
