package crash

import (
	"os"
	"testing"

	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		probe.Serve()
	}
	os.Exit(m.Run())
}
