package course

import "fieldbook/exercises"

// HasScenarios reports whether the student's unit is about an exercise that is run as a program of its own.
func (s *Session) HasScenarios() bool {
	e, err := exercises.Named(s.Unit().Exercise)
	return err == nil && e.Scenarios != nil
}
