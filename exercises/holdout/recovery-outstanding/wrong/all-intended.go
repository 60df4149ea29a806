//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding wrong all-intended 83f25bef

package recovery

// Mistake: Counts every key that was intended, whether it has a receipt or not.
func Outstanding(intended []string, receipts map[string]string) int {
	counted := map[string]bool{}
	for _, key := range intended {
		counted[key] = true
	}
	return len(counted)
}
