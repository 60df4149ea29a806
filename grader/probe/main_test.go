package probe_test

import (
	"os"
	"testing"

	"fieldbook/grader/check"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	teaching "fieldbook/runtime"
)

func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		sandbox.ServeRoles(map[string]sandbox.Warm{
			"":         probe.Function,
			check.Role: func(string) sandbox.Function { return check.Function(teaching.Tree()) },
			fullRole:   func(string) sandbox.Function { return interpretBare },
		})
	}
	if len(os.Args) > 1 && os.Args[1] == parentArg {
		parentMain()
	}
	sandbox.Harden()
	os.Exit(m.Run())
}

// parentArg makes the test binary a parent that runs programs for ever.
const parentArg = "__parent"
