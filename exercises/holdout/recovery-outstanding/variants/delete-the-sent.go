//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding variant delete-the-sent c93cdd97

package recovery

// Outstanding begins with all keys and takes away those with a receipt.
func Outstanding(intended []string, receipts map[string]string) int {
	left := map[string]bool{}
	for _, key := range intended {
		left[key] = true
	}
	for key, receipt := range receipts {
		if receipt != "" {
			delete(left, key)
		}
	}
	return len(left)
}
