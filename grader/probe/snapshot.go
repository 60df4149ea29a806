package probe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"fieldbook/grader"
)

// Caps on the files of a world.
const (
	maxFiles    = 256
	maxFile     = 32 << 20
	maxShowText = 4 << 10
)

// sqliteMagic is how every SQLite database begins: https://www.sqlite.org/fileformat.html#magic_header_string
const sqliteMagic = "SQLite format 3\x00"

// ReadSnapshot reads the world in folder, a private copy: every database with its log applied, and every other regular
// file. Reading applies logs, so the folder is changed by it and is of no use afterwards.
func ReadSnapshot(ctx context.Context, folder string) (grader.Snapshot, error) {
	return NewSnapshots().read(ctx, folder)
}

// Snapshots reads the worlds of one run at several moments. Most of a world stays as it is between two of them, so a
// database with the same bytes is read once. It is safe for concurrent use.
type Snapshots struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]*reading
}

// reading is a database that is being read, or was.
type reading struct {
	once     sync.Once
	snapshot grader.DatabaseSnapshot
	err      error
}

// NewSnapshots returns a reader that knows no database yet.
func NewSnapshots() *Snapshots { return &Snapshots{known: map[[sha256.Size]byte]*reading{}} }

// read is ReadSnapshot.
func (s *Snapshots) read(ctx context.Context, folder string) (grader.Snapshot, error) {
	reader := NewReader(folder)
	defer reader.Close()
	return s.Read(ctx, reader)
}

// Read is ReadSnapshot of a reader's folder. The databases stay open for what else is asked of the reader. It comes before
// all that: the files must still have the bytes that they had at the last moment.
func (s *Snapshots) Read(ctx context.Context, r *Reader) (grader.Snapshot, error) {
	folder := r.folder
	snapshot := grader.Snapshot{Databases: []grader.DatabaseSnapshot{}, Files: []grader.FileSnapshot{}}
	names, err := regularFiles(folder)
	if err != nil {
		return snapshot, err
	}
	databases := map[string]bool{}
	for _, name := range names {
		is, err := isDatabase(folder, name)
		if err != nil {
			return snapshot, err
		}
		databases[name] = is
	}
	for _, name := range names {
		switch {
		case databases[name]:
			db, err := s.database(ctx, r, name)
			if err != nil {
				return snapshot, err
			}
			snapshot.Databases = append(snapshot.Databases, db)
		case !companion(name, databases):
			file, err := readFile(folder, name)
			if err != nil {
				return snapshot, err
			}
			snapshot.Files = append(snapshot.Files, file)
		}
	}
	return snapshot, nil
}

// database reads a database, unless one of the same bytes under the same name was read before.
func (s *Snapshots) database(ctx context.Context, r *Reader, name string) (grader.DatabaseSnapshot, error) {
	bytes, err := databaseDigest(r.path(name), name)
	if err != nil {
		return grader.DatabaseSnapshot{}, r.failure(ctx, name, err)
	}
	s.mu.Lock()
	one := s.known[bytes]
	if one == nil {
		one = &reading{}
		s.known[bytes] = one
	}
	s.mu.Unlock()
	one.once.Do(func() { one.snapshot, one.err = r.sqlite(ctx, name) })
	return one.snapshot, one.err
}

// databaseDigest identifies a database by its name and the bytes of its file and logs.
func databaseDigest(path, name string) (digest [sha256.Size]byte, err error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q", name)
	for _, suffix := range []string{"", "-wal", "-journal"} {
		data, err := os.ReadFile(path + suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return digest, err
		}
		fmt.Fprintf(sum, "%d ", len(data))
		sum.Write(data)
	}
	return [sha256.Size]byte(sum.Sum(nil)), nil
}

// UnreadableError says that an artifact left by a run cannot be read as what its name promises. The run left it so: that
// is an observation about the run, not a failure of the machine.
type UnreadableError struct {
	Artifact string
	Cause    error
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("the file %s that the run left cannot be read: %s", shown(e.Artifact), shown(e.Cause.Error()))
}

func (e *UnreadableError) Unwrap() error { return e.Cause }

// companion reports whether name is a log or lock file of one of the databases. The log of a database is read with it.
func companion(name string, databases map[string]bool) bool {
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if base, ok := strings.CutSuffix(name, suffix); ok && databases[base] {
			return true
		}
	}
	return false
}

func regularFiles(folder string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if len(names) == maxFiles {
			return fmt.Errorf("the world has more than %d files", maxFiles)
		}
		name, err := filepath.Rel(folder, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	sort.Strings(names)
	return names, err
}

// isDatabase knows a database by its first bytes or, when all of it is still in its log, by that log.
func isDatabase(folder, name string) (bool, error) {
	path := filepath.Join(folder, filepath.FromSlash(name))
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, len(sqliteMagic))
	switch _, err := io.ReadFull(f, head); {
	case err == nil:
		return string(head) == sqliteMagic, nil
	case errors.Is(err, io.EOF):
		info, err := os.Stat(path + "-wal")
		return err == nil && info.Size() > 0, nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return false, nil
	default:
		return false, err
	}
}

func readFile(folder, name string) (grader.FileSnapshot, error) {
	f, err := os.Open(filepath.Join(folder, filepath.FromSlash(name)))
	if err != nil {
		return grader.FileSnapshot{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return grader.FileSnapshot{}, err
	}
	if len(data) > maxFile {
		return grader.FileSnapshot{}, fmt.Errorf("the file %s is larger than %d bytes", name, maxFile)
	}
	sum := sha256.Sum256(data)
	file := grader.FileSnapshot{Path: name, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
	if len(data) <= maxShowText && printable(data) {
		file.Text = string(data)
	}
	return file, nil
}

// printable reports whether a terminal only shows the bytes.
func printable(data []byte) bool { return grader.Visible(data) == string(data) }
