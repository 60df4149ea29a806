//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding variant sorted-copy db426b07

package recovery

import "slices"

// Outstanding sorts a copy and counts where the key changes.
func Outstanding(intended []string, receipts map[string]string) int {
	keys := slices.Clone(intended)
	slices.Sort(keys)
	count := 0
	for _, key := range slices.Compact(keys) {
		if len(receipts[key]) == 0 {
			count++
		}
	}
	return count
}
