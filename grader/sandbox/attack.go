package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fieldbook/grader"
)

// attack is something that doctor tries in a real worker, and what should stop it. Attacks are our own code: they stop at
// the first success and do no harm where nothing holds them.
type attack struct {
	profile Profile
	limits  grader.Limits
	// layers stop the attack, each by itself; where one of them is on and the attack gets through, that layer is broken.
	// Empty means that it must be stopped everywhere.
	layers []string
	// ends are outcomes that show the attack stopped, beside a reply that says so.
	ends []grader.Outcome
	// outside looks at what the attack has done to the machine; nil for none. It runs in the parent, afterwards.
	outside func(*grounds) error
	run     func(Session, grounds) error // in the worker: nil when the attack got through
}

// grounds are what attacks are aimed at: a folder and a file that everyone may use, a port that is open, and the parent.
type grounds struct {
	parent int
	folder string
	port   int // TCP and UDP on the loopback address; 0 where there is none
	ports  *ports
}

const (
	canaryName = "canary"
	canaryText = "a file outside the sandbox"
)

func (g grounds) encode() []byte {
	return fmt.Appendf(nil, "%d\n%d\n%s", g.parent, g.port, g.folder)
}

func decodeGrounds(body []byte) (grounds, error) {
	fields := strings.SplitN(string(body), "\n", 3)
	if len(fields) != 3 {
		return grounds{}, errFrame
	}
	parent, err1 := strconv.Atoi(fields[0])
	port, err2 := strconv.Atoi(fields[1])
	return grounds{parent: parent, port: port, folder: fields[2]}, errors.Join(err1, err2)
}

// A reply to an attack begins with one of these.
const (
	heldReply    = "held: "
	throughReply = "through"
)

// attackFunction is the worker's side of an attack.
func attackFunction(name string) Function {
	return func(s Session) ([]byte, error) {
		a, known := attacks()[name]
		if !known {
			return nil, errors.New("no attack " + strconv.Quote(name))
		}
		g, err := decodeGrounds(s.Request)
		if err != nil {
			return nil, err
		}
		if err := a.run(s, g); err != nil {
			return []byte(heldReply + err.Error()), nil
		}
		return []byte(throughReply), nil
	}
}

// attacks are all attacks of this system by name.
func attacks() map[string]attack {
	const quick = 300 * time.Millisecond
	canary := func(g grounds) string { return filepath.Join(g.folder, canaryName) }
	unchanged := func(g *grounds) error {
		data, err := os.ReadFile(canary(*g))
		if err != nil || string(data) != canaryText {
			return errors.New("the file outside was changed")
		}
		return nil
	}
	all := map[string]attack{
		"read a file outside": {
			profile: Scratch, layers: []string{"namespaces", "landlock"},
			run: func(_ Session, g grounds) error { _, err := os.ReadFile(canary(g)); return err },
		},
		"read a file outside (pure)": {
			layers: []string{"namespaces", "landlock", "seccomp"},
			run:    func(_ Session, g grounds) error { _, err := os.ReadFile(canary(g)); return err },
		},
		"see whether a file exists": {
			profile: Scratch, layers: []string{"namespaces"},
			run: func(_ Session, g grounds) error { _, err := os.Lstat(canary(g)); return err },
		},
		"change a file outside": {
			profile: Scratch, layers: []string{"namespaces", "landlock"}, outside: unchanged,
			run: func(_ Session, g grounds) error { return os.WriteFile(canary(g), []byte("changed"), 0o600) },
		},
		"remove a file outside": {
			profile: Scratch, layers: []string{"namespaces", "landlock"}, outside: unchanged,
			run: func(_ Session, g grounds) error { return os.Remove(canary(g)) },
		},
		"start a process": {
			profile: Scratch, layers: []string{"seccomp"}, ends: outcomesOf(grader.SandboxViolation),
			run: func(Session, grounds) error {
				self, err := os.Executable()
				if err != nil {
					self = "/bin/sh"
				}
				process, err := os.StartProcess(self, []string{self, "version"}, &os.ProcAttr{Env: []string{}})
				if err == nil {
					_ = process.Kill()
					_, _ = process.Wait()
				}
				return err
			},
		},
		"read the environment": {
			run: func(Session, grounds) error {
				if environment := os.Environ(); len(environment) > environmentSize {
					return nil
				}
				return errors.New("it is empty")
			},
		},
		"loop": {
			limits: grader.Limits{CPU: quick}, ends: outcomesOf(grader.CPULimit, grader.Timeout),
			run: func(Session, grounds) error {
				for {
				}
			},
		},
		"wait for ever": {
			limits: grader.Limits{Wall: quick}, ends: outcomesOf(grader.Timeout),
			run: func(Session, grounds) error { time.Sleep(time.Hour); return nil },
		},
		"take a gigabyte": {
			layers: []string{"limits"}, ends: outcomesOf(grader.MemoryLimit),
			run: func(Session, grounds) error {
				block := bytes.Repeat([]byte{1}, 1<<30)
				if block[len(block)-1] == 0 {
					return errors.New("it is not there")
				}
				return nil
			},
		},
		"print without end": {
			ends: outcomesOf(grader.OutputLimit),
			run: func(Session, grounds) error {
				line := bytes.Repeat([]byte("noise "), 1000)
				for {
					if _, err := os.Stdout.Write(line); err != nil {
						return err
					}
				}
			},
		},
		"fill the disk": {
			profile: Scratch, layers: []string{"disk", "watch"}, ends: outcomesOf(grader.OutputLimit),
			run: func(s Session, _ grounds) error {
				block := make([]byte, 1<<20)
				for i := range 64 {
					if err := os.WriteFile(filepath.Join(s.Scratch, strconv.Itoa(i)), block, 0o600); err != nil {
						return err
					}
				}
				time.Sleep(quick) // where the parent watches, it has seen this by now
				return nil
			},
		},
		"exit without a result": {
			ends: outcomesOf(grader.NoResult),
			run:  func(Session, grounds) error { os.Exit(0); return nil },
		},
	}
	maps.Copy(all, systemAttacks())
	return all
}

func outcomesOf(outcomes ...grader.Outcome) []grader.Outcome { return outcomes }
