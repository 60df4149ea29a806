package probe

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sort"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/runtime/world"
)

// Compare sets each expected field beside what was observed. A field that names an artifact is read from the database in
// folder, a private copy of what the run left: there the artifact wins over the observation. agrees is true when every
// field does and the observation has no field besides; an empty expectation agrees with nothing.
func Compare(ctx context.Context, folder string, want []exercises.Expectation, observation world.Observation) (fields []grader.Field, agrees bool, err error) {
	shelf := shelf{folder: folder, open: map[string]*sql.DB{}}
	defer shelf.close()
	agrees = len(want) > 0
	unexpected := observation.Fields()
	for _, e := range want {
		delete(unexpected, e.Field)
		field := grader.Field{Name: e.Field, Expected: e.Expected, Observed: observation.Value(e.Field), From: e.From}
		if e.Artifact != "" {
			if field.Observed, err = shelf.read(ctx, e); err != nil {
				return nil, false, err
			}
		}
		field.Agrees = field.Expected.Equal(field.Observed)
		agrees = agrees && field.Agrees
		fields = append(fields, field)
	}
	names := make([]string, 0, len(unexpected))
	for name := range unexpected {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		agrees = false
		fields = append(fields, grader.Field{Name: name, Observed: unexpected[name], From: "the observation; no such field is expected"})
	}
	return fields, agrees, nil
}

// shelf holds the databases of one folder open while several fields are read from them.
type shelf struct {
	folder string
	open   map[string]*sql.DB // nil: not there, or not a database
}

// read runs the expectation's query. An artifact that is missing or cannot be read is Absent: the run left it so, and the
// field differs. Only an ended context is an error.
func (s *shelf) read(ctx context.Context, e exercises.Expectation) (world.Value, error) {
	db, seen := s.open[e.Artifact]
	if !seen {
		db = s.database(ctx, e.Artifact)
		s.open[e.Artifact] = db
	}
	var value world.Value
	if db != nil {
		value, _ = one(ctx, db, e.Query, e.Expected.Kind())
	}
	if err := ctx.Err(); err != nil {
		return world.Value{}, fmt.Errorf("read %s from %s: %w", e.Field, e.Artifact, err)
	}
	return value, nil
}

func (s *shelf) database(ctx context.Context, artifact string) *sql.DB {
	path := filepath.Join(s.folder, filepath.FromSlash(artifact))
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	db, err := untrusted(ctx, path)
	if err != nil {
		return nil
	}
	return db
}

func (s *shelf) close() {
	for _, db := range s.open {
		if db != nil {
			db.Close()
		}
	}
}
