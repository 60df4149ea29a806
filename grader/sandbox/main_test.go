package sandbox

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if IsWorker(os.Args) {
		ServeRoles(map[string]Warm{
			"": warmBehave,
			otherRole: func(string) Function {
				return func(s Session) ([]byte, error) { return append([]byte("in another role: "), s.Request...), nil }
			},
		})
	}
	if len(os.Args) > 2 && os.Args[1] == parentArg {
		parentMain(os.Args[2])
	}
	Harden()
	os.Exit(m.Run())
}

// otherRole is a second function of the test binary's workers.
const otherRole = "other"

// parentArg makes the test binary a parent that runs jobs for ever.
const parentArg = "__parent"
