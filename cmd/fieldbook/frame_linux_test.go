package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// window is the program in a terminal whose other end the test holds, without a terminal program between them.
type window struct {
	cmd    *exec.Cmd
	master *os.File
}

// openWindow starts the app in a new terminal of 120 × 40 on a workspace that is set up.
func openWindow(b *testing.B, folder string) *window {
	b.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		b.Skipf("SKIPPED LOUDLY: no terminal can be opened here: %v", err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120})
	}
	if err != nil {
		b.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer slave.Close()
	cmd := started(b, folder, "--workspace", filepath.Join(folder, "w"))
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	return &window{cmd: cmd, master: master}
}

// shows reads until the terminal has been sent a text.
func (w *window) shows(b *testing.B, text string) {
	b.Helper()
	var seen bytes.Buffer
	part := make([]byte, 1<<16)
	if err := w.master.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		b.Logf("no time limit on the terminal: %v", err)
	}
	for !bytes.Contains(seen.Bytes(), []byte(text)) {
		n, err := w.master.Read(part)
		seen.Write(part[:n])
		if err != nil {
			b.Fatalf("the first frame did not come: %v\n%q", err, seen.String())
		}
	}
}

func (w *window) close() {
	_ = w.cmd.Process.Kill()
	_ = w.cmd.Wait() // killed: that is no news
	w.master.Close()
}

// workspaceFor makes a workspace, so that no frame waits for one.
func workspaceFor(b *testing.B) string {
	b.Helper()
	folder := b.TempDir()
	if output, err := started(b, folder, "init", filepath.Join(folder, "w")).CombinedOutput(); err != nil {
		b.Fatalf("init: %v\n%s", err, output)
	}
	return folder
}

// BenchmarkFirstFrame is the time from the start of the process to the first frame in the terminal; the goal is 100 ms. On a
// busy machine the fastest of several says more than their mean.
func BenchmarkFirstFrame(b *testing.B) {
	folder := workspaceFor(b)
	best := time.Hour
	for b.Loop() {
		begun := time.Now()
		w := openWindow(b, folder)
		w.shows(b, "Fieldbook")
		best = min(best, time.Since(begun))
		b.StopTimer()
		w.close()
		b.StartTimer()
	}
	b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
}

// idle is how long the app is watched while nobody touches it, after it has come to rest.
const (
	rest = 2 * time.Second
	idle = 10 * time.Second
)

// BenchmarkIdle reports how much of one processor the app and its workers use while nobody touches it; the goal is 1%.
func BenchmarkIdle(b *testing.B) {
	folder := workspaceFor(b)
	for b.Loop() {
		w := openWindow(b, folder)
		w.shows(b, "Fieldbook")
		go func() { // the terminal goes on reading
			part := make([]byte, 1<<16)
			for {
				if _, err := w.master.Read(part); err != nil {
					return
				}
			}
		}()
		time.Sleep(rest)
		before, begun := ticks(b, w.cmd.Process.Pid), time.Now()
		time.Sleep(idle)
		used := float64(ticks(b, w.cmd.Process.Pid)-before) / ticksPerSecond
		b.ReportMetric(100*used/time.Since(begun).Seconds(), "%cpu")
		w.close()
	}
}

// ticksPerSecond is the unit of times in /proc on every architecture of Linux that Go runs on.
const ticksPerSecond = 100

// ticks is the processor time of a process and of its children, ended ones too.
func ticks(b *testing.B, pid int) int64 {
	b.Helper()
	total := int64(0)
	for _, id := range append(children(pid), pid) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
		if err != nil {
			continue // it has ended, and its parent has its time
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		for _, i := range []int{11, 12, 13, 14} { // utime, stime, cutime, cstime
			n, err := strconv.ParseInt(fields[i], 10, 64)
			if err != nil {
				b.Fatal(err)
			}
			total += n
		}
	}
	return total
}

// children are the processes that a process has started, from whichever of its threads.
func children(pid int) []int {
	var list []int
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is well formed
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range strings.Fields(string(text)) {
			if id, err := strconv.Atoi(field); err == nil {
				list = append(list, id)
			}
		}
	}
	return list
}
