package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"fieldbook/grader"
)

// behaviour is something that a worker's function may do, and how the run must then end.
type behaviour struct {
	do      Function
	profile Profile
	limits  grader.Limits
	want    []grader.Outcome // any of them
	cause   string           // part of Result.Cause
	reply   string           // beginning of the reply, when Observed
}

// behave is the worker's function in these tests: the request's first line names what to do, the rest is its argument.
func behave(s Session) ([]byte, error) {
	name, argument, _ := bytes.Cut(s.Request, []byte("\n"))
	b, known := behaviours()[string(name)]
	if !known {
		return nil, fmt.Errorf("no behaviour %q", name)
	}
	s.Request = argument
	return b.do(s)
}

// outcomes is a list of outcomes in a table's single column.
func outcomes(o ...grader.Outcome) []grader.Outcome { return o }

// denied is the reply for an attempt: how it was refused, or that it was not.
func denied(what string, err error) ([]byte, error) {
	if err != nil {
		return []byte("denied: " + err.Error()), nil
	}
	return []byte("LEAK " + what), nil
}

var short = grader.Limits{Wall: 300 * time.Millisecond, CPU: 200 * time.Millisecond}

// narrow are the limits of what fills memory in small pieces, which takes its time.
var narrow = grader.Limits{Memory: 128 << 20}

// served is how many jobs this worker has done.
var served int

// busyTime is the least CPU that a busy behaviour takes: it goes on for four times as long.
const busyTime = 50 * time.Millisecond

// logWait is how long a behaviour goes on after it wrote to its log.
const logWait = time.Second

// sink keeps the compiler from removing what a behaviour allocates.
var sink any

