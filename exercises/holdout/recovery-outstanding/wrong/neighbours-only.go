//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding wrong neighbours-only 40cd003c

package recovery

// Mistake: A key that was asked for twice counts once only when nothing stands in between.
func Outstanding(intended []string, receipts map[string]string) int {
	count := 0
	for i, key := range intended {
		if receipts[key] == "" && (i == 0 || intended[i-1] != key) {
			count++
		}
	}
	return count
}
