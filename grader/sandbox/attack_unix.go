//go:build unix

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"fieldbook/grader"
)

// environmentSize is how many variables a worker's environment has.
const environmentSize = 0

// systemAttacks are the attacks that need system calls of Unix.
func systemAttacks() map[string]attack {
	network := func(kind int) func(Session, grounds) error {
		return func(_ Session, g grounds) error {
			if g.port == 0 {
				return errors.New("no port to aim at")
			}
			fd, err := unix.Socket(unix.AF_INET, kind, 0)
			if err != nil {
				return err
			}
			if err := unix.Connect(fd, loopback(g.port)); err != nil {
				return err
			}
			_, err = unix.Write(fd, []byte("x"))
			return err
		}
	}
	all := map[string]attack{
		"connect by TCP": {
			profile: Scratch, layers: []string{"seccomp", "landlock"}, run: network(unix.SOCK_STREAM),
			outside: func(g *grounds) error { return g.ports.silent() },
		},
		"send by UDP": {
			profile: Scratch, layers: []string{"seccomp"}, run: network(unix.SOCK_DGRAM),
			outside: func(g *grounds) error { return g.ports.silent() },
		},
		"signal the grader": {
			profile: Scratch, layers: []string{"seccomp", "namespaces"},
			run: func(_ Session, g grounds) error { return unix.Kill(g.parent, 0) },
		},
		"read the grader's memory": {
			profile: Scratch, layers: []string{"namespaces", "landlock"},
			run: func(_ Session, g grounds) error {
				file, err := os.Open(fmt.Sprintf("/proc/%d/mem", g.parent))
				if err == nil {
					_ = file.Close()
				}
				return err
			},
		},
		"raise a limit": {
			layers: []string{"seccomp", "limits"},
			run: func(Session, grounds) error {
				var limit unix.Rlimit
				if err := unix.Getrlimit(unix.RLIMIT_CORE, &limit); err != nil {
					return err
				}
				if limit.Cur > 0 {
					return nil // it was never lowered
				}
				limit.Cur, limit.Max = 1, 1
				return unix.Setrlimit(unix.RLIMIT_CORE, &limit)
			},
		},
		"make memory executable": {
			layers: []string{"seccomp"},
			run: func(Session, grounds) error {
				memory, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
				if err == nil {
					_ = unix.Munmap(memory)
				}
				return err
			},
		},
		"forge a result": {
			ends: outcomesOf(grader.Tampered),
			run: func(Session, grounds) error {
				forged := append([]byte{0, 0, 0, 34}, bytes.Repeat([]byte{'r'}, 34)...)
				for fd := 3; fd < 1100; fd++ {
					_, _ = unix.Write(fd, forged)
				}
				return nil
			},
		},
	}
	for name, a := range kernelAttacks() {
		all[name] = a
	}
	return all
}

func loopback(port int) *unix.SockaddrInet4 {
	return &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
}

// ports are a TCP and a UDP socket of the parent's, on one number of the loopback address, that attacks are aimed at.
type ports struct{ tcp, udp int }

func openPorts() (*ports, int, error) {
	p := &ports{tcp: -1, udp: -1}
	port := 0
	for _, socket := range []struct {
		fd   *int
		kind int
	}{{&p.tcp, unix.SOCK_STREAM}, {&p.udp, unix.SOCK_DGRAM}} {
		fd, err := unix.Socket(unix.AF_INET, socket.kind, 0)
		if err != nil {
			p.close()
			return nil, 0, os.NewSyscallError("socket", err)
		}
		*socket.fd = fd
		unix.CloseOnExec(fd)
		if err := errors.Join(unix.Bind(fd, loopback(port)), unix.SetNonblock(fd, true)); err != nil {
			p.close()
			return nil, 0, os.NewSyscallError("bind", err)
		}
		if address, err := unix.Getsockname(fd); err == nil {
			if here, ok := address.(*unix.SockaddrInet4); ok {
				port = here.Port
			}
		}
	}
	if err := unix.Listen(p.tcp, 8); err != nil {
		p.close()
		return nil, 0, os.NewSyscallError("listen", err)
	}
	return p, port, nil
}

// silent is an error when something has come in.
func (p *ports) silent() error {
	if p == nil {
		return nil
	}
	if fd, _, err := unix.Accept(p.tcp); err == nil {
		_ = unix.Close(fd)
		return errors.New("a connection came in")
	}
	if n, _, err := unix.Recvfrom(p.udp, make([]byte, 16), 0); err == nil && n > 0 {
		return errors.New("a packet came in")
	}
	return nil
}

func (p *ports) close() {
	if p == nil {
		return
	}
	for _, fd := range []int{p.tcp, p.udp} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
}
