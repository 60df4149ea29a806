package sandbox

import (
	"bytes"
	"fmt"
)

// behave is the worker's function in these tests: the request's first line names what to do.
func behave(s Session) ([]byte, error) {
	name, argument, _ := bytes.Cut(s.Request, []byte("\n"))
	do := behaviours()[string(name)]
	if do == nil {
		return nil, fmt.Errorf("no behaviour %q", name)
	}
	s.Request = argument
	return do(s)
}

func behaviours() map[string]Function {
	return map[string]Function{
		"echo": func(s Session) ([]byte, error) { return s.Request, nil },
	}
}
