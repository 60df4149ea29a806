package submit

import (
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/units"
)

// Made is a submission with everything that is said of it.
type Made struct {
	Saved
	Items    []Item
	SubmitTo string // what the instructor set, "" when nothing was
	Course   CourseReport
}

// Make gathers and writes the submission of a unit. courses are the places of course.yaml; what an instructor set there is read
// first, and nothing is written before it is known to be right.
func Make(w *workspace.Workspace, u *units.Unit, p *workspace.Progress, courses ...string) (Made, error) {
	set, _, err := ReadCourse(courses...)
	if err != nil {
		return Made{}, err
	}
	work, err := Gather(w, u, p)
	if err != nil {
		return Made{}, err
	}
	saved, err := work.Write()
	return Made{Saved: saved, Items: work.Items(), SubmitTo: set.SubmitTo, Course: work.CourseReport()}, err
}
