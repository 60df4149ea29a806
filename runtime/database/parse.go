package database

import (
	"fmt"
	"strconv"
	"strings"
)

// statement is what a look at the text of an SQL statement tells, without SQLite.
type statement struct {
	folded     string   // comments left out, white space folded to one space; literals as they are
	words      []string // of the first statement: keywords and names in upper case, in order
	statements int      // that have any text
	parameters int      // how many arguments it needs
	named      string   // a named parameter, which is not supported
}

// parse reads the text as SQLite's tokenizer does: quotes, comments, parameters, words and the semicolons between
// statements. Text that SQLite will refuse is passed on to it.
func parse(text string) statement {
	var st statement
	var folded strings.Builder
	gap := false
	put := func(token string) {
		if gap && folded.Len() > 0 {
			folded.WriteByte(' ')
		}
		gap = false
		folded.WriteString(token)
	}
	inStatement, trigger := false, false
	for i := 0; i < len(text); {
		size := tokenSize(text[i:])
		token := text[i : i+size]
		i += size
		switch c := token[0]; {
		case isSpace(c), strings.HasPrefix(token, "--"), strings.HasPrefix(token, "/*"):
			gap = true
			continue
		case c == ';':
			put(token)
			// The body of a trigger has statements of its own.
			if !trigger {
				inStatement = false
			}
			continue
		}
		if !inStatement {
			inStatement = true
			st.statements++
		}
		put(token)
		switch c := token[0]; {
		case token == "?":
			st.parameters++
		case c == '?':
			if number, err := strconv.Atoi(token[1:]); err == nil {
				st.parameters = max(st.parameters, number)
			}
		case (c == ':' || c == '@' || c == '$') && len(token) > 1:
			if st.named == "" {
				st.named = token
			}
		case isWord(c) && st.statements == 1:
			st.words = append(st.words, strings.ToUpper(token))
			if token := st.words[len(st.words)-1]; token == "TRIGGER" && st.words[0] == "CREATE" && len(st.words) <= 3 {
				trigger = true
			}
		}
	}
	st.folded = folded.String()
	return st
}

// tokenSize returns the length of the first token of text, which is not empty.
func tokenSize(text string) int {
	switch c := text[0]; {
	case isSpace(c):
		n := 1
		for n < len(text) && isSpace(text[n]) {
			n++
		}
		return n
	case strings.HasPrefix(text, "--"):
		if n := strings.IndexByte(text, '\n'); n >= 0 {
			return n + 1
		}
		return len(text)
	case strings.HasPrefix(text, "/*"):
		if n := strings.Index(text[2:], "*/"); n >= 0 {
			return n + 4
		}
		return len(text)
	case c == '\'' || c == '"' || c == '`':
		for n := 1; n < len(text); n++ {
			if text[n] != c {
				continue
			}
			if n+1 < len(text) && text[n+1] == c {
				n++ // a doubled quote stands for itself
				continue
			}
			return n + 1
		}
		return len(text)
	case c == '[':
		if n := strings.IndexByte(text, ']'); n >= 0 {
			return n + 1
		}
		return len(text)
	case c == '?' || c == ':' || c == '@' || c == '$' || isWord(c):
		n := 1
		for n < len(text) && (isWord(text[n]) || text[n] >= '0' && text[n] <= '9' || text[n] == '$') {
			n++
		}
		return n
	case c >= '0' && c <= '9':
		n := 1
		for n < len(text) && (isWord(text[n]) || text[n] >= '0' && text[n] <= '9' || text[n] == '.') {
			n++
		}
		return n
	default:
		return 1
	}
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// keyword returns the statement's first word.
func (st statement) keyword() string {
	if len(st.words) == 0 {
		return ""
	}
	return st.words[0]
}

// changes reports whether SQLite's count of changed rows is this statement's. Others leave the count of an earlier one.
func (st statement) changes() bool {
	switch st.keyword() {
	case "INSERT", "UPDATE", "DELETE", "REPLACE":
		return true
	case "WITH":
		for _, word := range st.words {
			if word == "INSERT" || word == "UPDATE" || word == "DELETE" || word == "REPLACE" {
				return true
			}
		}
	}
	return false
}

// check refuses what would go wrong silently, or behind the log's back, with what to do instead.
func (st statement) check(arguments int) error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrStatement}, args...)...)
	}
	switch {
	case st.statements == 0:
		return refuse("it is empty")
	case st.statements > 1:
		return refuse("there are %d statements; run one statement a call", st.statements)
	case st.named != "":
		return refuse("the parameter %s has a name; write ? for each argument, in order", st.named)
	case st.parameters != arguments:
		return refuse("it has %d parameters (?) and the call passes %d arguments", st.parameters, arguments)
	}
	switch word := st.keyword(); word {
	case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE":
		return refuse("%s is not run as a statement; Immediate begins, commits and rolls back", word)
	case "ATTACH", "DETACH":
		return refuse("%s is not available; two databases are two handles", word)
	case "PRAGMA":
		if strings.Contains(st.folded, "=") {
			return refuse("a PRAGMA can be read, not set; the settings of a handle are fixed")
		}
		if strings.Contains(st.folded, "(") && !readingPragma(st.words) {
			return refuse("this PRAGMA takes no argument here; the settings of a handle are fixed")
		}
	}
	return nil
}

// readingPragma reports whether the argument of a PRAGMA says what to read and sets nothing.
func readingPragma(words []string) bool {
	if len(words) < 2 {
		return false
	}
	switch words[1] {
	case "TABLE_INFO", "TABLE_XINFO", "TABLE_LIST", "INDEX_LIST", "INDEX_INFO", "INDEX_XINFO", "FOREIGN_KEY_LIST",
		"FOREIGN_KEY_CHECK", "INTEGRITY_CHECK", "QUICK_CHECK":
		return true
	}
	return false
}
