// Package scenario reads what the scenarios of the field notes leave and says what it shows: the state of a run, the cells of
// the evidence table with the artifact that each is read from, and what no evidence may show whatever a table says. It holds
// the record of the runs, checks a student's table against the artifacts, and draws them.
//
// Everything that it reads may have been written by anyone: by the student's own functions, by hand, by another person's
// archive. What cannot be read is a finding, never an error. It runs nothing and touches no file but those that it is asked
// to read. It runs in the student's command and imports the runtime's field notes, package draw, and the words of package grader.
package scenario
