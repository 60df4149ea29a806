// Package archive writes and reads the one file in which Fieldbook hands several files on: a submission for an instructor,
// a workspace for another machine. It is a ZIP file of a single form. Entries are stored uncompressed, ascending by name,
// without dates, owners, links or folders; the first one, fieldbook.json, says what the archive is and gives the size and the
// SHA-256 of every other. The same files give the same bytes, whatever machine and whatever version of Go writes them.
//
// Decode accepts no byte that Encode would not have written, so nothing can be hidden between the entries, no name can leave
// the folder that it is unpacked into, and no entry can grow: an archive is as large as what is in it.
//
// The package imports nothing of ours but handoff, for its errors, and handoff/canonical. It runs in the parent and writes
// no file.
package archive
