package operation

import (
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

// position is where the next call comes from, as told by At.
type position struct {
	mu   sync.Mutex
	told bool
	file string
	line int
}

// At says where the next call into a supplied package comes from: file as "runtime/assistant/restore.go", line from 1.
// It holds until the next At, so everything that one supplied call does is put down to the same line. The interpreter
// says this before each such call, since its call stack shows the interpreter only. Calls of several goroutines share
// one position.
func (r *Recorder) At(file string, line int) {
	if r == nil {
		return
	}
	r.at.mu.Lock()
	defer r.at.mu.Unlock()
	r.at.told, r.at.file, r.at.line = true, file, line
}

func (r *Recorder) position() (string, int) {
	if r.options.Position != nil {
		return r.options.Position()
	}
	r.at.mu.Lock()
	told, file, line := r.at.told, r.at.file, r.at.line
	r.at.mu.Unlock()
	if told {
		return file, line
	}
	return caller()
}

// caller returns the nearest frame outside the supplied packages, its file as seen from the module's root. Tests of the
// supplied packages count as outside.
func caller() (string, int) {
	own := reflect.TypeFor[Recorder]().PkgPath()
	module := strings.TrimSuffix(own, "runtime/operation")

	var counters [64]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(2, counters[:])])
	for {
		frame, more := frames.Next()
		folder, ours := strings.CutPrefix(packagePath(frame.Function), module)
		file := filepath.ToSlash(frame.File)
		if ours && (!supplied(folder) || strings.HasSuffix(file, "_test.go")) {
			return path.Join(strings.TrimSuffix(folder, "_test"), path.Base(file)), frame.Line
		}
		if !more {
			return "", 0
		}
	}
}

func supplied(folder string) bool {
	name, ok := strings.CutPrefix(folder, "runtime/")
	if !ok {
		return false
	}
	name, _, _ = strings.Cut(name, "/")
	switch name {
	case "operation", "database", "files", "world", "clock", "shop", "fieldnotes", "exercise":
		return true
	}
	return false
}

// packagePath cuts "module/folder/package.Type.Method" before the first dot of its last element.
func packagePath(function string) string {
	slash := strings.LastIndexByte(function, '/')
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return function
	}
	return function[:slash+1+dot]
}
