package assistant

import (
	"context"
	"fmt"
	"strings"

	"fieldbook/runtime/database"
	"fieldbook/runtime/shop"
)

// Enqueue stores a request as work and returns its row. A request that was stored before is answered with the row it has
// now. Above the limits of the queue the work is stored as REJECTED: its origin is answered, and nobody does it.
func Enqueue(ctx context.Context, db *database.Database, request shop.Request) (shop.Work, error) {
	var reason string
	switch {
	case request.Origin == "":
		reason = "the origin is empty"
	case len(request.Origin) > shop.MaxOriginBytes:
		reason = fmt.Sprintf("the origin has more than %d bytes", shop.MaxOriginBytes)
	case request.Session == "":
		reason = "the session is empty"
	case len(request.Session) > shop.MaxSessionBytes:
		reason = fmt.Sprintf("the session has more than %d bytes", shop.MaxSessionBytes)
	case strings.TrimSpace(request.Prompt) == "":
		reason = "the prompt is blank"
	case len(request.Prompt) > shop.MaxPromptBytes:
		reason = fmt.Sprintf("the prompt has more than %d bytes", shop.MaxPromptBytes)
	case request.Role != shop.Operator && request.Role != shop.Schedule && request.Role != shop.Customer:
		reason = "the role is not one of operator, schedule and customer"
	}
	if reason != "" {
		return shop.Work{}, fmt.Errorf("%w: %s", shop.ErrRequestLimits, reason)
	}

	var work shop.Work
	err := db.Immediate(ctx, func(tx *database.Tx) error {
		const day = 24 * 60 * 60
		now := db.Now()
		var today, pending int64
		err := tx.QueryRow(ctx, `
			SELECT count(*) FILTER (WHERE created / ?1 = ?2 / ?1), count(*) FILTER (WHERE status IN ('READY', 'RUNNING'))
			FROM assistant_work`, day, now).Scan(&today, &pending)
		if err != nil {
			return err
		}
		status := shop.Ready
		if today >= shop.MaxWorkPerDay || pending >= shop.MaxPendingWork {
			status = shop.Rejected
		}
		// A stored origin keeps its row; what follows reads the row that is there now, whoever stored it.
		_, err = tx.Exec(ctx, `
			INSERT INTO assistant_work (id, origin, session, prompt, status, created, role) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (origin) DO NOTHING`,
			db.NewID(), request.Origin, request.Session, request.Prompt, status, now, request.Role)
		if err != nil {
			return err
		}
		return tx.QueryRow(ctx, `
			SELECT id, origin, session, prompt, role, status, generation, coalesce(owner, ''), coalesce(expires, 0), created,
			       coalesce(result, ''), available_after
			FROM assistant_work WHERE origin = ?`, request.Origin).Scan(
			&work.ID, &work.Origin, &work.Session, &work.Prompt, &work.Role, &work.Status, &work.Generation, &work.Owner,
			&work.Expires, &work.Created, &work.Result, &work.AvailableAfter)
	})
	if err != nil {
		return shop.Work{}, fmt.Errorf("store the request: %w", err)
	}
	if work.Session != request.Session || work.Prompt != request.Prompt || work.Role != request.Role {
		return shop.Work{}, shop.ErrOriginTaken
	}
	return work, nil
}
