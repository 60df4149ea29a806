package lang

import (
	"strings"

	"fieldbook/exercises"
)

// exerciseTexts are the texts of the exercises that exist in every language: those that a translated unit works on. They are
// shown by Message; their folders have them in English.
func exerciseTexts() []string {
	var list []string
	for _, e := range exercises.All() {
		if !strings.HasPrefix(e.Name, "recovery-") {
			continue
		}
		list = append(list, e.Title, e.Summary)
		for _, x := range e.Expectation {
			list = append(list, x.Meaning, x.From)
		}
		for _, rule := range e.Contract {
			list = append(list, rule.Text)
		}
		for _, hint := range e.Hints {
			list = append(list, hint.Text)
		}
		for _, fault := range e.Faults {
			list = append(append(list, fault.Summary), fault.Consequence...)
		}
		for _, impostor := range e.Impostors {
			list = append(list, impostor.Summary)
		}
		if e.Crash != nil {
			for _, invariant := range e.Crash.Invariants {
				list = append(list, invariant.Text, invariant.Consequence)
			}
		}
	}
	return list
}
