//go:build exercise

package recovery

// Outstanding counts a key as often as it was asked for.
func Outstanding(intended []string, receipts map[string]string) int {
	count := 0
	for _, key := range intended {
		if receipts[key] == "" {
			count++
		}
	}
	return count
}
