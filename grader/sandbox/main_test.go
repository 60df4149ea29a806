package sandbox

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if IsWorker(os.Args) {
		Serve(func() Function { return behave })
	}
	if len(os.Args) > 2 && os.Args[1] == parentArg {
		parentMain(os.Args[2])
	}
	Harden()
	os.Exit(m.Run())
}

// parentArg makes the test binary a parent that runs jobs for ever.
const parentArg = "__parent"
