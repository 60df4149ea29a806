package enter

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"

	"golang.org/x/sys/windows"
)

type handle = windows.Handle

// Descriptors are what a worker inherits from its parent: the handles whose values stand on the command line after Arg, in
// the order request, result, log, crash.
type Descriptors struct {
	request, result, log, crash handle
}

func (d *Descriptors) inherit(args []string) error {
	const first = 2
	into := []*handle{&d.request, &d.result, &d.log, &d.crash}
	if len(args) != first+len(into) {
		return errors.New("no handles on the command line")
	}
	for i, target := range into {
		value, err := strconv.ParseUint(args[first+i], 10, 64)
		if err != nil {
			return fmt.Errorf("handle %q: %w", args[first+i], err)
		}
		*target = handle(value)
		if kind, err := windows.GetFileType(*target); err != nil || kind != windows.FILE_TYPE_PIPE {
			return fmt.Errorf("handle %d is not a pipe", value)
		}
	}
	return nil
}

// arrange sends the runtime's last words to a handle of their own and keeps every handle from further processes.
func (d *Descriptors) arrange() error {
	crash := os.NewFile(uintptr(d.crash), "crash")
	if err := debug.SetCrashOutput(crash, debug.CrashOptions{}); err != nil {
		return fmt.Errorf("setting the crash output: %w", err)
	}
	_ = crash.Close()
	for _, h := range []handle{d.request, d.result, d.log} {
		if err := windows.SetHandleInformation(h, windows.HANDLE_FLAG_INHERIT, 0); err != nil {
			return err
		}
	}
	return nil
}

func (d *Descriptors) readRequest(buffer []byte) (int, error) {
	var n uint32
	err := windows.ReadFile(d.request, buffer, &n, nil)
	if errors.Is(err, windows.ERROR_BROKEN_PIPE) {
		return 0, nil
	}
	return int(n), err
}

// CloseRequest gives up the request handle: one request, and nothing more to read.
func (d *Descriptors) CloseRequest() { _ = windows.CloseHandle(d.request) }

func write(to handle, data []byte) (int, error) {
	var n uint32
	err := windows.WriteFile(to, data, &n, nil)
	return int(n), err
}
