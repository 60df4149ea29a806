package sandbox

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if IsWorker(os.Args) {
		Serve(func() Function { return behave })
	}
	Harden()
	os.Exit(m.Run())
}
