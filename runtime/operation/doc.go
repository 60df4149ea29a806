// Package operation records what the teaching runtime asks of a disk, and who asked for it.
//
// A Recorder covers one folder, its root. While it is registered, the supplied packages tell it every call that code of
// a copied package makes into them (Call, Return) and every durable operation that follows (Create, Write, Sync, …):
// runtime/files its own, runtime/database those of SQLite, seen by a VFS. The log is what later parts build on: a view
// before and after, a crash after each durable operation, a full disk at one of them. Tree and Replay rebuild the files
// from it.
//
// Recorders are found by path (For), because SQLite hands a path to the VFS and nothing else. The registry behind For is
// the one piece of package-level mutable state here; runtime/database has the other, its VFS registration. Several
// recorders with roots apart from each other may live at once: native tests run in parallel.
//
// Every method works on a nil *Recorder and a nil *Span and then only does the work, so callers never ask whether a
// recorder is there. Runs in the sandboxed worker and in native tests; the parent process uses Decode, Tree and Replay
// on what an untrusted worker wrote. Imports nothing of ours.
package operation
