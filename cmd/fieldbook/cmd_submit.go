package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/submit"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/units"
)

// submitOptions are the flags of submit.
type submitOptions struct {
	course string
	list   bool
}

func (o *submitOptions) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.course, "course", "", "instructor's `file` with submit_to; default: course.yaml in the workspace, else in your configuration folder")
	cmd.Flags().BoolVar(&o.list, "list", false, "print what would be submitted, and write nothing")
}

func (p *program) submitCommand() *cobra.Command {
	var o submitOptions
	cmd := &cobra.Command{
		Use:   "submit UNIT",
		Short: "Make the archive that your instructor gets",
		Long: `Submit packs what the instructor needs of one unit, and nothing else: the handoff, your sources, predictions, notes and the
runs that they cite, and each supplied package with its digest. It writes the files and one archive of them, reads the
archive back and verifies it, and says where it lies and what to do with it. The same work gives the same bytes.

The instructor says where archives go with one line in course.yaml, in the workspace or in your configuration folder:

  submit_to: the page "Week 7" of the course, until Friday 18:00

JSON: unit, items[{id, what, there, done, of}], files[], archive, sha256, bytes, backup, submit_to, course{unit,
transfer_passed, starting_evidence, edition}, limits[]; with --list unit and items.`,
		Args:              takes("UNIT"),
		Annotations:       exitStatus(4, 6),
		ValidArgsFunction: completeUnits,
		RunE: p.does(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return p.submit(ctx, o, args[0], commandLine(cmd, args))
		}),
	}
	o.addFlags(cmd)
	return cmd
}

func completeUnits(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, u := range units.All() {
		names = append(names, u.ID+"\t"+u.Title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// submitResult is the object that submit prints.
type submitResult struct {
	Unit     string               `json:"unit"`
	Items    []submit.Item        `json:"items"`
	Files    []string             `json:"files,omitempty"`
	Archive  string               `json:"archive,omitempty"`
	SHA256   string               `json:"sha256,omitempty"`
	Bytes    int                  `json:"bytes,omitempty"`
	Backup   string               `json:"backup,omitempty"`
	SubmitTo string               `json:"submit_to,omitempty"`
	Course   *submit.CourseReport `json:"course,omitempty"`
	Limits   []string             `json:"limits,omitempty"` // what the unit does not prove
}

// listItems prints what would be submitted. The workspace is only read: an app may be open beside it.
func (p *program) listItems(ctx context.Context, name, command string) error {
	b, err := p.reading(ctx, command)
	if err != nil {
		return err
	}
	u, err := units.Named(b.Units, name)
	if err != nil {
		return err
	}
	progress, err := b.Work.ReadProgress()
	if err != nil {
		return err
	}
	items, err := submit.List(b.Work, u, progress)
	if err != nil {
		return err
	}
	return p.print(submitResult{Unit: u.ID, Items: items}, func(out printer) { out.printItems(u, items) })
}

func (p *program) submit(ctx context.Context, o submitOptions, name, command string) error {
	if o.list {
		return p.listItems(ctx, name, command)
	}
	b, done, err := p.open(ctx, command)
	if err != nil {
		return err
	}
	defer done()
	u, err := units.Named(b.Units, name)
	if err != nil {
		return err
	}
	// What an instructor set is read first: nothing is written before it is known to be right.
	set, err := p.readCourse(o, b)
	if err != nil {
		return err
	}
	session, err := course.Open(b, p.now)
	if err != nil {
		return err
	}
	work, err := submit.Gather(b.Work, u, session.Progress)
	if err != nil {
		return err
	}
	result := submitResult{Unit: u.ID, Items: work.Items()}
	saved, err := work.Write()
	if err != nil {
		return err
	}
	report := work.CourseReport()
	result.Files, result.Archive, result.SHA256, result.Bytes, result.Backup = saved.Files, saved.Archive, saved.SHA256, saved.Bytes, saved.Backup
	result.SubmitTo, result.Course, result.Limits = set.SubmitTo, &report, u.Limits
	if err := submitted(session, u, p.now()); err != nil {
		return &failed{err: err, done: result}
	}
	return p.print(result, func(out printer) { out.printSubmitted(u, result) })
}

// readCourse reads what an instructor set: in the file that was named, else where course.yaml may lie.
func (p *program) readCourse(o submitOptions, b *workbench.Bench) (submit.Course, error) {
	if o.course == "" {
		set, _, err := submit.ReadCourse(p.courses(b)...)
		return set, err
	}
	set, from, err := submit.ReadCourse(p.path(o.course))
	if err == nil && from == "" {
		err = usage("missing", "%s does not exist", "Check the path after --course.", p.path(o.course))
	}
	return set, err
}

// submitted records that the unit's last step is done. The first time counts.
func submitted(s *course.Session, u *units.Unit, now time.Time) error {
	for _, step := range u.Steps {
		if record := s.Progress.Of(u.ID).Of(step.ID); step.Kind == units.Submit && record.Done.IsZero() {
			record.Done = now.UTC().Truncate(time.Second)
			return s.Save()
		}
	}
	return nil
}

func (out printer) printItems(u *units.Unit, items []submit.Item) {
	out.lines(out.Title.On(u.ID) + "   " + u.Title)
	for _, i := range items {
		sign := draw.OpenSign
		if i.There {
			sign = out.Pass.On(draw.PassSign)
		}
		out.item("  "+sign+" "+draw.Fit(out.Message(i.State()), 16)+" ", "%s", i.What)
	}
}

func (out printer) printSubmitted(u *units.Unit, r submitResult) {
	for _, file := range r.Files {
		out.lines(draw.Saved(file))
	}
	out.lines("")
	out.printItems(u, r.Items)
	out.lines("", draw.Saved(out.Accent.On(r.Archive)))
	out.para("Read back and verified: %d bytes, sha256 %s.", r.Bytes, r.SHA256)
	if r.Backup != "" {
		out.para("The archive that it replaces is in backup %s.", r.Backup)
	}
	if r.SubmitTo != "" {
		out.para("What to do with it: %s", r.SubmitTo)
	} else {
		out.para("What to do with it: hand in this one file as your instructor asks; no course.yaml says where.")
	}
	out.section("What this does not show")
	for _, limit := range u.Limits {
		out.item("  ", "%s", limit)
	}
	out.lines("", r.Course.Line())
}
