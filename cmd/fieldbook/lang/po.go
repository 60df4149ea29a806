package lang

import (
	"fmt"
	"strconv"
	"strings"
)

// message is one entry of a catalogue.
type message struct {
	id, text string
	line     int // of its msgid
}

// parsePO reads a catalogue in the format of gettext, as far as the course uses it: comments, and entries of one msgid and one
// msgstr, each a string or several below one another. Anything else is refused with its line.
func parsePO(name, text string) ([]message, error) {
	var list []message
	var into *string
	for number, line := range strings.Split(text, "\n") {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %s", name, number+1, fmt.Sprintf(format, args...))
		}
		line = strings.TrimSpace(line)
		keyword, quoted, _ := strings.Cut(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			into = nil
			continue
		case keyword == "msgid":
			if len(list) > 0 && list[len(list)-1].text == "" {
				return nil, fail("the entry before has no msgstr")
			}
			list = append(list, message{line: number + 1})
			into = &list[len(list)-1].id
		case keyword == "msgstr":
			if len(list) == 0 || list[len(list)-1].text != "" || list[len(list)-1].id == "" {
				return nil, fail("a msgstr without a msgid before it")
			}
			into = &list[len(list)-1].text
		case strings.HasPrefix(line, `"`) && into != nil:
			quoted = line
		default:
			return nil, fail("this is no entry: %s", line)
		}
		part, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fail("this is no string: %s", quoted)
		}
		*into += part
	}
	if len(list) > 0 && list[len(list)-1].text == "" {
		return nil, fmt.Errorf("%s: the last entry has no msgstr", name)
	}
	return list, nil
}
