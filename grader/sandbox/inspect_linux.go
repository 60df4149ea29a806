package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// checks compares what a waiting worker says of itself with what the kernel says of it.
func (w *worker) checks() []Check {
	proc := fmt.Sprintf("/proc/%d/", w.child.process.Pid)
	on := map[string]bool{}
	for _, layer := range w.layers {
		on[layer.Name] = layer.Active
	}
	var checks []Check
	add := func(name string, right bool, found string) {
		checks = append(checks, Check{Name: name, Right: right, Found: found})
	}
	threads, _ := filepath.Glob(proc + "task/*/status")
	for _, want := range []struct{ layer, name, field, value string }{
		{"capabilities", "capabilities", "CapEff", "0000000000000000"},
		{"capabilities", "permitted capabilities", "CapPrm", "0000000000000000"},
		{"seccomp", "seccomp filter", "Seccomp", "2"},
		{"seccomp", "no new privileges", "NoNewPrivs", "1"},
	} {
		if !on[want.layer] {
			continue
		}
		found, right := "", len(threads) > 0
		for _, thread := range threads {
			status, _ := os.ReadFile(thread)
			if found = statusField(string(status), want.field); found != want.value {
				right = false
				break
			}
		}
		add(want.name, right, fmt.Sprintf("%s %s on %d threads", want.field, found, len(threads)))
	}
	if on["namespaces"] {
		for _, kind := range []string{"user", "mnt", "pid"} {
			ours, err1 := os.Readlink("/proc/self/ns/" + kind)
			theirs, err2 := os.Readlink(proc + "ns/" + kind)
			if err1 != nil || err2 != nil {
				continue // this machine does not show it; nothing is known
			}
			add(kind+" namespace", ours != theirs, theirs)
		}
	}
	if on["limits"] {
		limits, err := os.ReadFile(proc + "limits")
		right := err == nil
		for _, name := range []string{"Max address space", "Max cpu time", "Max file size"} {
			right = right && !strings.Contains(lineWith(string(limits), name), "unlimited")
		}
		add("limits", right, lineWith(string(limits), "Max address space"))
	}
	if environment, err := os.ReadFile(proc + "environ"); err == nil {
		add("environment", len(environment) == 0, fmt.Sprintf("%d bytes", len(environment)))
	}
	if descriptors, err := filepath.Glob(proc + "fd/*"); err == nil && len(descriptors) > 0 {
		strange := ""
		for _, descriptor := range descriptors {
			target, _ := os.Readlink(descriptor)
			if !expected(target) {
				strange += " " + target
			}
		}
		add("descriptors", strange == "", fmt.Sprintf("%d open%s", len(descriptors), strange))
	}
	return checks
}

// expected reports whether a worker holds what a link in its /proc/PID/fd names: its pipes, its log, and nothing to read.
func expected(target string) bool {
	return strings.HasPrefix(target, "pipe:") || strings.HasSuffix(target, "/dev/null") || target == "/memfd:"+logName+" (deleted)"
}

// statusField is a field of /proc/PID/status.
func statusField(status, name string) string {
	return strings.TrimSpace(strings.TrimPrefix(lineWith(status, name+":"), name+":"))
}

// lineWith is the first line that begins with a name, white space folded.
func lineWith(text, name string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, name) {
			return strings.Join(strings.Fields(line), " ")
		}
	}
	return ""
}
