//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding wrong asked-twice-counts-twice cd2d46ef

package recovery

// Mistake: Counts a key as often as it was asked for.
func Outstanding(intended []string, receipts map[string]string) int {
	count := 0
	for _, key := range intended {
		if receipts[key] == "" {
			count++
		}
	}
	return count
}
