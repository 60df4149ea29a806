package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"fieldbook/grader/sandbox/enter"
)

// child is a worker process, the parent's ends of its handles, and the job object that ends with it.
type child struct {
	ends
	process *os.Process
	job     windows.Handle
}

// program is the binary that workers run.
type program struct {
	path   string
	native bool
}

func (p program) close() {}

func findProgram(options Options) (program, error) {
	p := program{path: options.Command, native: options.Native}
	if p.path == "" {
		var err error
		if p.path, err = os.Executable(); err != nil {
			return program{}, err
		}
	}
	return p, nil
}

// start starts the worker with its handles inherited and their values on its command line, and puts it into a job object
// while it waits for its configuration.
func (p program) start(_ way, memory int64) (*child, error) {
	parent, worker, err := pipes()
	if err != nil {
		return nil, err
	}
	defer closeAll(worker)
	c := &child{ends: parent}
	if err := p.startIn(c, worker, memory); err != nil {
		if c.process != nil {
			_ = c.process.Kill()
			_, _ = c.process.Wait()
		}
		c.close()
		return nil, err
	}
	return c, nil
}

func (p program) startIn(c *child, worker []*os.File, memory int64) error {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	argument := enter.Arg
	if p.native {
		argument = enter.NativeArg
	}
	args := []string{p.path, argument}
	var inherited []syscall.Handle
	for _, file := range worker[2:] {
		handle := windows.Handle(file.Fd())
		if err := windows.SetHandleInformation(handle, windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT); err != nil {
			return fmt.Errorf("passing a handle on: %w", err)
		}
		inherited = append(inherited, syscall.Handle(handle))
		args = append(args, strconv.FormatUint(uint64(handle), 10))
	}
	if c.job, err = newJob(memory); err != nil {
		return err
	}
	c.process, err = os.StartProcess(p.path, args, &os.ProcAttr{
		Env:   []string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}, // without it no process can load its libraries
		Files: []*os.File{null, worker[0], worker[1]},
		Sys:   &syscall.SysProcAttr{HideWindow: true, AdditionalInheritedHandles: inherited},
	})
	if err != nil {
		return err
	}
	handle, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(c.process.Pid))
	if err != nil {
		return fmt.Errorf("opening the worker: %w", err)
	}
	defer windows.CloseHandle(handle)
	if err := windows.AssignProcessToJobObject(c.job, handle); err != nil {
		return fmt.Errorf("putting the worker into its job object: %w", err)
	}
	return nil
}

// newJob is a job object for one process with a bound on its memory, which is killed when the last handle is closed: with
// this process at the latest.
func newJob(memory int64) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("making a job object: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE |
		windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS | windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY |
		windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	limits.BasicLimitInformation.ActiveProcessLimit = 1
	limits.ProcessMemoryLimit = uintptr(memory * 5 / 4)
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		_ = windows.CloseHandle(job)
		return 0, fmt.Errorf("limiting the job object: %w", err)
	}
	return job, nil
}

func (c *child) receiveScratch() (*scratch, error) {
	return nil, errors.New("a worker of this system has no scratch of its own")
}

func (c *child) closeStart() {}
func (c *child) kill()       { _ = c.process.Kill() }
func (c *child) killGroup()  {} // the job holds one process

func (c *child) close() {
	if c.job != 0 {
		_ = windows.CloseHandle(c.job)
		c.job = 0
	}
	c.ends.close()
}

func (p program) ways() []way { return []way{{}} }

func newScratch(dir string, _ way) (*scratch, error) { return makeScratch(dir) }

// lockFolder holds nothing on this system: a folder in use cannot be removed while its files are open.
func lockFolder(string) *os.File { return nil }

func statusOf(state *os.ProcessState) status {
	if state == nil {
		return status{code: -1, signal: "unknown", cause: killSignal}
	}
	return status{code: state.ExitCode()}
}

type sample struct {
	cpu    time.Duration
	memory int64
}

// meter reads a process's CPU times; its memory is bounded by the job object, not watched.
type meter struct{ process windows.Handle }

func (c *child) meter() meter {
	handle, _ := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(c.process.Pid))
	return meter{handle}
}

func (m meter) read() (sample, bool) {
	var created, exited, kernel, user windows.Filetime
	if m.process == 0 || windows.GetProcessTimes(m.process, &created, &exited, &kernel, &user) != nil {
		return sample{}, false
	}
	ticks := func(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return sample{cpu: time.Duration(ticks(kernel)+ticks(user)) * 100}, true
}

func (m meter) close() {
	if m.process != 0 {
		_ = windows.CloseHandle(m.process)
	}
}

func (c *child) watchLayers() []Layer {
	return []Layer{{Name: "watch", Active: true, Detail: "job object: one process, its memory, ended with the parent; deadline and CPU every " + watchInterval.String()}}
}
