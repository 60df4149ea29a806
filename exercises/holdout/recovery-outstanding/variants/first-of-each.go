//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding variant first-of-each 2479b9af

package recovery

// Outstanding counts a key where it stands first.
func Outstanding(intended []string, receipts map[string]string) int {
	count := 0
	for i, key := range intended {
		first := true
		for j := 0; j < i; j++ {
			first = first && intended[j] != key
		}
		if receipt, there := receipts[key]; first && (!there || receipt == "") {
			count++
		}
	}
	return count
}
