//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding wrong sorts-the-intentions 0039d0f6

package recovery

import "slices"

// Mistake: The list of what was intended is sorted in place.
func Outstanding(intended []string, receipts map[string]string) int {
	slices.Sort(intended)
	count := 0
	for i, key := range intended {
		if receipts[key] == "" && (i == 0 || intended[i-1] != key) {
			count++
		}
	}
	return count
}
