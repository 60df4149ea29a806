package database

import (
	"database/sql/driver"
	"fmt"
	"reflect"
)

// Rows are the rows of a query, all read already. Call Next before each Scan.
type Rows struct {
	call    string
	sql     string
	columns []string
	data    [][]driver.Value
	next    int
	closed  bool
}

// Columns returns the names of the columns.
func (r *Rows) Columns() []string { return append([]string(nil), r.columns...) }

// Next moves to the next row and reports whether there is one.
func (r *Rows) Next() bool {
	if r == nil || r.closed || r.next+1 >= len(r.data) {
		return false
	}
	r.next++
	return true
}

// Scan stores the row's columns where dest points: an integer in *int64 and other integers, in *bool when it is 0 or 1,
// in *float64; a real in *float64; text in *string or *[]byte; bytes in *[]byte; anything in *any. NULL goes into a
// pointer to a pointer, which it sets to nil, and into *any and *[]byte.
func (r *Rows) Scan(dest ...any) error {
	if r == nil || r.closed || r.next < 0 || r.next >= len(r.data) {
		return &Error{Call: "database.Rows.Scan", Reason: "there is no current row; call Next first and see that it returned true", Kind: ErrNoRows}
	}
	row := r.data[r.next]
	if len(dest) != len(row) {
		return &Error{
			Call: r.call, SQL: shorten(r.sql), Kind: ErrStatement,
			Reason: fmt.Sprintf("the row has %d columns and Scan got %d places", len(row), len(dest)),
		}
	}
	for i, value := range row {
		if err := store(dest[i], value); err != nil {
			return &Error{
				Call: r.call, SQL: shorten(r.sql), Kind: ErrStatement,
				Reason: fmt.Sprintf("column %d (%s) %s", i+1, r.columns[i], err),
			}
		}
	}
	return nil
}

// Err returns nil: a query that fails says so itself. It exists so that code in the style of database/sql reads as usual.
func (r *Rows) Err() error { return nil }

// Close ends the iteration. Nothing is held open without it.
func (r *Rows) Close() error {
	if r != nil {
		r.closed = true
	}
	return nil
}

// Row is the first row of a query, or the reason why there is none.
type Row struct {
	rows *Rows
	err  error
}

// Scan stores the row's columns as Rows.Scan does. Without a row it returns ErrNoRows.
func (r *Row) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	if r.rows.next < 0 && !r.rows.Next() {
		return &Error{Call: r.rows.call, SQL: shorten(r.rows.sql), Kind: ErrNoRows, Reason: ErrNoRows.Error()}
	}
	return r.rows.Scan(dest...)
}

// store puts a value from SQLite where dest points.
func store(dest any, value driver.Value) error {
	switch to := dest.(type) {
	case *any:
		*to = value
		return nil
	case *[]byte:
		switch value := value.(type) {
		case nil:
			*to = nil
			return nil
		case []byte:
			*to = value
			return nil
		case string:
			*to = []byte(value)
			return nil
		}
		return unfit(dest, value)
	}
	v := reflect.ValueOf(dest)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return fmt.Errorf("is to be stored in a %T, which is not a pointer to a variable", dest)
	}
	v = v.Elem()
	if v.Kind() == reflect.Pointer {
		if value == nil {
			v.SetZero()
			return nil
		}
		held := reflect.New(v.Type().Elem())
		if err := store(held.Interface(), value); err != nil {
			return err
		}
		v.Set(held)
		return nil
	}
	switch value := value.(type) {
	case int64:
		return storeInteger(v, dest, value)
	case float64:
		if v.Kind() == reflect.Float32 || v.Kind() == reflect.Float64 {
			v.SetFloat(value)
			return nil
		}
	case string:
		if v.Kind() == reflect.String {
			v.SetString(value)
			return nil
		}
	}
	return unfit(dest, value)
}

func storeInteger(v reflect.Value, dest any, value int64) error {
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if !v.OverflowInt(value) {
			v.SetInt(value)
			return nil
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if value >= 0 && !v.OverflowUint(uint64(value)) {
			v.SetUint(uint64(value))
			return nil
		}
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(value))
		return nil
	case reflect.Bool:
		if value == 0 || value == 1 {
			v.SetBool(value == 1)
			return nil
		}
	}
	return unfit(dest, value)
}

func unfit(dest any, value driver.Value) error {
	switch value := value.(type) {
	case nil:
		return fmt.Errorf("is NULL, which a %T cannot hold; scan it into a pointer to a pointer, or ask for COALESCE", dest)
	case int64:
		return fmt.Errorf("is the integer %d, which does not fit into a %T", value, dest)
	case float64:
		return fmt.Errorf("is the real %v, which does not fit into a %T", value, dest)
	case string:
		return fmt.Errorf("is text, which does not fit into a %T", dest)
	case []byte:
		return fmt.Errorf("is a blob, which does not fit into a %T", dest)
	}
	return fmt.Errorf("is a %T, which does not fit into a %T", value, dest)
}
