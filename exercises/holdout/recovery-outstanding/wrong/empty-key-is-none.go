//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding wrong empty-key-is-none 0d9f9e36

package recovery

// Mistake: An empty key is not counted.
func Outstanding(intended []string, receipts map[string]string) int {
	counted := map[string]bool{}
	for _, key := range intended {
		if key != "" && receipts[key] == "" {
			counted[key] = true
		}
	}
	return len(counted)
}
