package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fieldbook/grader"
)

// refusedOrKilled is how an attempt must end: an error value or the filter's signal. Never a reply that begins with LEAK.
var refusedOrKilled = outcomes(grader.Observed, grader.SandboxViolation)

// attempt is a behaviour that tries one thing that must not work.
func attempt(profile Profile, try func(argument string) error) behaviour {
	return behaviour{
		do: func(s Session) ([]byte, error) {
			return denied("", try(strings.TrimSpace(string(s.Request))))
		},
		profile: profile, want: refusedOrKilled, reply: "denied: ",
	}
}

// raw is an attempt by system-call number.
func raw(number uintptr, a ...uintptr) behaviour {
	a = append(a, make([]uintptr, 6)...)
	return attempt(Scratch, func(string) error {
		if _, _, errno := unix.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
			return errno
		}
		return nil
	})
}

// systemBehaviours take the request's argument as "PARENT-PID FOLDER-OUTSIDE" where they need it.
func systemBehaviours() map[string]behaviour {
	open := func(path string) error { _, err := os.ReadFile(path); return err }
	socket := func(domain, kind, protocol int, to unix.Sockaddr) func(string) error {
		return func(string) error {
			fd, err := unix.Socket(domain, kind, protocol)
			if err != nil {
				return err
			}
			return unix.Connect(fd, to)
		}
	}
	outside := func(argument, name string) string {
		_, folder, _ := strings.Cut(argument, " ")
		return folder + "/" + name
	}
	parent := func(argument string) int {
		pid, _, _ := strings.Cut(argument, " ")
		n, err := strconv.Atoi(pid)
		if err != nil {
			return os.Getppid()
		}
		return n
	}
	return map[string]behaviour{
		"forge on low descriptors": {
			do:   func(Session) ([]byte, error) { return fmt.Appendf(nil, "wrote %d", forge(3, 20)), nil },
			want: outcomes(grader.Observed), reply: "wrote",
		},
		"forge on every descriptor": {
			do:   func(Session) ([]byte, error) { return fmt.Appendf(nil, "wrote %d", forge(3, 1100)), nil },
			want: outcomes(grader.Tampered), cause: "authentication code is wrong",
		},
		"forge and exit": {
			do:   func(Session) ([]byte, error) { forge(3, 1100); os.Exit(0); return nil, nil },
			want: outcomes(grader.Tampered),
		},
		"close every descriptor": {
			do: func(Session) ([]byte, error) {
				for fd := range 1100 {
					_ = unix.Close(fd)
				}
				return []byte("x"), nil
			},
			want: outcomes(grader.NoResult), cause: "the descriptor was closed",
		},
		"threads": {
			do: func(Session) ([]byte, error) {
				for range 300 {
					go func() {
						pause := unix.Timespec{Sec: 60}
						_, _, _ = syscall.Syscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&pause)), 0, 0)
					}()
				}
				time.Sleep(time.Minute)
				return []byte("LEAK 300 threads"), nil
			},
			want: outcomes(grader.NoResult), cause: "threads",
		},
		"stop itself": {
			do:     func(Session) ([]byte, error) { return denied("", unix.Kill(unix.Getpid(), unix.SIGSTOP)) },
			limits: short, want: outcomes(grader.Timeout, grader.CPULimit),
		},
		"kill itself": {
			do: func(Session) ([]byte, error) {
				_ = unix.Kill(unix.Getpid(), unix.SIGTERM)
				time.Sleep(time.Minute)
				return nil, nil
			},
			want: outcomes(grader.NoResult),
		},
		"raise its CPU limit": {
			do: func(Session) ([]byte, error) {
				err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY})
				return denied("", err)
			},
			want: refusedOrKilled, reply: "denied",
		},

		"read passwd":          attempt(Scratch, func(string) error { return open("/etc/passwd") }),
		"read passwd, pure":    attempt(Pure, func(string) error { return open("/etc/passwd") }),
		"read environment":     attempt(Scratch, func(string) error { return open("/proc/self/environ") }),
		"read own memory":      attempt(Scratch, func(string) error { return open("/proc/self/mem") }),
		"read parent":          attempt(Scratch, func(a string) error { return open(fmt.Sprintf("/proc/%d/environ", parent(a))) }),
		"read parent's memory": attempt(Scratch, func(a string) error { return open(fmt.Sprintf("/proc/%d/mem", parent(a))) }),
		"read outside":         attempt(Scratch, func(a string) error { return open(outside(a, "secret")) }),
		"dotdot":               attempt(Scratch, func(a string) error { return open(strings.Repeat("../", 20) + "etc/passwd") }),
		"write outside":        attempt(Scratch, func(a string) error { return os.WriteFile(outside(a, "new"), nil, 0o600) }),
		"remove outside":       attempt(Scratch, func(a string) error { return os.Remove(outside(a, "secret")) }),
		"rename outside":       attempt(Scratch, func(a string) error { return os.Rename(outside(a, "secret"), "stolen") }),
		"truncate outside":     attempt(Scratch, func(a string) error { return unix.Truncate(outside(a, "secret"), 0) }),
		"open to truncate": attempt(Scratch, func(a string) error {
			_, err := unix.Open(outside(a, "secret"), unix.O_RDONLY|unix.O_TRUNC, 0)
			return err
		}),
		"chmod outside":        attempt(Scratch, func(a string) error { return os.Chmod(outside(a, "secret"), 0o777) }),
		"chown outside":        attempt(Scratch, func(a string) error { return os.Chown(outside(a, "secret"), 0, 0) }),
		"touch outside":        attempt(Scratch, func(a string) error { return os.Chtimes(outside(a, "secret"), time.Now(), time.Now()) }),
		"link outside":         attempt(Scratch, func(a string) error { return os.Link(outside(a, "secret"), "hard") }),
		"symlink":              attempt(Scratch, func(string) error { return os.Symlink("/etc/passwd", "link") }),
		"make a pipe":          attempt(Scratch, func(string) error { return unix.Mkfifo("pipe", 0o600) }),
		"list root":            attempt(Scratch, func(string) error { _, err := os.ReadDir("/etc"); return err }),
		"make outside scratch": attempt(Scratch, func(string) error { return os.Mkdir("/elsewhere", 0o700) }),
		"set a process group":  attempt(Scratch, func(string) error { _, err := unix.Setsid(); return err }),

		"TCP":           attempt(Scratch, socket(unix.AF_INET, unix.SOCK_STREAM, 0, &unix.SockaddrInet4{Port: 80, Addr: [4]byte{127, 0, 0, 1}})),
		"UDP":           attempt(Scratch, socket(unix.AF_INET, unix.SOCK_DGRAM, 0, &unix.SockaddrInet4{Port: 53, Addr: [4]byte{127, 0, 0, 1}})),
		"MPTCP":         attempt(Scratch, socket(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP, &unix.SockaddrInet4{Port: 80})),
		"netlink":       attempt(Scratch, socket(unix.AF_NETLINK, unix.SOCK_RAW, 0, &unix.SockaddrNetlink{})),
		"unix socket":   attempt(Scratch, socket(unix.AF_UNIX, unix.SOCK_STREAM, 0, &unix.SockaddrUnix{Name: "/run/x"})),
		"abstract unix": attempt(Scratch, socket(unix.AF_UNIX, unix.SOCK_STREAM, 0, &unix.SockaddrUnix{Name: "@x"})),

		"signal parent": attempt(Scratch, func(a string) error { return unix.Kill(parent(a), 0) }),
		"kill parent":   attempt(Scratch, func(a string) error { return unix.Kill(parent(a), unix.SIGKILL) }),
		"kill group":    attempt(Scratch, func(string) error { return unix.Kill(0, unix.SIGKILL) }),
		"kill all":      attempt(Scratch, func(string) error { return unix.Kill(-1, unix.SIGKILL) }),
		"limit parent": attempt(Scratch, func(a string) error {
			return unix.Prlimit(parent(a), unix.RLIMIT_NOFILE, &unix.Rlimit{}, nil)
		}),
		"own a descriptor": attempt(Scratch, func(a string) error {
			_, err := unix.FcntlInt(1, unix.F_SETOWN, parent(a))
			return err
		}),
		"start a shell": attempt(Scratch, func(string) error {
			_, err := os.StartProcess("/bin/sh", []string{"sh", "-c", "true"}, &os.ProcAttr{})
			return err
		}),
		"exec": attempt(Scratch, func(string) error { return unix.Exec("/bin/sh", []string{"sh"}, nil) }),
		"executable memory": attempt(Pure, func(string) error {
			_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
			return err
		}),
		"make memory executable": attempt(Pure, func(string) error {
			m, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
			if err != nil {
				return errors.New("LEAK: plain memory was refused")
			}
			return unix.Mprotect(m, unix.PROT_READ|unix.PROT_EXEC)
		}),
		"shared memory": attempt(Pure, func(string) error {
			_, err := unix.Mmap(-1, 0, 1<<30, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANON)
			return err
		}),
		"private memory": {
			do: func(Session) ([]byte, error) {
				var kept [][]byte
				for range 100 {
					m, err := unix.Mmap(-1, 0, 8<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
					if err != nil {
						return denied("", fmt.Errorf("after %d: %w", len(kept), err))
					}
					for i := 0; i < len(m); i += 4096 {
						m[i] = 1
					}
					kept = append(kept, m)
				}
				return []byte("LEAK 800 MiB"), nil
			},
			want: outcomes(grader.Observed, grader.MemoryLimit), reply: "denied: after",
		},
		"anonymous file": attempt(Scratch, func(string) error { _, err := unix.MemfdCreate("x", 0); return err }),
		"io_uring":       raw(unix.SYS_IO_URING_SETUP, 8),
		"fork":           raw(unix.SYS_CLONE, uintptr(unix.SIGCHLD)),
		"clone3":         raw(unix.SYS_CLONE3, 0, 64),
		"ptrace":         raw(unix.SYS_PTRACE, unix.PTRACE_ATTACH, 1),
		"process_vm":     raw(unix.SYS_PROCESS_VM_READV, 1),
		"unshare":        raw(unix.SYS_UNSHARE, unix.CLONE_NEWNS),
		"setns":          raw(unix.SYS_SETNS, 0),
		"mount":          raw(unix.SYS_MOUNT),
		"chroot":         raw(unix.SYS_CHROOT),
		"bpf":            raw(unix.SYS_BPF),
		"keyctl":         raw(unix.SYS_KEYCTL),
		"perf":           raw(unix.SYS_PERF_EVENT_OPEN),
		"userfaultfd":    raw(unix.SYS_USERFAULTFD),
		"seccomp":        raw(unix.SYS_SECCOMP, 1),
		"name_to_handle": raw(unix.SYS_NAME_TO_HANDLE_AT),
		"setuid":         raw(unix.SYS_SETUID, 0),
		"capset":         raw(unix.SYS_CAPSET),
		"dumpable":       raw(unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 0),
		"orphan itself":  raw(unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, 0),
		"foreign call":   raw(0x40000000 + 39), // getpid through the x32 table; on other machines no call at all
		"ioctl":          raw(unix.SYS_IOCTL, 1, unix.TIOCSTI),
	}
}

// forge writes what looks like a frame to every descriptor from first to last and counts those that took it.
func forge(first, last int) int {
	frame := append([]byte{0, 0, 0, 44}, bytes.Repeat([]byte("A"), 32)...)
	frame = append(frame, `r{"pass":1}.`...)
	n := 0
	for fd := first; fd <= last; fd++ {
		if _, err := unix.Write(fd, frame); err == nil {
			n++
		}
	}
	return n
}
