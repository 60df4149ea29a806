//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding wrong marks-the-receipts 9c50d2a5

package recovery

// Mistake: The receipts are used to remember what was counted, and are changed.
func Outstanding(intended []string, receipts map[string]string) int {
	count := 0
	for _, key := range intended {
		if receipts[key] == "" && receipts != nil {
			receipts[key] = "counted"
			count++
		}
	}
	return count
}
