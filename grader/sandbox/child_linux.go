package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// highDescriptor is above every number that a worker's own descriptors take while it is being started, and below 64: see
// highNumber in package enter.
const highDescriptor = 62

// findProgram takes hold of the binary by a descriptor: a worker runs exactly this file even when it is replaced, and a
// worker with another user's rights needs no way through the folders above it.
func findProgram(options Options) (program, error) {
	path, name := "/proc/self/exe", os.Args[0]
	if options.Command != "" {
		path, name = options.Command, filepath.Base(options.Command)
	}
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return program{}, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	high, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, highDescriptor)
	if err != nil {
		return program{}, os.NewSyscallError("fcntl", err)
	}
	var stat unix.Stat_t
	if err := unix.Fstat(high, &stat); err != nil {
		_ = unix.Close(high)
		return program{}, os.NewSyscallError("fstat", err)
	}
	return program{
		path:   fmt.Sprintf("/proc/self/fd/%d", high),
		file:   os.NewFile(uintptr(high), path),
		name:   name,
		native: options.Native,
		shared: stat.Mode&0o001 != 0,
	}, nil
}

// ways are, for root, as nobody where the binary lets nobody execute it, and as itself: in a container nobody may not exist.
func (p program) ways() []way {
	if os.Geteuid() != 0 || !p.shared {
		return []way{{isolated: true}, {}}
	}
	return []way{{isolated: true, nobody: true}, {isolated: true}, {nobody: true}, {}}
}

// attributes are how the process is made: leader of a group, killed with the thread that made it.
func (p program) attributes(how way) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	user, group := os.Geteuid(), os.Getegid()
	if how.nobody {
		user, group = nobody, nobody
	}
	switch {
	case how.isolated:
		attributes.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: user, Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: group, Size: 1}}
		if how.nobody {
			attributes.GidMappingsEnableSetgroups = true
			attributes.Credential = &syscall.Credential{Uid: 0, Gid: 0}
		}
	case how.nobody:
		attributes.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return attributes
}

// startSocket is a pair of connected sockets: the parent's end and the worker's.
func startSocket() (ours, theirs *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	return os.NewFile(uintptr(pair[0]), "start"), os.NewFile(uintptr(pair[1]), "start"), nil
}

// receiveScratch takes the descriptor of the worker's scratch folder, which the worker sent before its report.
func (c *child) receiveScratch() (*scratch, error) {
	data, control := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(int(c.start.Fd()), data, control, unix.MSG_DONTWAIT|unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("recvmsg", err)
	}
	messages, err := unix.ParseSocketControlMessage(control[:n])
	if err != nil || len(messages) != 1 {
		return nil, errors.Join(errors.New("no descriptor came"), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, errors.Join(errors.New("no descriptor came"), err)
	}
	defer unix.Close(fds[0])
	root, err := os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d", fds[0]))
	if err != nil {
		return nil, err
	}
	return &scratch{root: root}, nil
}

// newScratch makes a temporary folder for a worker without its own mounts. For nobody, it is made where nobody can reach it
// and given away.
func newScratch(dir string, how way) (*scratch, error) {
	if !how.nobody {
		return makeScratch(dir)
	}
	if !reachable(dir) {
		dir = "/tmp"
	}
	s, err := makeScratch(dir)
	if err != nil {
		return nil, err
	}
	if err := os.Chown(s.folder, nobody, nobody); err != nil {
		s.free()
		return nil, err
	}
	return s, nil
}

// reachable reports whether every user may pass through a folder and those above it.
func reachable(dir string) bool {
	if dir == "" {
		dir = os.TempDir()
	}
	for {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return false
		}
		up := filepath.Dir(dir)
		if up == dir {
			return true
		}
		dir = up
	}
}
