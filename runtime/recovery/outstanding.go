package recovery

// Outstanding counts the effects that a resumed sender still has to have: the keys that were intended, each once however
// often it was asked for, without a receipt. An empty receipt is none: the sender began and was cut short. A receipt for a
// key that nobody intended changes nothing. Neither argument is changed.
func Outstanding(intended []string, receipts map[string]string) int {
	counted := map[string]bool{}
	for _, key := range intended {
		if receipts[key] == "" {
			counted[key] = true
		}
	}
	return len(counted)
}
