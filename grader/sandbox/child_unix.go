//go:build unix

package sandbox

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"fieldbook/grader/sandbox/enter"
)

// child is a worker process and the parent's ends of its descriptors.
type child struct {
	ends
	process *os.Process
	start   *os.File // Linux: socket over which the scratch folder's descriptor comes
}

// nobody is the user and group that a worker of root's becomes on the machine.
const nobody = 65534

// program is the binary that workers run.
type program struct {
	path   string
	file   *os.File // keeps path alive, where path is a descriptor's
	name   string   // argv[0]
	native bool
	shared bool // may be executed by every user
}

func (p program) close() {
	if p.file != nil {
		_ = p.file.Close()
	}
}

func (p program) start(how way, _ int64) (*child, error) {
	parent, worker, err := pipes()
	if err != nil {
		return nil, err
	}
	defer closeAll(worker)
	null, err := os.Open(os.DevNull)
	if err != nil {
		parent.close()
		return nil, err
	}
	defer null.Close()
	ours, theirs, err := startSocket()
	if err != nil {
		parent.close()
		return nil, err
	}
	defer theirs.Close()
	argument := enter.Arg
	if p.native {
		argument = enter.NativeArg
	}
	files := append([]*os.File{null}, worker...)
	if theirs != nil {
		files = append(files, theirs)
	}
	process, err := os.StartProcess(p.path, []string{p.name, argument}, &os.ProcAttr{
		Dir:   "/",
		Env:   []string{}, // nil would be the parent's
		Files: files,
		Sys:   p.attributes(how),
	})
	if err != nil {
		parent.close()
		_ = ours.Close()
		return nil, err
	}
	return &child{ends: parent, process: process, start: ours}, nil
}

// kill ends the worker and whatever is in its process group, which it leads. It must not be called once the process
// number may have been given to another.
func (c *child) kill() {
	// The handle first: it fails, rather than hit another, once the process has been waited for.
	if c.process.Kill() == nil {
		c.killGroup()
	}
}

func (c *child) killGroup() { _ = unix.Kill(-c.process.Pid, unix.SIGKILL) }

func (c *child) closeStart() {
	if c.start != nil {
		_ = c.start.Close()
	}
}

func (c *child) close() {
	c.closeStart()
	c.ends.close()
}

// statusOf reads a process's end. Without a state (the wait failed) it is an end by an unknown signal.
func statusOf(state *os.ProcessState) status {
	if state == nil {
		return status{code: -1, signal: "unknown", cause: killSignal}
	}
	wait, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !wait.Signaled() {
		return status{code: state.ExitCode()}
	}
	s := status{code: -1, signal: unix.SignalName(wait.Signal())}
	switch wait.Signal() {
	case unix.SIGSYS:
		s.cause = filterSignal
	case unix.SIGXCPU:
		s.cause = cpuSignal
	case unix.SIGKILL:
		s.cause = killSignal
	}
	return s
}

// lockFolder holds a folder as in use; nil when another does, or when it cannot be had.
func lockFolder(folder string) *os.File {
	dir, err := os.Open(folder)
	if err != nil {
		return nil
	}
	if unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		_ = dir.Close()
		return nil
	}
	return dir
}
