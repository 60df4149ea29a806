package database

import (
	"unsafe"

	"modernc.org/libc"
	"modernc.org/libc/sys/types"
	sqlite3 "modernc.org/sqlite/lib"

	"fieldbook/runtime/operation"
)

// wrapMethods makes our io_methods for one of the original's: the same version, and the same methods missing, since
// SQLite asks by their absence what a file can do.
func wrapMethods(original uintptr) uintptr {
	tls := libc.NewTLS()
	defer tls.Close()
	from := at[sqlite3.Tsqlite3_io_methods](original)
	table := libc.Xcalloc(tls, 1, libcSize(unsafe.Sizeof(*from)))
	if table == 0 {
		return original
	}
	to := at[sqlite3.Tsqlite3_io_methods](table)
	to.FiVersion = from.FiVersion
	set := func(to *uintptr, from, ours uintptr) {
		if from != 0 {
			*to = ours
		}
	}
	set(&to.FxClose, from.FxClose, function(fileClose))
	set(&to.FxRead, from.FxRead, function(fileRead))
	set(&to.FxWrite, from.FxWrite, function(fileWrite))
	set(&to.FxTruncate, from.FxTruncate, function(fileTruncate))
	set(&to.FxSync, from.FxSync, function(fileSync))
	set(&to.FxFileSize, from.FxFileSize, function(fileSize))
	set(&to.FxLock, from.FxLock, function(fileLock))
	set(&to.FxUnlock, from.FxUnlock, function(fileUnlock))
	set(&to.FxCheckReservedLock, from.FxCheckReservedLock, function(fileCheckReservedLock))
	set(&to.FxFileControl, from.FxFileControl, function(fileControl))
	set(&to.FxSectorSize, from.FxSectorSize, function(fileSectorSize))
	set(&to.FxDeviceCharacteristics, from.FxDeviceCharacteristics, function(fileDeviceCharacteristics))
	if from.FiVersion >= 2 {
		set(&to.FxShmMap, from.FxShmMap, function(fileShmMap))
		set(&to.FxShmLock, from.FxShmLock, function(fileShmLock))
		set(&to.FxShmBarrier, from.FxShmBarrier, function(fileShmBarrier))
		set(&to.FxShmUnmap, from.FxShmUnmap, function(fileShmUnmap))
	}
	if from.FiVersion >= 3 {
		set(&to.FxFetch, from.FxFetch, function(fileFetch))
		set(&to.FxUnfetch, from.FxUnfetch, function(fileUnfetch))
	}
	return table
}

// original returns the file of the original VFS behind ours, and its methods.
func original(file uintptr) (uintptr, *sqlite3.Tsqlite3_io_methods) {
	inner := file + headerSize
	return inner, at[sqlite3.Tsqlite3_io_methods](*at[uintptr](inner))
}

func fileClose(tls *libc.TLS, file uintptr) int32 {
	inner, m := original(file)
	rc := call[func(*libc.TLS, uintptr) int32](m.FxClose)(tls, inner)
	number := at[fileHeader](file).number
	logged.mu.Lock()
	delete(logged.files, number)
	logged.mu.Unlock()
	return rc
}

func fileRead(tls *libc.TLS, file, buffer uintptr, amount int32, offset int64) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](m.FxRead)(tls, inner, buffer, amount, offset)
}

func fileWrite(tls *libc.TLS, file, buffer uintptr, amount int32, offset int64) int32 {
	inner, m := original(file)
	write := call[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](m.FxWrite)
	f, span, name := logged.logs(tls, at[fileHeader](file).number)
	if f == nil {
		return write(tls, inner, buffer, amount, offset)
	}
	rc := int32(sqlite3.SQLITE_OK)
	err := span.Write(name, offset, unsafe.Slice(at[byte](buffer), amount), func(part []byte) (int, error) {
		if rc = write(tls, inner, buffer, int32(len(part)), offset); rc != sqlite3.SQLITE_OK {
			// How much of a failing write reached the file is not known here.
			return 0, codeError(rc)
		}
		return len(part), nil
	})
	return outcome(rc, err, sqlite3.SQLITE_IOERR_WRITE)
}

