//go:build exercise

package recovery

// Outstanding takes an empty receipt for a receipt.
func Outstanding(intended []string, receipts map[string]string) int {
	counted := map[string]bool{}
	for _, key := range intended {
		if _, there := receipts[key]; !there {
			counted[key] = true
		}
	}
	return len(counted)
}
