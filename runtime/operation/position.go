package operation

import (
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

func (r *Recorder) position() (string, int) {
	if r.options.Position != nil {
		return r.options.Position()
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
