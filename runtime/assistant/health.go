package assistant

import (
	"context"

	"fieldbook/runtime/database"
	"fieldbook/runtime/shop"
)

// ReadHealth sums the shop up. One statement reads it all, so that the numbers belong to one moment.
func ReadHealth(ctx context.Context, db *database.Database) (shop.Health, error) {
	health := shop.Health{Work: map[shop.Status]int64{}}
	rows, err := db.Query(ctx, `
		SELECT c.paused,
		       (SELECT min(created) FROM assistant_work WHERE status IN ('READY', 'RUNNING', 'BLOCKED')),
		       (SELECT count(*) FROM assistant_orders WHERE status IN ('SENDING', 'UNKNOWN')),
		       w.status, count(w.id)
		FROM assistant_control c LEFT JOIN assistant_work w ON true
		WHERE c.id = 1
		GROUP BY w.status`)
	if err != nil {
		return health, err
	}
	defer rows.Close()
	for rows.Next() {
		var oldest *int64
		var status *shop.Status
		var count int64
		if err := rows.Scan(&health.Paused, &oldest, &health.UncertainOrders, &status, &count); err != nil {
			return health, err
		}
		if oldest != nil && *oldest < db.Now() {
			health.OldestWorkSeconds = db.Now() - *oldest
		}
		if status != nil {
			health.Work[*status] = count
		}
	}
	return health, rows.Err()
}