func fileTruncate(tls *libc.TLS, file uintptr, size int64) int32 {
	inner, m := original(file)
	truncate := func() int32 { return call[func(*libc.TLS, uintptr, int64) int32](m.FxTruncate)(tls, inner, size) }
	f, span, name := logged.logs(tls, at[fileHeader](file).number)
	if f == nil {
		return truncate()
	}
	return result(sqlite3.SQLITE_IOERR_TRUNCATE, span, operation.Entry{Kind: operation.Truncate, Path: name, Size: size}, truncate)
}

func fileSync(tls *libc.TLS, file uintptr, flags int32) int32 {
	inner, m := original(file)
	sync := func() int32 { return call[func(*libc.TLS, uintptr, int32) int32](m.FxSync)(tls, inner, flags) }
	f, span, name := logged.logs(tls, at[fileHeader](file).number)
	if f == nil {
		return sync()
	}
	rc := result(sqlite3.SQLITE_IOERR_FSYNC, span, operation.Entry{Kind: operation.Sync, Path: name}, sync)
	if rc == sqlite3.SQLITE_OK && f.folderUnsynced {
		f.folderUnsynced = false
		rc = logFolderSync(span, name)
	}
	return rc
}

func fileSize(tls *libc.TLS, file, size uintptr) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr, uintptr) int32](m.FxFileSize)(tls, inner, size)
}

func fileLock(tls *libc.TLS, file uintptr, level int32) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr, int32) int32](m.FxLock)(tls, inner, level)
}

func fileUnlock(tls *libc.TLS, file uintptr, level int32) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr, int32) int32](m.FxUnlock)(tls, inner, level)
}

func fileCheckReservedLock(tls *libc.TLS, file, out uintptr) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr, uintptr) int32](m.FxCheckReservedLock)(tls, inner, out)
}

func fileControl(tls *libc.TLS, file uintptr, op int32, arg uintptr) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr, int32, uintptr) int32](m.FxFileControl)(tls, inner, op, arg)
}

func fileSectorSize(tls *libc.TLS, file uintptr) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr) int32](m.FxSectorSize)(tls, inner)
}

func fileDeviceCharacteristics(tls *libc.TLS, file uintptr) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr) int32](m.FxDeviceCharacteristics)(tls, inner)
}

func fileShmMap(tls *libc.TLS, file uintptr, page, pageSize, extend int32, out uintptr) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32](m.FxShmMap)(tls, inner, page, pageSize, extend, out)
}

func fileShmLock(tls *libc.TLS, file uintptr, offset, n, flags int32) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr, int32, int32, int32) int32](m.FxShmLock)(tls, inner, offset, n, flags)
}

func fileShmBarrier(tls *libc.TLS, file uintptr) {
	inner, m := original(file)
	call[func(*libc.TLS, uintptr)](m.FxShmBarrier)(tls, inner)
}

func fileShmUnmap(tls *libc.TLS, file uintptr, remove int32) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr, int32) int32](m.FxShmUnmap)(tls, inner, remove)
}

func fileFetch(tls *libc.TLS, file uintptr, offset int64, amount int32, out uintptr) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr, int64, int32, uintptr) int32](m.FxFetch)(tls, inner, offset, amount, out)
}

func fileUnfetch(tls *libc.TLS, file uintptr, offset int64, page uintptr) int32 {
	inner, m := original(file)
	return call[func(*libc.TLS, uintptr, int64, uintptr) int32](m.FxUnfetch)(tls, inner, offset, page)
}

// at views C memory as a T. The detour over the address of p keeps vet quiet about a conversion that is safe here: the
// memory comes from modernc.org/libc, and the garbage collector neither moves nor frees it.
func at[T any](p uintptr) *T {
	return *(**T)(unsafe.Pointer(&p))
}

// function returns the C function pointer of f, which must be a top-level function: the pointer does not keep a closure
// alive. A Go function value is a pointer to its code pointer, and modernc.org/libc calls C function pointers as such.
func function[F any](f F) uintptr {
	return *(*uintptr)(unsafe.Pointer(&f))
}

// call views a C function pointer as a Go function of type F.
func call[F any](p uintptr) F {
	return *(*F)(unsafe.Pointer(&p))
}

func libcSize(n uintptr) types.Size_t { return types.Size_t(n) }
