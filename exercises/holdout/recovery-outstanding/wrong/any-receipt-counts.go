//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding wrong any-receipt-counts 5309fc46

package recovery

// Mistake: Subtracts every receipt, also one for a key that nobody intended.
func Outstanding(intended []string, receipts map[string]string) int {
	counted := map[string]bool{}
	for _, key := range intended {
		counted[key] = true
	}
	left := len(counted)
	for _, receipt := range receipts {
		if receipt != "" {
			left--
		}
	}
	return max(left, 0)
}
