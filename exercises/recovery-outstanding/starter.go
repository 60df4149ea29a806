//go:build exercise

package recovery

import "fieldbook/runtime/exercise"

// Outstanding counts the effects that a resumed sender still has to have: the keys that were intended, each once however
// often it was asked for, without a receipt. An empty receipt is none: the sender began and was cut short. A receipt for a
// key that nobody intended changes nothing. Neither argument is changed.
func Outstanding(intended []string, receipts map[string]string) int {
	exercise.Unfinished()
	return 0
}
