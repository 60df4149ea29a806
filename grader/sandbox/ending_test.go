package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/sandbox/enter"
)

// sealed is a whole frame under a nonce.
func sealed(nonce []byte, kind frameKind, reply string) []byte {
	return sealResult(hmac.New(sha256.New, nonce), kind, []byte(reply))
}

func TestJudge(t *testing.T) {
	nonce := make([]byte, nonceSize)
	good := sealed(nonce, frameReply, "reply")
	limits := DefaultLimits()
	exit := func(code int) status { return status{code: code} }
	signal := func(name string, cause signalCause) status { return status{code: -1, signal: name, cause: cause} }
	trace := "\ngoroutine 1 [running]:\nmain.f()\n"

	for _, test := range []struct {
		name  string
		end   ending
		want  grader.Outcome
		cause string
	}{
		{"one frame, exit 0", ending{written: good}, grader.Observed, ""},
		{"one frame, exit 1", ending{written: good, status: exit(1)}, grader.NoResult, "exit status 1 after its result"},
		{"one frame, then killed", ending{written: good, killed: overWall, usage: Usage{Wall: 5 * time.Second}}, grader.Timeout, "limit: 5.0 s of wall time; used 5.0 s"},
		{"one frame, then a crash", ending{written: good, status: exit(2), stderr: []byte("panic: late\n" + trace), crash: []byte("panic: late\n" + trace)}, grader.Panic, "panic: late"},
		{"one frame, then a signal", ending{written: good, status: signal("SIGSYS", filterSignal)}, grader.SandboxViolation, "forbids"},
		{"two frames", ending{written: append(append([]byte{}, good...), good...)}, grader.Tampered, "something follows"},
		{"a byte too many", ending{written: append(append([]byte{}, good...), 0)}, grader.Tampered, "something follows"},
		{"a byte too few", ending{written: good[:len(good)-1]}, grader.NoResult, "exit status 0"},
		{"a length alone", ending{written: good[:4]}, grader.NoResult, "exit status 0"},
		{"half a length", ending{written: good[:2]}, grader.NoResult, "exit status 0"},
		{"nothing", ending{}, grader.NoResult, "exit status 0 before the function returned"},
		{"nothing, exit 3", ending{status: exit(3)}, grader.NoResult, "exit status 3"},
		{"another nonce", ending{written: sealed([]byte("guess"), frameReply, "reply")}, grader.Tampered, "authentication code is wrong"},
		{"a length beyond all bounds", ending{written: []byte("\xff\xff\xff\xff and more")}, grader.Tampered, "not well formed"},
		{"a length of nothing", ending{written: make([]byte, 40)}, grader.Tampered, "not well formed"},
		{"our failure", ending{written: sealed(nonce, frameFailed, "no symbols")}, grader.Infrastructure, "no symbols"},
		{"too large a reply", ending{written: sealed(nonce, frameTooLarge, "70000")}, grader.OutputLimit, "used 70000 bytes"},
		{"lost descriptor", ending{status: exit(enter.ExitNoFrame)}, grader.NoResult, "descriptor was closed"},

		{"memory watch", ending{killed: overMemory, usage: Usage{Memory: 401 << 20}}, grader.MemoryLimit, "limit: 320 MiB of memory; used 401 MiB"},
		{"CPU watch", ending{killed: overCPU, usage: Usage{CPU: 2 * time.Second}}, grader.CPULimit, "limit: 2.0 s of CPU time; used 2.0 s"},
		{"disk watch", ending{killed: overDisk}, grader.OutputLimit, "limit: 16 MiB of files"},
		{"output", ending{killed: overOutput}, grader.OutputLimit, "limit: 1 MiB of printed output"},
		{"output was a crash report", ending{killed: overOutput, stderr: []byte("panic: x\n"), crash: []byte("panic: x\n")}, grader.Panic, "panic: x"},
		{"crash report without end", ending{killed: overCrash, stderr: []byte("fatal error: out of memory\n" + trace), crash: []byte(trace)}, grader.MemoryLimit, "asked for more"},

		{"kernel's CPU limit", ending{status: signal("SIGKILL", killSignal), usage: Usage{CPU: 3 * time.Second}, confined: true}, grader.CPULimit, "CPU time"},
		{"SIGXCPU", ending{status: signal("SIGXCPU", cpuSignal)}, grader.CPULimit, "CPU time"},
		{"kernel's memory killer", ending{status: signal("SIGKILL", killSignal), usage: Usage{Memory: 300 << 20}, confined: true}, grader.MemoryLimit, "memory"},
		{"killed from outside", ending{status: signal("SIGKILL", killSignal), confined: true}, grader.Infrastructure, "outside the sandbox"},
		{"killed, perhaps by itself", ending{status: signal("SIGKILL", killSignal)}, grader.NoResult, "SIGKILL"},
		{"another signal", ending{status: signal("SIGBUS", ordinarySignal)}, grader.NoResult, "SIGBUS"},

		{"deadlock", ending{status: exit(2), stderr: []byte("fatal error: all goroutines are asleep - deadlock!\n" + trace), crash: []byte(trace)}, grader.NoResult, "the process deadlocked: all goroutines are asleep"},
		{"goexit", ending{status: exit(2), stderr: []byte("fatal error: no goroutines (main called runtime.Goexit) - deadlock!\n" + trace), crash: []byte(trace)}, grader.NoResult, "runtime.Goexit"},
		{"concurrent map", ending{status: exit(2), stderr: []byte("fatal error: concurrent map writes\n" + trace), crash: []byte(trace)}, grader.NoResult, "two goroutines used one map"},
		{"stack", ending{status: exit(2), stderr: []byte("runtime: goroutine stack exceeds 67108864-byte limit\nruntime: sp=0x1 stack=[0x1, 0x2]\nfatal error: stack overflow\n\nruntime stack:\n" + trace), crash: []byte("\nruntime stack:\n" + trace)}, grader.NoResult, "the stack overflowed"},
		{"unknown fatal error", ending{status: exit(2), stderr: []byte("fatal error: found bad pointer\n" + trace), crash: []byte(trace)}, grader.NoResult, "found bad pointer"},
		{"memory, after what the learner printed", ending{status: exit(2), stderr: []byte("hello\nfatal error: stack overflow\nruntime: out of memory: cannot allocate\nfatal error: out of memory\n" + trace), crash: []byte(trace)}, grader.MemoryLimit, "memory"},
		{"printed words of the runtime, exit 2", ending{status: exit(2), stderr: []byte("I say:\nfatal error: out of memory\n")}, grader.NoResult, "exit status 2"},
		{"runtime's words first, without a report", ending{status: exit(2), stderr: []byte("panic: x\n" + trace)}, grader.Panic, "panic: x"},
		{"a report that the runtime did not write", ending{status: exit(0), crash: []byte("panic: x\n")}, grader.NoResult, "exit status 0"},
		{"escapes in a panic", ending{status: exit(2), crash: []byte("panic: \x1b[2J\n" + trace)}, grader.Panic, `panic: \x1b[2J`},
		{"a long panic", ending{status: exit(2), crash: []byte("panic: " + strings.Repeat("x", 1000) + "\n" + trace)}, grader.Panic, "xxx…"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.end.nonce, test.end.limits = nonce, limits
			var r Result
			test.end.judge(&r)
			if r.Outcome != test.want || !strings.Contains(r.Cause, test.cause) {
				t.Errorf("got %s (%s), want %s (%s)", r.Outcome, r.Cause, test.want, test.cause)
			}
			if observed := r.Outcome == grader.Observed; observed != (r.Cause == "") || observed != (r.Hint == "") || observed != (r.Reply != nil) {
				t.Errorf("outcome %s, cause %q, hint %q, reply %q", r.Outcome, r.Cause, r.Hint, r.Reply)
			}
		})
	}
}

