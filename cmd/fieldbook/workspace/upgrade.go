package workspace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"fieldbook/grader"
)

// upgrades holds, for each older layout, what brings a workspace from it to the next one. A step may be cut off at any instant
// and is done again then: the file that says which layout a workspace has is written last.
func upgrades() map[int]func(*Workspace) error {
	return map[int]func(*Workspace) error{
		1: (*Workspace).relateStarts,
	}
}

// Upgraded is what an upgrade did.
type Upgraded struct {
	From    About  `json:"from"`
	To      About  `json:"to"`
	Backup  string `json:"backup"` // of the files that it changed
	Changed bool   `json:"changed"`
}

// Upgrade brings a workspace of an older layout to this one, and makes it one of the given edition, after a backup of what that
// changes. A newer one is refused as by Open, and one that another program is using too. me is what that program is told.
func Upgrade(ctx context.Context, root, edition string, now func() time.Time, me Holder) (done Upgraded, err error) {
	w, err := open(root, now)
	if err != nil {
		return Upgraded{}, err
	}
	done = Upgraded{From: w.about, To: w.about}
	if w.about.Format == Format && w.about.Edition == edition {
		return done, nil
	}
	lock, err := w.Lock(ctx, me, 0)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	backup, err := w.Backup(fmt.Sprintf("upgrade from layout %d", w.about.Format), Folder+"/"+about, progressFile)
	if err != nil {
		return done, err
	}
	done.Backup, done.Changed = backup.ID, true
	steps := upgrades()
	for format := w.about.Format; format < Format; format++ {
		if err := steps[format](w); err != nil {
			return done, err
		}
	}
	w.about.Format, w.about.Edition = Format, edition
	done.To = w.about
	return done, w.writeJSON(Folder+"/"+about, w.about)
}

// older is the refusal of a workspace that has to be upgraded first.
func older(root string, format int) error {
	return &grader.Error{
		Code:    "workspace_older",
		Message: fmt.Sprintf("%s was written by an older Fieldbook (layout %d, this program writes %d)", root, format, Format),
		Hint:    "Bring it to this one with `fieldbook init --upgrade`; a backup is made first.",
		Exit:    grader.ExitUsage,
	}
}

// relateStarts makes the file that a unit starts from relative to the workspace: layout 1 kept its absolute path, which another
// machine does not have. Such a file has always been one of the workspace's handoffs.
func (w *Workspace) relateStarts() error {
	p, err := w.ReadProgress()
	if err != nil {
		return nil //nolint:nilerr // a damaged record is set aside by the next program that works with it
	}
	for _, u := range p.Units {
		if u != nil && (filepath.IsAbs(u.Start) || len(u.Start) > 2 && u.Start[1] == ':') {
			u.Start = Handoffs + "/" + handoffName(u.Start)
		}
	}
	return w.SaveProgress(p)
}
