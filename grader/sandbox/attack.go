package sandbox

import "errors"

// attack is one of doctor's trusted attacks by name.
func attack(name string) Function {
	return func(Session) ([]byte, error) { return nil, errors.New("no attack " + name) }
}
