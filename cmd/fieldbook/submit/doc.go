// Package submit gathers what an instructor needs of one unit: what the student wrote, the runs that the notes cite, the
// handoff, and nothing else. The same gathering gives the list of what will be submitted, as the app and the line mode show
// it, and the archive. It reads a workspace and the unit, changes nothing, and runs in the parent. Package submission of
// handoff reads what it makes.
//
// The same workspace gives the same bytes: no clock is read, and every time in an archive is one that was recorded.
package submit
