package database

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"fieldbook/runtime/operation"
)

// vfsName is the name under which the logging VFS is registered with SQLite.
const vfsName = "fieldbook"

// sessionParameter is the URI parameter by which a connection's files are put down to its session.
const sessionParameter = "session"

// logged is the VFS registration: SQLite's registry of VFSes is global to the process, and its callbacks are C function
// pointers that carry no state of ours. It wraps the default VFS, passes everything on, and tells the operation log
// about what lasts.
var logged vfs

type vfs struct {
	once sync.Once
	err  error

	// Set once by register.
	original  uintptr // the default VFS, *sqlite3_vfs
	parameter uintptr // sessionParameter as a C string

	mu       sync.RWMutex
	last     uintptr
	sessions map[uintptr]*session    // by the number in the URI
	byThread map[*libc.TLS]*session  // by the connection's thread state: every callback gets it
	files    map[uintptr]*loggedFile // by the number in the file's header
	methods  map[uintptr]uintptr     // the original's io_methods to ours
}

// loggedFile is an open file that is logged.
type loggedFile struct {
	path  string      // under which it was opened
	info  os.FileInfo // nil when it could not be had; then the name is taken to stay
	reads bool        // opened for reading only
	// A new -journal or -wal: SQLite's own VFS syncs the folder within the file's first sync.
	folderUnsynced bool
}

// fileHeader precedes the original's sqlite3_file in the memory that SQLite allocates for a file.
type fileHeader struct {
	methods uintptr // must come first: SQLite reads it as sqlite3_file.pMethods
	number  uintptr // key of vfs.files; 0: not logged
}

const headerSize = unsafe.Sizeof(fileHeader{})

// register registers the VFS with SQLite on the first call.
func (v *vfs) register() error {
	v.once.Do(func() { v.err = v.start() })
	return v.err
}

func (v *vfs) start() error {
	v.sessions = map[uintptr]*session{}
	v.byThread = map[*libc.TLS]*session{}
	v.files = map[uintptr]*loggedFile{}
	v.methods = map[uintptr]uintptr{}

	// POSIX locks go when any descriptor of the file is closed, also one that a copied package opened to read the live
	// file. Locks of open file descriptions do not. They exist on Linux only, and the switch must come before the
	// first database is opened: elsewhere, and later, SQLite keeps the locks it has. It keeps them for -shm anyway,
	// which nobody else reads.
	if _, err := sqlite.OFDLocking(true); err != nil &&
		!errors.Is(err, sqlite.ErrOFDLockingUnavailable) && !errors.Is(err, sqlite.ErrOFDLockingTooLate) {
		return fmt.Errorf("choosing SQLite's locks: %w", err)
	}

	tls := libc.NewTLS()
	defer tls.Close()
	if rc := sqlite3.Xsqlite3_initialize(tls); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("starting SQLite: code %d", rc)
	}
	v.original = sqlite3.Xsqlite3_vfs_find(tls, 0)
	if v.original == 0 {
		return errors.New("starting SQLite: it has no default VFS")
	}
	name, err := libc.CString(vfsName)
	if err != nil {
		return err
	}
	if v.parameter, err = libc.CString(sessionParameter); err != nil {
		return err
	}
	size := unsafe.Sizeof(sqlite3.Tsqlite3_vfs{})
	wrapper := libc.Xcalloc(tls, 1, libcSize(size))
	if wrapper == 0 {
		return errors.New("starting SQLite: out of memory")
	}
	w := at[sqlite3.Tsqlite3_vfs](wrapper)
	*w = *at[sqlite3.Tsqlite3_vfs](v.original)
	w.FpNext = 0
	w.FszOsFile += int32(headerSize)
	w.FzName = name
	w.FxOpen = function(vfsOpen)
	w.FxDelete = function(vfsDelete)
	if rc := sqlite3.Xsqlite3_vfs_register(tls, wrapper, 0); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("starting SQLite: registering the VFS: code %d", rc)
	}
	return nil
}

// enter makes a session known under a new number, and leave forgets it.
func (v *vfs) enter(s *session) (number uintptr) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last++
	v.sessions[v.last] = s
	return v.last
}

func (v *vfs) leave(number uintptr) {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.sessions[number]
	delete(v.sessions, number)
	for tls, other := range v.byThread {
		if other == s {
			delete(v.byThread, tls)
		}
	}
}

// span returns the call that a callback on this connection belongs to.
func (v *vfs) span(tls *libc.TLS, path string) *operation.Span {
	v.mu.RLock()
	s := v.byThread[tls]
	v.mu.RUnlock()
	if s != nil {
		if span := s.span.Load(); span != nil {
			return span
		}
	}
	return operation.For(path).Outside()
}

