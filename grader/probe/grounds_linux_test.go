package probe_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// Secrets that no program may come to know, each in a place of its own.
const (
	victimText   = "the victim's own words: bd6a1e"
	expectText   = `{"expected": "known to the parent alone: 4c0f93"}`
	packageText  = "value of a package beside the runtime: 91b7d2"
	secretText   = "in the parent's environment: e85c44"
	secretName   = "LAB_SECRET"
	secretInside = "root:x:0" // of /etc/passwd
)

func secrets() []string {
	return []string{victimText, expectText, packageText, secretText, secretInside}
}

// grounds are what hostile programs are aimed at: files that every user may read and write, so that only the sandbox is in
// the way, and sockets that anyone may connect to.
type grounds struct {
	folder  string
	port    int
	visits  atomic.Int64 // connections and packets that came
	sockets []interface{ Close() error }
	before  string // state of the folder when everything was made
}

func mustGrounds(t *testing.T) *grounds {
	t.Helper()
	t.Setenv(secretName, secretText)
	g := &grounds{folder: filepath.Join(openFolder(t), "outside")}
	for name, text := range map[string]string{
		"pub/victim":                    victimText,
		"holdout/expect.json":           expectText,
		"src/secretpkg/secretpkg.go":    "package secretpkg\n\nconst Expect = \"" + packageText + "\"\n",
		"workspace/.fieldbook/state":    "state",
		"workspace/attempts/first.go":   victimText,
		"workspace/handoffs/a.handoff":  victimText,
		"config/fieldbook/ed25519.key":  victimText,
		"workspace/predictions/restore": victimText,
	} {
		g.put(t, name, text)
	}
	if err := errors.Join(g.listen(), filepath.WalkDir(g.folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			err = os.Chmod(path, 0o777)
		} else if err == nil {
			err = os.Chmod(path, 0o666)
		}
		return err
	})); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, s := range g.sockets {
			_ = s.Close()
		}
	})
	var err error
	if g.before, err = g.state(); err != nil {
		t.Fatal(err)
	}
	return g
}

func (g *grounds) put(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(g.folder, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// listen opens one socket of each kind; the port and the abstract name are those in a program's input.
func (g *grounds) listen() error {
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	g.accept(tcp)
	g.port = tcp.Addr().(*net.TCPAddr).Port
	udp, err := net.ListenPacket("udp", fmt.Sprintf("127.0.0.1:%d", g.port))
	if err != nil {
		return err
	}
	g.sockets = append(g.sockets, udp)
	go func() {
		for packet := make([]byte, 1); ; {
			if _, _, err := udp.ReadFrom(packet); err != nil {
				return
			}
			g.visits.Add(1)
		}
	}()
	for _, name := range []string{filepath.Join(g.folder, "pub", "sock"), fmt.Sprintf("@lab%d", g.port)} {
		unix, err := net.Listen("unix", name)
		if err != nil {
			return err
		}
		g.accept(unix)
	}
	return nil
}

func (g *grounds) accept(l net.Listener) {
	g.sockets = append(g.sockets, l)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			g.visits.Add(1)
			_ = c.Close()
		}
	}()
}

// input is what every program is given: the number of its parent, and the port.
func (g *grounds) input() string { return fmt.Sprintf("%d,%d", os.Getpid(), g.port) }

// source is a program that is aimed at these grounds.
func (g *grounds) source(text string) string { return strings.ReplaceAll(text, "@OUTSIDE@", g.folder) }

// state is everything about the folder that a program could have changed: names, contents, modes, owners and times, the
// time of the last change of anything (ctime) among them.
func (g *grounds) state() (string, error) {
	var all strings.Builder
	err := filepath.WalkDir(g.folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		stat := info.Sys().(*syscall.Stat_t)
		var data []byte
		if info.Mode().IsRegular() {
			if data, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		fmt.Fprintln(&all, path, info.Mode(), stat.Uid, stat.Gid, stat.Nlink, stat.Mtim, stat.Ctim, string(data))
		return nil
	})
	return all.String(), err
}

// touched says what a program has done to the grounds; nil for nothing.
func (g *grounds) touched() error {
	now, err := g.state()
	if err != nil {
		return err
	}
	if now != g.before {
		err = fmt.Errorf("the files outside have changed: before\n%snow\n%s", g.before, now)
	}
	if n := g.visits.Swap(0); n > 0 {
		err = errors.Join(err, fmt.Errorf("%d connections or packets came", n))
	}
	g.before = now
	return err
}

// told says which secrets a text holds; nil for none.
func told(text string) error {
	for _, secret := range secrets() {
		if strings.Contains(text, secret) {
			return fmt.Errorf("%q came to light", secret)
		}
	}
	return nil
}

// openFolder is a temporary folder that workers with another user's rights can reach.
func openFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hostile-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
