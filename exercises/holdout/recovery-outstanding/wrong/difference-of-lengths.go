//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding wrong difference-of-lengths 3cb15221

package recovery

// Mistake: Subtracts the number of receipts from the number of intentions.
func Outstanding(intended []string, receipts map[string]string) int {
	return max(len(intended)-len(receipts), 0)
}
