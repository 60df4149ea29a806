//go:build exercise

package recovery

// Outstanding subtracts the number of receipts from the number of intentions.
func Outstanding(intended []string, receipts map[string]string) int {
	return max(len(intended)-len(receipts), 0)
}
