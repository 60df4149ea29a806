package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"fieldbook/runtime/operation"
)

// File is a file open for writing. Its methods are safe for concurrent use.
type File struct {
	path   string // under which it was opened
	info   os.FileInfo
	mu     sync.Mutex
	file   *os.File
	offset func() (int64, error) // where the next write goes
}

// CreateExclusive creates a file that does not exist yet and opens it for writing. Anything that has the name already, a
// symbolic link that leads nowhere too, is an ErrExist.
func CreateExclusive(path string, mode uint32) (f *File, err error) {
	if err = absolute(path); err != nil {
		return nil, err
	}
	span := operation.For(path).Begin("files.CreateExclusive", path, fmt.Sprintf("%04o", mode))
	defer func() { span.End(err, 0) }()
	file, err := span.Create(path, os.FileMode(mode))
	if err != nil {
		return nil, err
	}
	return newFile(path, file, func() (int64, error) { return file.Seek(0, io.SeekCurrent) })
}

// Append opens a file so that every write goes to its end. A missing file is created, mode 0600.
func Append(path string) (f *File, err error) {
	if err = absolute(path); err != nil {
		return nil, err
	}
	span := operation.For(path).Begin("files.Append", path, "")
	defer func() { span.End(err, 0) }()
	if _, err = os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		var made *os.File
		if made, err = span.Create(path, 0o600); err == nil {
			err = made.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	size := func() (int64, error) {
		info, err := file.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	}
	return newFile(path, file, size)
}

func newFile(path string, file *os.File, offset func() (int64, error)) (*File, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &File{path: path, info: info, file: file, offset: offset}, nil
}

// current returns under which span and name an operation on the file is logged: the name that it has now. One that has
// none left, because it was removed or replaced while it was open, is worked on without a log.
func (f *File) current(span *operation.Span) (*operation.Span, string) {
	name := operation.For(f.path).Name(f.path, f.info)
	if name == "" {
		return nil, ""
	}
	return span, name
}

// Write writes p; one call is one durable operation.
func (f *File) Write(p []byte) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	span := operation.For(f.path).Begin("files.Write", f.path, fmt.Sprintf("%d bytes", len(p)))
	defer func() { span.End(err, 0) }()
	logged, name := f.current(span)
	err = logged.Append(name, f.offset, p, func(part []byte) (int, error) {
		n, err = f.file.Write(part)
		return n, err
	})
	return n, err
}

// Sync makes what was written durable.
func (f *File) Sync() (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	span := operation.For(f.path).Begin("files.Sync", f.path, "")
	defer func() { span.End(err, 0) }()
	logged, name := f.current(span)
	return logged.Sync(name, f.file)
}

// Close closes the file. It makes nothing durable.
func (f *File) Close() (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	span := operation.For(f.path).Begin("files.Close", f.path, "")
	defer func() { span.End(err, 0) }()
	return f.file.Close()
}
