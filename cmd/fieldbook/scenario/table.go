package scenario

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/lang"
)

// Table is a student's evidence table.
type Table struct {
	Rows []Row
}

// Row is a row of a table.
type Row struct {
	Line  int // of the file, from 1
	Cells map[string]string
}

// mostRows bounds a table.
const mostRows = 100

// ParseTable reads the one table of a Markdown file that has the columns of the evidence table, in any order; what stands
// around it is ignored. Backticks and the white space around a cell do not count. The error is for the reader, and begins with
// the file's name and the line.
func ParseTable(name string, text []byte) (Table, error) {
	var table Table
	var columns []string
	found := false
	for i, line := range strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n") {
		cells, isRow := cellsOf(line)
		switch {
		case !isRow:
			columns = nil
		case columns == nil && !slices.Contains(cells, ColumnScenario):
			columns = []string{} // of a table that is none of ours
		case columns == nil:
			if found {
				return table, fmt.Errorf(lang.Key("%s, line %d: a second table begins; the file must have one with the column %s"), name, i+1, ColumnScenario)
			}
			if err := wholeHeader(name, i+1, cells); err != nil {
				return table, err
			}
			columns, found = cells, true
		case len(columns) == 0 || isRule(cells):
		case len(cells) != len(columns):
			return table, fmt.Errorf(lang.Key("%s, line %d: the row has %d cells, and the table %d columns"), name, i+1, len(cells), len(columns))
		case len(table.Rows) == mostRows:
			return table, fmt.Errorf(lang.Key("%s, line %d: the table has more than %d rows"), name, i+1, mostRows)
		default:
			row := Row{Line: i + 1, Cells: map[string]string{}}
			for n, column := range columns {
				row.Cells[column] = cells[n]
			}
			table.Rows = append(table.Rows, row)
		}
	}
	if !found {
		return table, fmt.Errorf(lang.Key("%s has no table with the columns | %s |"), name, strings.Join(Columns(), " | "))
	}
	return table, nil
}

// cellsOf are the cells of a line of a table.
func cellsOf(line string) (cells []string, isRow bool) {
	line = strings.TrimSpace(line)
	if len(line) < 2 || line[0] != '|' || line[len(line)-1] != '|' {
		return nil, false
	}
	for _, cell := range strings.Split(line[1:len(line)-1], "|") {
		cells = append(cells, shown(strings.ReplaceAll(cell, "`", "")))
	}
	return cells, true
}

// isRule reports whether a row is the one that divides header and rows.
func isRule(cells []string) bool {
	for _, cell := range cells {
		if strings.Trim(cell, "-:") != "" || cell == "" {
			return false
		}
	}
	return true
}

// wholeHeader holds a header to all columns, once each, and no others.
func wholeHeader(name string, line int, cells []string) error {
	for i, cell := range cells {
		if !slices.Contains(Columns(), cell) {
			return fmt.Errorf(lang.Key("%s, line %d: there is no column %q; the columns are %s"), name, line, cell, strings.Join(Columns(), ", "))
		}
		if slices.Index(cells, cell) != i {
			return fmt.Errorf(lang.Key("%s, line %d: the column %q stands twice"), name, line, cell)
		}
	}
	for _, column := range Columns() {
		if !slices.Contains(cells, column) {
			return fmt.Errorf(lang.Key("%s, line %d: the column %q is missing"), name, line, column)
		}
	}
	return nil
}