func TestStderrWithoutCrashReport(t *testing.T) {
	trace := "\ngoroutine 1 [running]:\nmain.f()\n"
	for _, test := range []struct{ name, stderr, crash, want string }{
		{"no crash", "hello\n", "", "hello\n"},
		{"panic", "hello\npanic: x\n" + trace, "panic: x\n" + trace, "hello\n"},
		{"fatal", "hello\nfatal error: x\n" + trace, trace, "hello\n"},
		{"fatal with details", "hello\nruntime: a\nruntime: b\nfatal error: x\n" + trace, trace, "hello\n"},
		{"printed without a newline", "hello panic: x\n" + trace, "panic: x\n" + trace, "hello "},
		{"printed like a report", "fatal error: mine\nhello\npanic: x\n" + trace, "panic: x\n" + trace, "fatal error: mine\nhello\n"},
	} {
		got := printableStderr(&spool{data: []byte(test.stderr), total: int64(len(test.stderr))}, []byte(test.crash))
		if got.Text != test.want || got.Total != int64(len(test.want)) {
			t.Errorf("%s: got %q (%d), want %q", test.name, got.Text, got.Total, test.want)
		}
	}
}

func TestAtLeast(t *testing.T) {
	for _, test := range []struct {
		level, required string
		want            bool
	}{
		{Strong, Strong, true}, {Standard, Strong, false}, {Weak, Standard, false}, {Strong, Weak, true},
		{Weak, "", true}, {Weak, Weak, true}, {"", Weak, false}, {"", "", false}, {"mighty", Standard, false},
	} {
		if got := AtLeast(test.level, test.required); got != test.want {
			t.Errorf("AtLeast(%q, %q) is %v", test.level, test.required, got)
		}
	}
}

