package database

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	tests := []struct {
		text       string
		folded     string
		statements int
		parameters int
		keyword    string
	}{
		{"", "", 0, 0, ""},
		{" \t\n", "", 0, 0, ""},
		{";;", ";;", 0, 0, ""},
		{"SELECT  1", "SELECT 1", 1, 0, "SELECT"},
		{"\n  select\t?,\n ? ;\n", "select ?, ? ;", 1, 2, "SELECT"},
		{"SELECT 'a  b' -- why?\n, \"c  ?\" /* ? */", `SELECT 'a  b' , "c  ?"`, 1, 0, "SELECT"},
		{"SELECT 'it''s ?', `?`, [?]", "SELECT 'it''s ?', `?`, [?]", 1, 0, "SELECT"},
		{"SELECT ?2, ?1, ?", "SELECT ?2, ?1, ?", 1, 3, "SELECT"},
		{"SELECT 1; SELECT 2", "SELECT 1; SELECT 2", 2, 0, "SELECT"},
		{"SELECT 1; -- and\n", "SELECT 1;", 1, 0, "SELECT"},
		{"SELECT ';'", "SELECT ';'", 1, 0, "SELECT"},
		{"CREATE TRIGGER a BEFORE UPDATE ON b BEGIN SELECT 1; SELECT 2; END", "CREATE TRIGGER a BEFORE UPDATE ON b BEGIN SELECT 1; SELECT 2; END", 1, 0, "CREATE"},
		{"CREATE TEMP TRIGGER a BEFORE UPDATE ON b BEGIN SELECT 1; END", "CREATE TEMP TRIGGER a BEFORE UPDATE ON b BEGIN SELECT 1; END", 1, 0, "CREATE"},
		{"CREATE TABLE a (trigger); DROP TABLE b", "CREATE TABLE a (trigger); DROP TABLE b", 2, 0, "CREATE"},
		{"SELECT 'unfinished", "SELECT 'unfinished", 1, 0, "SELECT"},
		{"SELECT 1 /* unfinished", "SELECT 1", 1, 0, "SELECT"},
		{"SELECT 1 -- unfinished", "SELECT 1", 1, 0, "SELECT"},
		{"SELECT 0x1F, 1e5, a.b, x'00', é", "SELECT 0x1F, 1e5, a.b, x'00', é", 1, 0, "SELECT"},
	}
	for _, test := range tests {
		got := parse(test.text)
		if got.folded != test.folded || got.statements != test.statements || got.parameters != test.parameters || got.keyword() != test.keyword {
			t.Errorf("parse(%q) = %q, %d statements, %d parameters, %s", test.text, got.folded, got.statements, got.parameters, got.keyword())
		}
	}
	if got := parse("DELETE FROM a WHERE b = $x AND c = @y").named; got != "$x" {
		t.Errorf("named parameter %q", got)
	}
	if got := parse("insert into a (b) values (?)").words; !reflect.DeepEqual(got, []string{"INSERT", "INTO", "A", "B", "VALUES"}) {
		t.Errorf("words %v", got)
	}
}

// Folding again changes nothing, and nothing outside white space and comments is lost.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"SELECT 'a  b' -- x\n, ?1", "/* a */ ; é [", "CREATE TRIGGER a BEGIN ; END", "\x00'\xff", "--", "/*", "$", "?99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		st := parse(text)
		again := parse(st.folded)
		if again.folded != st.folded || again.statements != st.statements || again.parameters != st.parameters {
			t.Errorf("%q folds to %q and then to %q", text, st.folded, again.folded)
		}
		if utf8.ValidString(text) && !utf8.ValidString(st.folded) {
			t.Errorf("%q folds to invalid UTF-8 %q", text, st.folded)
		}
		if !strings.ContainsAny(text, "-/") && len(strings.Join(strings.Fields(text), "")) > 0 && st.folded == "" && strings.Trim(text, " \t\n\r\f") != "" {
			t.Errorf("%q folds to nothing", text)
		}
	})
}
