package identity

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"fieldbook/grader"
	"fieldbook/handoff"
)

// Roster is the instructor's list: students and their keys. A student may have several keys, a key has one student.
type Roster struct {
	name    string
	student map[string]string // by key id
	keys    map[string]int    // number of keys by student
}

// maxField is the longest name of a student, in bytes: what a receipt can hold.
const maxField = 200

// ReadRoster reads a roster's CSV: a head line `student,public_key`, other columns being free, and a line for each key. A
// public key is written as its PEM block, as the base64 inside that, or as the key id that `fieldbook key show` prints.
func ReadRoster(path string) (*Roster, error) {
	data, err := handoff.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseRoster(path, data)
}

// ParseRoster reads the contents of the roster called name.
func ParseRoster(name string, data []byte) (*Roster, error) {
	r := &Roster{name: name, student: map[string]string{}, keys: map[string]int{}}
	rows, err := table(name, data, "student", "public_key")
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		id, err := keyID(row.cells[1])
		if err != nil {
			return nil, unreadable(name, row.line, "the public key of %s is %v", row.cells[0], err)
		}
		if other, twice := r.student[id]; twice && other != row.cells[0] {
			return nil, unreadable(name, row.line, "%s has the key of %s", row.cells[0], other)
		}
		if r.student[id] == "" {
			r.keys[row.cells[0]]++
		}
		r.student[id] = row.cells[0]
	}
	return r, nil
}

// Len is the number of students.
func (r *Roster) Len() int { return len(r.keys) }

// Bind implements Binder.
func (r *Roster) Bind(keyID, student string) (Binding, error) {
	owner, listed := r.student[keyID]
	switch {
	case !listed && student == "":
		return Binding{How: handoff.None}, nil
	case !listed && r.keys[student] == 0:
		return Binding{}, mismatch("the roster %s has no student %q", r.name, student)
	case !listed:
		return Binding{}, mismatch("the handoff of %s is signed with key %s…, which the roster has beside no name", student, short(keyID))
	case student != "" && student != owner:
		return Binding{}, mismatch("the handoff of %s is signed with the key of %s", student, owner)
	}
	return Binding{Student: owner, How: handoff.ByRoster}, nil
}

// keyID reads a public key in any of the forms in which people copy it.
func keyID(text string) (string, error) {
	text = strings.TrimSpace(text)
	if raw, err := hex.DecodeString(text); err == nil && len(raw) == 32 {
		return strings.ToLower(text), nil
	}
	var der []byte
	if block, rest := pem.Decode([]byte(text)); block != nil {
		if block.Type != "PUBLIC KEY" || len(bytes.TrimSpace(rest)) > 0 {
			return "", fmt.Errorf("a PEM block %q, and must be one block PUBLIC KEY", block.Type)
		}
		der = block.Bytes
	} else {
		var err error
		if der, err = base64.StdEncoding.DecodeString(text); err != nil {
			return "", errors.New("neither a PEM block, nor base64, nor a key id")
		}
	}
	key, err := handoff.ParseSPKI(der)
	if err != nil {
		return "", err
	}
	return handoff.KeyID(key), nil
}

// row is a line of a CSV file: the wanted cells, in their order.
type row struct {
	line  int
	cells []string
}

// table reads a CSV file with a head line and returns the columns that are wanted, by name.
func table(name string, data []byte, columns ...string) ([]row, error) {
	if !utf8.Valid(data) {
		return nil, unreadable(name, 0, "it is not UTF-8; save it as CSV in UTF-8")
	}
	reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	reader.TrimLeadingSpace = true
	head, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, unreadable(name, 0, "it is empty; its first line must be %s", strings.Join(columns, ","))
	}
	if err != nil {
		return nil, malformed(name, err)
	}
	at := make([]int, len(columns))
	for i, column := range columns {
		at[i] = -1
		for n, title := range head {
			if strings.EqualFold(strings.TrimSpace(title), column) {
				at[i] = n
			}
		}
		if at[i] < 0 {
			return nil, unreadable(name, 1, "there is no column %s; the first line must name it", column)
		}
	}
	var rows []row
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, malformed(name, err)
		}
		line, _ := reader.FieldPos(0)
		r := row{line: line}
		for i, n := range at {
			cell := strings.TrimSpace(record[n])
			if cell == "" {
				return nil, unreadable(name, line, "%s is empty", columns[i])
			}
			r.cells = append(r.cells, cell)
		}
		if student := r.cells[0]; len(student) > maxField || student == handoff.None || strings.ContainsFunc(student, unicode.IsControl) {
			return nil, unreadable(name, line, "%.40q cannot be a student's name", student)
		}
		rows = append(rows, r)
	}
}

func malformed(name string, err error) error {
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		return unreadable(name, bad.Line, "%v", bad.Err)
	}
	return unreadable(name, 0, "%v", err)
}

func unreadable(name string, line int, format string, args ...any) error {
	place := name
	if line > 0 {
		place = fmt.Sprintf("%s:%d", name, line)
	}
	return &grader.Error{
		Code: "roster_unreadable", Exit: grader.ExitUsage, Message: place + ": " + fmt.Sprintf(format, args...),
		Hint: "Its first line is student,public_key; each line below is a name and the public key that the student sent.",
	}
}
