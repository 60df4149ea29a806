package probe

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"modernc.org/sqlite"
)

// maxDocument is the size of the largest JSON file that is read, in bytes.
const maxDocument = 1 << 20

// isDocument reports whether an artifact is read as JSON: by its name, since what it holds is the run's to say.
func isDocument(artifact string) bool {
	extension := path.Ext(artifact)
	return extension == ".json" || extension == ".jsonl"
}

// openDocument returns a database in memory that holds a JSON file in the table document: its number, from 1, and its value, the text of
// the JSON. A .json file is one row. A .jsonl file is a row a line; a last line that is not terminated was never finished
// and is no row. A file that is missing has no row, so that an author can ask for that. Queries take values apart by
// SQLite's own operators: SELECT value ->> '$.phase' FROM document.
func openDocument(ctx context.Context, file, artifact string) (*sql.DB, error) {
	values, err := readDocument(file, path.Ext(artifact) == ".jsonl")
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector{driver: &sqlite.Driver{}, name: "file::memory:?_pragma=trusted_schema(OFF)"})
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	_, err = db.ExecContext(ctx, "CREATE TABLE document (number INTEGER PRIMARY KEY, value TEXT NOT NULL)")
	for i := 0; err == nil && i < len(values); i++ {
		_, err = db.ExecContext(ctx, "INSERT INTO document VALUES (?, ?)", i+1, string(values[i]))
	}
	if err == nil {
		_, err = db.ExecContext(ctx, "PRAGMA query_only = ON")
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// readDocument returns the JSON values of a file.
func readDocument(file string, lines bool) ([][]byte, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxDocument {
		return nil, fmt.Errorf("it is larger than %d bytes", maxDocument)
	}
	values := [][]byte{data}
	if lines {
		values = bytes.Split(data, []byte("\n"))
		values = values[:len(values)-1] // what follows the last line end
	}
	if len(values) > maxRows {
		return nil, fmt.Errorf("it has more than %d lines", maxRows)
	}
	for i, value := range values {
		if !json.Valid(value) {
			return nil, fmt.Errorf("value %d is not JSON", i+1)
		}
	}
	return values, nil
}