func behaviours() map[string]behaviour {
	all := map[string]behaviour{
		"echo": {
			do:   func(s Session) ([]byte, error) { return s.Request, nil },
			want: outcomes(grader.Observed),
		},
		"empty reply": {
			do:   func(Session) ([]byte, error) { return nil, nil },
			want: outcomes(grader.Observed),
		},
		"our own failure": {
			do:   func(Session) ([]byte, error) { return nil, errors.New("no symbols") },
			want: outcomes(grader.Infrastructure), cause: "no symbols",
		},
		"loop": {
			do: func(Session) ([]byte, error) {
				for {
				}
			},
			limits: short, want: outcomes(grader.CPULimit, grader.Timeout), cause: "limit: 0.",
		},
		"sleep": {
			do:     func(Session) ([]byte, error) { time.Sleep(time.Hour); return nil, nil },
			limits: short, want: outcomes(grader.Timeout), cause: "limit: 0.3 s of wall time; used 0.",
		},
		"recover loop": {
			do: func(Session) ([]byte, error) {
				for {
					func() {
						defer func() { _ = recover() }()
						panic("again")
					}()
				}
			},
			limits: short, want: outcomes(grader.CPULimit, grader.Timeout),
		},
		"allocate": {
			do: func(Session) ([]byte, error) {
				var kept [][]byte
				for {
					block := make([]byte, 1<<20)
					for i := 0; i < len(block); i += 4096 {
						block[i] = 1
					}
					kept = append(kept, block)
					sink = kept
				}
			},
			want: outcomes(grader.MemoryLimit), cause: "limit: 320 MiB of memory",
		},
		"nodes": {
			do: func(Session) ([]byte, error) {
				type node struct {
					next *node
					_    [15]int
				}
				var head *node
				for {
					head = &node{next: head}
					sink = head
				}
			},
			limits: narrow, want: outcomes(grader.MemoryLimit), cause: "limit: 128 MiB of memory",
		},
		"giant allocation": {
			do: func(s Session) ([]byte, error) {
				size := 1 << 44
				sink = make([]byte, size+len(s.Request))
				return []byte("LEAK"), nil
			},
			want: outcomes(grader.MemoryLimit), cause: "limit: 320 MiB of memory; asked for more",
		},
		"goroutines": {
			do: func(Session) ([]byte, error) {
				block := make(chan int)
				for {
					go func() { <-block }()
				}
			},
			limits: narrow, want: outcomes(grader.MemoryLimit),
		},
		"exit 0": {
			do:   func(Session) ([]byte, error) { os.Exit(0); return nil, nil },
			want: outcomes(grader.NoResult), cause: "exit status 0 before the function returned",
		},
		"fake pass": {
			do: func(Session) ([]byte, error) {
				fmt.Println(`{"verdict":"PASS"}`)
				fmt.Fprintln(os.Stderr, "PASS")
				os.Exit(0)
				return nil, nil
			},
			want: outcomes(grader.NoResult), cause: "exit status 0",
		},
		"fake memory crash": {
			do: func(Session) ([]byte, error) {
				fmt.Fprintln(os.Stderr, "fatal error: out of memory")
				os.Exit(0)
				return nil, nil
			},
			want: outcomes(grader.NoResult),
		},
		"select": {
			do:   func(Session) ([]byte, error) { select {} },
			want: outcomes(grader.NoResult), cause: "deadlocked: all goroutines are asleep",
		},
		"deadlock after files": {
			do: func(s Session) ([]byte, error) {
				if err := os.WriteFile(filepath.Join(s.Scratch, "f"), nil, 0o600); err != nil {
					return nil, err
				}
				var mu sync.Mutex
				mu.Lock()
				mu.Lock()
				return nil, nil
			},
			profile: Scratch, want: outcomes(grader.NoResult), cause: "deadlocked: all goroutines are asleep",
		},
		"goexit": {
			do:   func(Session) ([]byte, error) { runtime.Goexit(); return nil, nil },
			want: outcomes(grader.NoResult), cause: "runtime.Goexit",
		},
		"recursion": {
			do:   func(Session) ([]byte, error) { return fmt.Append(nil, descend(0)), nil },
			want: outcomes(grader.NoResult), cause: "the stack overflowed",
		},
		"panic": {
			do:   func(Session) ([]byte, error) { panic("boom\x1b[2J") },
			want: outcomes(grader.Panic), cause: `panic: boom`,
		},
		"goroutine panic": {
			do: func(Session) ([]byte, error) {
				go func() { panic("boom") }()
				time.Sleep(time.Minute)
				return nil, nil
			},
			want: outcomes(grader.Panic), cause: "panic: boom",
		},
		"panic after printing": {
			do: func(Session) ([]byte, error) {
				fmt.Fprintln(os.Stderr, "fatal error: out of memory")
				panic("late")
			},
			want: outcomes(grader.Panic), cause: "panic: late",
		},
		"large panic": {
			do:   func(Session) ([]byte, error) { panic(strings.Repeat("boom ", 1<<18)) },
			want: outcomes(grader.Panic), cause: "panic: boom boom",
		},
		"unlock": {
			do:   func(Session) ([]byte, error) { new(sync.Mutex).Unlock(); return nil, nil },
			want: outcomes(grader.NoResult), cause: "unlock of unlocked mutex",
		},
		"flood": {
			do: func(Session) ([]byte, error) {
				line := []byte(strings.Repeat("\x1b[2Jnoise ", 1000))
				for {
					_, _ = os.Stdout.Write(line)
				}
			},
			want: outcomes(grader.OutputLimit), cause: "limit: 1 MiB of printed output",
		},
		"late output": {
			do: func(Session) ([]byte, error) {
				go func() {
					for {
						_, _ = os.Stdout.WriteString("late ")
						time.Sleep(time.Microsecond)
					}
				}()
				return []byte("returned"), nil
			},
			want: outcomes(grader.Observed), reply: "returned",
		},
		"largest reply": {
			do:   func(Session) ([]byte, error) { return bytes.Repeat([]byte("x"), DefaultReply), nil },
			want: outcomes(grader.Observed), reply: "xxx",
		},
		"too large a reply": {
			do:   func(Session) ([]byte, error) { return bytes.Repeat([]byte("x"), DefaultReply+1), nil },
			want: outcomes(grader.OutputLimit), cause: "limit: 64 KiB of observation; used 65537 bytes",
		},
		"too large to be made": {
			do: func(s Session) ([]byte, error) {
				return nil, fmt.Errorf("wrapped: %w", &TooLargeError{Size: s.MaxReply + 5})
			},
			want: outcomes(grader.OutputLimit), cause: "limit: 64 KiB of observation; used 65541 bytes",
		},
		"environment": {
			do: func(Session) ([]byte, error) {
				return fmt.Appendf(nil, "env %q, args %q, processors %d, zone %s",
					os.Environ(), os.Args[1:], runtime.GOMAXPROCS(0), time.Local), nil
			},
			want: outcomes(grader.Observed), reply: `env [], args ["__worker"], processors 1, zone UTC`,
		},
		"read input": {
			do: func(s Session) ([]byte, error) {
				if want, _ := os.Getwd(); s.Scratch != want && runtime.GOOS == "linux" {
					return nil, fmt.Errorf("working in %q, not in %q", want, s.Scratch)
				}
				data, err := os.ReadFile(filepath.Join(s.Scratch, "folder", "input.txt"))
				return data, err
			},
			profile: Scratch, want: outcomes(grader.Observed), reply: "an input",
		},
		"log": {
			do: func(s Session) ([]byte, error) {
				for i := range 100 {
					if _, err := fmt.Fprintf(s.Log, "entry %d\n", i); err != nil {
						return nil, err
					}
				}
				os.Exit(0)
				return nil, nil
			},
			want: outcomes(grader.NoResult),
		},
		"count": {
			do: func(Session) ([]byte, error) {
				served++
				return fmt.Append(nil, served), nil
			},
			want: outcomes(grader.Observed), reply: "1",
		},
		"busy": {
			do: func(Session) ([]byte, error) {
				for begun := time.Now(); time.Since(begun) < 4*busyTime; {
				}
				return []byte("done"), nil
			},
			want: outcomes(grader.Observed), reply: "done",
		},
		"log and wait": {
			do: func(s Session) ([]byte, error) {
				_, err := fmt.Fprintln(s.Log, "waiting")
				time.Sleep(logWait)
				return []byte("waited"), err
			},
			want: outcomes(grader.Observed), reply: "waited",
		},
		"large log": {
			do: func(s Session) ([]byte, error) {
				_, err := io.CopyN(s.Log, endless{}, MaxLog+1)
				return []byte("done"), err
			},
			want: outcomes(grader.Observed), reply: "done",
		},
		"leave artifacts": {
			do: func(s Session) ([]byte, error) {
				err := errors.Join(
					os.MkdirAll(filepath.Join(s.Scratch, "a", "b"), 0o700),
					os.WriteFile(filepath.Join(s.Scratch, "a", "b", "deep"), []byte("deep"), 0o600),
					os.WriteFile(filepath.Join(s.Scratch, "a", "moved"), []byte("moved"), 0o600),
					os.Rename(filepath.Join(s.Scratch, "a", "moved"), filepath.Join(s.Scratch, "a", "b", "moved")),
					os.WriteFile(filepath.Join(s.Scratch, "secret"), []byte("no permission"), 0),
				)
				return []byte("left"), err
			},
			profile: Scratch, want: outcomes(grader.Observed), reply: "left",
		},
		"disk fill": {
			do: func(s Session) ([]byte, error) {
				block := make([]byte, 1<<20)
				for i := range 300 {
					if err := os.WriteFile(filepath.Join(s.Scratch, fmt.Sprint("f", i)), block, 0o600); err != nil {
						return denied("", fmt.Errorf("after %d MiB: %w", i, err))
					}
				}
				return []byte("LEAK 300 MiB written"), nil
			},
			profile: Scratch, want: outcomes(grader.Observed, grader.OutputLimit), reply: "denied: after 1", cause: "",
		},
		"sparse file": {
			do: func(s Session) ([]byte, error) {
				f, err := os.Create(filepath.Join(s.Scratch, "big"))
				if err == nil {
					err = f.Truncate(1 << 33)
				}
				return denied("8 GiB", err)
			},
			profile: Scratch, want: outcomes(grader.Observed), reply: "denied",
		},
		"descriptors": {
			do: func(s Session) ([]byte, error) {
				var kept []*os.File
				for i := range 5000 {
					f, err := os.Create(filepath.Join(s.Scratch, fmt.Sprint("f", i)))
					if err != nil {
						return denied("", fmt.Errorf("after %d: %w", i, err))
					}
					kept = append(kept, f)
				}
				return fmt.Appendf(nil, "LEAK %d", len(kept)), nil
			},
			profile: Scratch, want: outcomes(grader.Observed), reply: "denied: after 1",
		},
	}
	maps.Copy(all, systemBehaviours())
	return all
}

// endless reads as dots.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '.'
	}
	return len(p), nil
}

//go:noinline
func descend(n int) int { return descend(n+1) + 1 }

// behaviourNames is the table in a stable order.
func behaviourNames() []string { return slices.Sorted(maps.Keys(behaviours())) }
