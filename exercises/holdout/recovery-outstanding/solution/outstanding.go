//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding solution outstanding c98961ab

package recovery

// Outstanding counts the distinct keys without a receipt.
func Outstanding(intended []string, receipts map[string]string) int {
	left := make(map[string]struct{}, len(intended))
	for _, key := range intended {
		if receipt := receipts[key]; receipt == "" {
			left[key] = struct{}{}
		}
	}
	return len(left)
}
