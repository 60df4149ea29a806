//go:build exercise

package recovery

// Outstanding subtracts every receipt, also one for a key that nobody intended.
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