func TestLevelOf(t *testing.T) {
	layers := func(names ...string) []Layer {
		var all []Layer
		for _, name := range names {
			all = append(all, Layer{Name: name, Active: true})
		}
		return append(all, Layer{Name: "watch", Active: true})
	}
	for _, test := range []struct {
		layers []Layer
		want   string
	}{
		{layers("limits", "capabilities", "seccomp", "namespaces", "disk", "landlock"), Strong},
		{layers("limits", "capabilities", "seccomp", "landlock"), Standard},
		{layers("limits", "capabilities", "seccomp", "namespaces", "disk"), Standard},
		{layers("limits", "capabilities", "seccomp"), Weak},
		{layers("limits", "capabilities", "landlock", "namespaces", "disk"), Weak},
		{layers("seccomp", "capabilities", "landlock", "namespaces", "disk"), Weak},
		{append(layers("limits", "capabilities", "seccomp"), Layer{Name: "landlock"}), Weak},
		{nil, Weak},
	} {
		if got := levelOf(test.layers); got != test.want {
			t.Errorf("%+v: got %s, want %s", test.layers, got, test.want)
		}
	}
}

func TestNotice(t *testing.T) {
	layers := []Layer{{"limits", true, "some"}, {"namespaces", false, "the system refuses"}, {"disk", false, "watched"}}
	if got := Notice(Strong, layers[:1]); got != "" {
		t.Errorf("for a strong sandbox: %q", got)
	}
	want := "The sandbox of this machine is standard: without namespaces (the system refuses), disk (watched)."
	if got := Notice(Standard, layers); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzOpenResult(f *testing.F) {
	nonce := make([]byte, nonceSize)
	f.Add(sealed(nonce, frameReply, "reply"))
	f.Add([]byte{0, 0, 0, 44})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, written []byte) {
		kind, reply, err := openResult(written, nonce, DefaultReply)
		if err == nil && string(sealed(nonce, kind, string(reply))) != string(written) {
			t.Errorf("%q was accepted as something else", written)
		}
	})
}

func FuzzDecodeRequest(f *testing.F) {
	f.Add(encodeRequest(request{nonce: make([]byte, nonceSize), body: []byte("body"), inputs: []input{{path: "a", data: []byte("b")}, {path: "c", folder: true}}})[4:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, payload []byte) {
		r, err := decodeRequest(payload)
		if err == nil && len(r.nonce) != nonceSize {
			t.Errorf("a nonce of %d bytes was accepted", len(r.nonce))
		}
	})
}
