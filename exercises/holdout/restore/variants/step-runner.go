//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore variant step-runner 18fc63a0

package assistant

import (
	"context"
	"errors"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Restore is a value with one method for each step; after the first error the remaining steps do nothing.
func Restore(ctx context.Context, db *database.Database, source string) error {
	r := &restoration{ctx: ctx, live: db, source: source}
	defer r.close()
	r.requireSeparate()
	r.openBackup()
	r.requireSchema()
	r.openImage()
	r.renewImage()
	r.pauseLive()
	r.publish()
	r.arrive()
	return r.err
}

// restoration is the state of one Restore. err is the first error of a step.
type restoration struct {
	ctx    context.Context
	live   *database.Database
	source string
	backup *database.Database
	image  *database.Database
	epoch  string
	err    error
}

// refuse ends the restoration with a refusal, unless it has ended already. An ended context is the better reason.
func (r *restoration) refuse(refusal error) {
	if r.err == nil {
		r.err = refusal
		if ended := r.ctx.Err(); ended != nil {
			r.err = ended
		}
	}
}

// try ends the restoration with an error that says in which step it happened.
func (r *restoration) try(step string, err error) {
	if err != nil {
		r.refuse(fmt.Errorf("%s: %w", step, err))
	}
}

func (r *restoration) requireSeparate() {
	regular, err := files.Regular(r.source)
	if err != nil || !regular {
		r.refuse(shop.ErrSeparateBackup)
		return
	}
	same, err := files.Same(r.source, r.live.Path())
	if err != nil || same {
		r.refuse(shop.ErrSeparateBackup)
	}
}

func (r *restoration) openBackup() {
	if r.err != nil {
		return
	}
	backup, err := database.OpenBackup(r.ctx, r.source)
	if err != nil && errors.Is(err, database.ErrUnfinished) {
		r.refuse(shop.ErrUnfinishedBackup)
		return
	}
	if err != nil {
		r.refuse(shop.ErrCorruptBackup)
		return
	}
	r.backup = backup
	if err := backup.Integrity(r.ctx); err != nil {
		r.refuse(shop.ErrCorruptBackup)
	}
}

func (r *restoration) requireSchema() {
	if r.err != nil {
		return
	}
	known := map[int]int{}
	for sign, db := range map[int]*database.Database{+1: r.live, -1: r.backup} {
		versions, err := db.Versions(r.ctx)
		if errors.Is(err, database.ErrNoSchema) {
			r.refuse(shop.ErrSchemaMismatch)
			return
		}
		if err != nil {
			r.refuse(shop.ErrCorruptBackup)
			return
		}
		for _, v := range versions {
			known[v] += sign
		}
	}
	for _, count := range known {
		if count != 0 {
			r.refuse(shop.ErrSchemaMismatch)
			return
		}
	}
	want, err := r.live.Format(r.ctx)
	r.try("read the format of the shop", err)
	have, err := r.backup.Format(r.ctx)
	if err != nil {
		r.refuse(shop.ErrCorruptBackup)
	}
	if have != want {
		r.refuse(shop.ErrSchemaMismatch)
	}
}

func (r *restoration) openImage() {
	if r.err != nil {
		return
	}
	image, err := database.OpenImage(r.ctx, r.live)
	if err != nil {
		r.try("open the image", err)
		return
	}
	r.image = image
	r.try("fill the image", r.backup.CopyInto(r.ctx, image))
}

func (r *restoration) renewImage() {
	if r.err != nil {
		return
	}
	r.epoch = r.live.NewEpoch()
	for _, s := range []struct {
		step, query string
		args        []any
	}{
		{"pause the image", `UPDATE assistant_control SET paused = ? WHERE id = 1`, []any{1}},
		{"name the history", `UPDATE assistant_control SET epoch = ? WHERE id = 1`, []any{r.epoch}},
		{"end the claims", `UPDATE assistant_work SET generation = generation + 1, owner = NULL, expires = NULL, status = replace(status, 'RUNNING', 'READY')`, nil},
		{"revoke the approvals", `UPDATE assistant_orders SET revoked = 1, approved_until = 0`, nil},
	} {
		_, err := r.image.Exec(r.ctx, s.query, s.args...)
		r.try(s.step, err)
	}
}

func (r *restoration) pauseLive() {
	if r.err != nil {
		return
	}
	r.try("pause the shop", r.live.Immediate(r.ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(r.ctx, `UPDATE assistant_control SET paused = 1 WHERE id = 1`)
		return err
	}))
}

func (r *restoration) publish() {
	if r.err != nil {
		return
	}
	r.try("publish the marker", files.Replace(r.live.Marker(), []byte(r.epoch)))
}

func (r *restoration) arrive() {
	if r.err != nil {
		return
	}
	r.try("copy the image into the shop", r.image.CopyInto(r.ctx, r.live))
}

func (r *restoration) close() {
	if r.image != nil {
		r.try("remove the image", r.image.Close())
	}
	if r.backup != nil {
		r.try("close the backup", r.backup.Close())
	}
}
