//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding wrong counts-receipts d3f000eb

package recovery

// Mistake: Counts the receipts that are empty, and never looks at what was intended.
func Outstanding(intended []string, receipts map[string]string) int {
	count := 0
	for _, receipt := range receipts {
		if receipt == "" {
			count++
		}
	}
	return count
}
