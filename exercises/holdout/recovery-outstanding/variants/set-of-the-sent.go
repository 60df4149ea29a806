//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-outstanding variant set-of-the-sent a8d401f7

package recovery

import "maps"

// Outstanding makes a set of what was sent first.
func Outstanding(intended []string, receipts map[string]string) int {
	sent := maps.Clone(receipts)
	maps.DeleteFunc(sent, func(_, receipt string) bool { return receipt == "" })
	counted := map[string]bool{}
	for _, key := range intended {
		if _, done := sent[key]; !done {
			counted[key] = true
		}
	}
	return len(counted)
}
