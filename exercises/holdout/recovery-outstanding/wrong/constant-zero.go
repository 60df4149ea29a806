//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding wrong constant-zero ebcce4a1

package recovery

// Mistake: Nothing is ever outstanding.
func Outstanding(intended []string, receipts map[string]string) int {
	return 0
}
