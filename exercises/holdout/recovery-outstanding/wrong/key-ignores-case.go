//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding wrong key-ignores-case 77f6f688

package recovery

import "strings"

// Mistake: Keys are compared without their letter case.
func Outstanding(intended []string, receipts map[string]string) int {
	counted := map[string]bool{}
	for _, key := range intended {
		key = strings.ToLower(key)
		if receipts[key] == "" {
			counted[key] = true
		}
	}
	return len(counted)
}