// writes reports whether this process has the database file open for writing through the VFS.
func (v *vfs) writes(info os.FileInfo) bool {
	v.mu.RLock()
	defer v.mu.RUnlock()
	for _, f := range v.files {
		if f.reads {
			continue
		}
		if other, err := os.Stat(f.path); err == nil && os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// bind puts the connection with this thread state down to the session named in the URI of its main file.
func (v *vfs) bind(tls *libc.TLS, name uintptr) {
	value := sqlite3.Xsqlite3_uri_parameter(tls, name, v.parameter)
	number, err := strconv.ParseUint(libc.GoString(value), 10, 64)
	if err != nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if s := v.sessions[uintptr(number)]; s != nil {
		v.byThread[tls] = s
	}
}

// logs returns the file with this number, the call that an operation on it belongs to and the name it has now. Without a
// name the operation is not logged: the span is nil.
func (v *vfs) logs(tls *libc.TLS, number uintptr) (f *loggedFile, span *operation.Span, name string) {
	if f = v.file(number); f == nil {
		return nil, nil, ""
	}
	if name = operation.For(f.path).Name(f.path, f.info); name == "" {
		return f, nil, ""
	}
	return f, v.span(tls, f.path), name
}

func (v *vfs) file(number uintptr) *loggedFile {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.files[number]
}

// vfsOpen is xOpen: opens the file with the original VFS and, unless it is a temporary one, has its operations logged.
func vfsOpen(tls *libc.TLS, _ uintptr, name, file uintptr, flags int32, outFlags uintptr) int32 {
	v := &logged
	inner := file + headerSize
	*at[fileHeader](file) = fileHeader{}
	*at[uintptr](inner) = 0
	open := func() int32 {
		method := at[sqlite3.Tsqlite3_vfs](v.original).FxOpen
		return call[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](method)(tls, v.original, name, inner, flags, outFlags)
	}
	const lasting = sqlite3.SQLITE_OPEN_MAIN_DB | sqlite3.SQLITE_OPEN_MAIN_JOURNAL | sqlite3.SQLITE_OPEN_WAL
	if name == 0 || flags&lasting == 0 {
		rc := open()
		v.wrap(file, inner, 0)
		return rc
	}
	if flags&sqlite3.SQLITE_OPEN_MAIN_DB != 0 {
		v.bind(tls, name)
	}
	path := libc.GoString(name)
	creates := false
	if flags&sqlite3.SQLITE_OPEN_CREATE != 0 {
		_, err := os.Lstat(path)
		creates = errors.Is(err, os.ErrNotExist)
	}
	var rc int32
	if creates {
		entry := operation.Entry{Kind: operation.Create, Path: path}
		rc = result(sqlite3.SQLITE_CANTOPEN, v.span(tls, path), entry, open)
	} else {
		rc = open()
	}
	if *at[uintptr](inner) == 0 {
		return rc
	}
	info, err := os.Lstat(path)
	if err != nil {
		info = nil
	}
	v.mu.Lock()
	v.last++
	number := v.last
	v.files[number] = &loggedFile{
		path:           path,
		info:           info,
		reads:          flags&sqlite3.SQLITE_OPEN_READONLY != 0,
		folderUnsynced: flags&sqlite3.SQLITE_OPEN_CREATE != 0 && flags&sqlite3.SQLITE_OPEN_MAIN_DB == 0 && runtime.GOOS != "windows",
	}
	v.mu.Unlock()
	v.wrap(file, inner, number)
	return rc
}

// wrap gives a file that the original opened our methods. A file whose opening failed may have none: then SQLite must
// not close it.
func (v *vfs) wrap(file, inner, number uintptr) {
	methods := *at[uintptr](inner)
	if methods == 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	ours, ok := v.methods[methods]
	if !ok {
		ours = wrapMethods(methods)
		v.methods[methods] = ours
	}
	*at[fileHeader](file) = fileHeader{methods: ours, number: number}
}

// vfsDelete is xDelete.
func vfsDelete(tls *libc.TLS, _ uintptr, name uintptr, syncFolder int32) int32 {
	v := &logged
	remove := func() int32 {
		method := at[sqlite3.Tsqlite3_vfs](v.original).FxDelete
		return call[func(*libc.TLS, uintptr, uintptr, int32) int32](method)(tls, v.original, name, syncFolder)
	}
	path := libc.GoString(name)
	if _, err := os.Lstat(path); err != nil {
		return remove()
	}
	entry := operation.Entry{Kind: operation.Remove, Path: path}
	rc := result(sqlite3.SQLITE_IOERR_DELETE, v.span(tls, path), entry, remove)
	if rc == sqlite3.SQLITE_OK && syncFolder != 0 && runtime.GOOS != "windows" {
		rc = logFolderSync(v.span(tls, path), path)
	}
	return rc
}

// logFolderSync logs that the folder of path was synced, which the original VFS did by itself a moment ago.
func logFolderSync(span *operation.Span, path string) int32 {
	entry := operation.Entry{Kind: operation.SyncFolder, Path: filepath.Dir(path)}
	return result(sqlite3.SQLITE_IOERR_DIR_FSYNC, span, entry, func() int32 { return sqlite3.SQLITE_OK })
}

// result runs one operation of the original VFS under the log and returns SQLite's code: the original's own, or, when
// the log or an interceptor refused the operation, SQLITE_FULL for a full disk and refusal for everything else.
func result(refusal int32, span *operation.Span, entry operation.Entry, act func() int32) int32 {
	rc := int32(sqlite3.SQLITE_OK)
	err := span.Do(entry, func() error {
		if rc = act(); rc != sqlite3.SQLITE_OK {
			return codeError(rc)
		}
		return nil
	})
	return outcome(rc, err, refusal)
}

// outcome is SQLite's code for an operation that the original VFS ended with rc and the log with err.
func outcome(rc int32, err error, refusal int32) int32 {
	switch {
	case rc != sqlite3.SQLITE_OK || err == nil:
		return rc
	case errors.Is(err, operation.ErrNoSpace):
		return sqlite3.SQLITE_FULL
	default:
		return refusal
	}
}

// codeError is a failure of the original VFS, as the log shows it.
type codeError int32

func (c codeError) Error() string { return "SQLite code " + strconv.Itoa(int(c)) }
