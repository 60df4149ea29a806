package assistant

import (
	"context"

	"fieldbook/runtime/database"
	"fieldbook/runtime/shop"
)

// SeedLucy puts Lucy's stock and her opening cash into a shop. What is there already stays as it is, so seeding twice is
// seeding once.
func SeedLucy(ctx context.Context, db *database.Database) error {
	stock := []shop.Item{
		{SKU: "VANILLA", OnHand: 2, Reorder: 8, UnitCostCents: 250, PriceCents: 500},
		{SKU: "CHOCOLATE", OnHand: 12, Reorder: 6, UnitCostCents: 300, PriceCents: 500},
		{SKU: "STRAWBERRY", OnHand: 1, Reorder: 5, UnitCostCents: 275, PriceCents: 500},
	}
	return db.Immediate(ctx, func(tx *database.Tx) error {
		for _, item := range stock {
			_, err := tx.Exec(ctx, `
				INSERT INTO inventory (sku, on_hand, reorder, unit_cost_cents, price_cents) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (sku) DO NOTHING`,
				item.SKU, item.OnHand, item.Reorder, item.UnitCostCents, item.PriceCents)
			if err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `
			INSERT INTO cash_ledger (at, amount_cents, reason, reference) VALUES (?, 20000, 'opening cash', 'seed:lucy')
			ON CONFLICT (reference) DO NOTHING`, db.Now())
		return err
	})
}
