//go:build exercise

package recovery

// Outstanding counts every key that was intended, whether it has a receipt or not.
func Outstanding(intended []string, receipts map[string]string) int {
	counted := map[string]bool{}
	for _, key := range intended {
		counted[key] = true
	}
	return len(counted)
}
