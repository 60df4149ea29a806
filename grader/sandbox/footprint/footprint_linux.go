package footprint

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// Footprint is what a process holds at one moment.
type Footprint struct {
	Children    int // of any of its threads, dead ones that nobody has waited for among them
	Descriptors int
	Goroutines  int
	Mounts      int
	Temporary   []string // what the watched folder holds
	Memory      int64    // bytes resident, after giving back what can be given back
}

// pollers are the descriptors that the Go runtime opens once, for its poller, and keeps.
const pollers = 2

// Take measures this process. folder is where it makes its temporary files.
func Take(folder string) (Footprint, error) {
	debug.FreeOSMemory()
	f := Footprint{Goroutines: runtime.NumGoroutine()}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return f, err
	}
	for _, entry := range entries {
		f.Temporary = append(f.Temporary, entry.Name())
	}
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return f, err
	}
	for _, list := range lists {
		data, _ := os.ReadFile(list) // a thread that has ended has no children
		f.Children += len(strings.Fields(string(data)))
	}
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return f, err
	}
	f.Descriptors = len(descriptors)
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return f, err
	}
	f.Mounts = bytes.Count(mounts, []byte("\n"))
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return f, err
	}
	fields := strings.Fields(string(statm))
	if len(fields) < 2 {
		return f, fmt.Errorf("/proc/self/statm holds %q", statm)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	f.Memory = pages * int64(os.Getpagesize())
	return f, err
}

// Gone waits until nothing is held beyond before, memory left out: threads and their goroutines end shortly after they
// were told to. The error says what is still there after a few seconds.
func Gone(before Footprint, folder string) error {
	var now Footprint
	for range 300 {
		var err error
		if now, err = Take(folder); err != nil {
			return err
		}
		if now.within(before) {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("something is left: before %+v, after %+v", before, now)
}

func (f Footprint) within(before Footprint) bool {
	return f.Children <= before.Children && f.Descriptors <= before.Descriptors+pollers && f.Goroutines <= before.Goroutines &&
		f.Mounts <= before.Mounts && len(f.Temporary) <= len(before.Temporary)
}

// Named are the processes of this machine whose first argument is name, as far as they are not dead already.
func Named(name string) ([]string, error) {
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil, err
	}
	var found []string
	for _, line := range lines {
		data, err := os.ReadFile(line)
		if first, _, _ := bytes.Cut(data, []byte{0}); err == nil && string(first) == name {
			found = append(found, filepath.Base(filepath.Dir(line)))
		}
	}
	return found, nil
}
