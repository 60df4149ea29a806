package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fieldbook/grader"
)

// newPool is a pool that is closed with the test.
func newPool(t testing.TB, options Options) *Pool {
	t.Helper()
	p, err := NewPool(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// runNamed runs a behaviour by its name.
func runNamed(t testing.TB, p *Pool, name, argument string) Result {
	t.Helper()
	b, known := behaviours()[name]
	if !known {
		t.Fatalf("no behaviour %q", name)
	}
	job := Job{Request: []byte(name + "\n" + argument), Profile: b.profile, Limits: b.limits}
	if name == "read input" {
		job.Inputs = fstest.MapFS{"folder/input.txt": {Data: []byte("an input")}}
	}
	r, err := p.Run(t.Context(), job)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Cleanup(r.Artifacts.Close)
	return r
}

// TestBehaviours holds that every behaviour ends with its outcome at each level that this machine can show.
func TestBehaviours(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, level := range []struct {
		name    string
		without []string
	}{
		{"with namespaces", nil},
		{"without namespaces", []string{"namespaces"}},
	} {
		t.Run(level.name, func(t *testing.T) {
			p := newPool(t, Options{Without: level.without})
			t.Run("group", func(t *testing.T) {
				for _, name := range behaviourNames() {
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						r := runNamed(t, p, name, fmt.Sprintf("%d %s", os.Getpid(), outside))
						checkBehaviour(t, behaviours()[name], r)
					})
				}
			})
		})
	}
	if data, err := os.ReadFile(filepath.Join(outside, "secret")); err != nil || string(data) != "secret" {
		t.Errorf("the file outside is now %q, %v", data, err)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
		t.Errorf("the folder outside holds %v, %v", entries, err)
	}
}

func checkBehaviour(t *testing.T, b behaviour, r Result) {
	t.Helper()
	if !slices.Contains(b.want, r.Outcome) {
		t.Fatalf("outcome %s (%s), want one of %s\nreply %.200q\nstderr %.300q\ncrash %.300q", r.Outcome, r.Cause, b.want, r.Reply, r.StderrRaw, r.Crash)
	}
	if strings.HasPrefix(string(r.Reply), "LEAK") {
		t.Errorf("reply %q", r.Reply)
	}
	if r.Outcome == grader.Observed {
		if !strings.HasPrefix(string(r.Reply), b.reply) {
			t.Errorf("reply %.100q, want it to begin with %q", r.Reply, b.reply)
		}
		if r.Cause != "" {
			t.Errorf("observed, with the cause %q", r.Cause)
		}
		return
	}
	if !strings.Contains(r.Cause, b.cause) || r.Cause == "" {
		t.Errorf("cause %q, want it to contain %q", r.Cause, b.cause)
	}
	if r.Hint == "" {
		t.Error("no hint")
	}
	if r.Reply != nil {
		t.Errorf("outcome %s with a reply of %d bytes", r.Outcome, len(r.Reply))
	}
	if strings.ContainsAny(r.Cause+r.Stdout.Text+r.Stderr.Text, "\x1b\x00") {
		t.Error("control characters are shown")
	}
	if strings.Contains(r.Stderr.Text, "goroutine ") {
		t.Errorf("the crash report is shown: %q", r.Stderr.Text)
	}
}

func TestRunRefusesRequestsThatAreTooLarge(t *testing.T) {
	p := newPool(t, Options{Spare: -1})
	_, err := p.Run(t.Context(), Job{Request: make([]byte, MaxRequest)})
	var known *grader.Error
	if !errors.As(err, &known) || known.Code != "sandbox_request" {
		t.Errorf("got %v", err)
	}
}

func TestRole(t *testing.T) {
	p := newPool(t, Options{})
	for _, role := range []string{otherRole, "", otherRole} {
		r, err := p.Run(t.Context(), Job{Role: role, Request: []byte("echo\nx")})
		want := map[string]string{"": "x", otherRole: "in another role: echo\nx"}[role]
		if err != nil || string(r.Reply) != want {
			t.Errorf("role %q: %v, %s (%s), %q", role, err, r.Outcome, r.Cause, r.Reply)
		}
	}
	_, err := p.Run(t.Context(), Job{Role: "unheard of"})
	var known *grader.Error
	if !errors.As(err, &known) || known.Code != "sandbox_start" || !strings.Contains(err.Error(), "unheard of") {
		t.Errorf("an unknown role: %v", err)
	}
}

func TestMaxReply(t *testing.T) {
	p := newPool(t, Options{})
	for _, test := range []struct {
		size, most int
		want       grader.Outcome
	}{
		{10, 10, grader.Observed}, {11, 10, grader.OutputLimit},
		{1 << 20, 1 << 20, grader.Observed}, {1<<20 + 1, 1 << 20, grader.OutputLimit},
	} {
		r, err := p.Run(t.Context(), Job{Request: append([]byte("echo\n"), make([]byte, test.size)...), MaxReply: test.most})
		if err != nil || r.Outcome != test.want || (test.want == grader.Observed) != (len(r.Reply) == test.size) {
			t.Errorf("%d of %d bytes: %v, %s (%s), %d bytes", test.size, test.most, err, r.Outcome, r.Cause, len(r.Reply))
		}
	}
}
