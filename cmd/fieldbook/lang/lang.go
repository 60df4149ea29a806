// Package lang says in which language a student reads, the one asked for, else the one of their environment, and has the texts
// of the interface in it. A text is written in English where it is shown, as a format of package fmt; that is its key in the
// catalogues of pt-BR/, which are in gettext's format. Sentences that packages without a language form, errors above all, are
// found by the format that gives them. To add a text, use Say or Key and add an entry: a test holds that the catalogue has every
// text that the program shows, and no other. The units' own texts lie with the units. It runs in the parent and imports only the
// graders' error.
package lang

import (
	"fmt"
	"strings"

	"fieldbook/grader"
)

// Language is a language of the course, as its tag.
type Language string

// The languages.
const (
	English    Language = "en"
	Portuguese Language = "pt-BR"
)

// Choose returns the language that a flag asks for. Without one it is the environment's, by the variables of POSIX in
// their order, and English where that is none of ours. A flag that names no language of the course is refused.
func Choose(flag string, getenv func(string) string) (Language, error) {
	if flag != "" {
		if l, ok := parse(flag); ok {
			return l, nil
		}
		return "", &grader.Error{
			Code:    "unknown_language",
			Message: fmt.Sprintf("--lang=%s is not known", flag),
			Hint:    "The languages are en, English, and pt-BR, Brazilian Portuguese.",
			Exit:    grader.ExitUsage,
		}
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := getenv(name); value != "" {
			if l, ok := parse(value); ok {
				return l, nil
			}
			return English, nil // the first that is set decides
		}
	}
	return English, nil
}

// Missing says, in l, that a text exists in another language only; "" when it is in l.
func (l Language) Missing(is string) string {
	if string(l) == is || l == "" {
		return ""
	}
	if l == Portuguese {
		return "Esta unidade existe somente em inglês."
	}
	return "This unit exists in another language only: " + is + "."
}

// parse reads a tag or the name of a locale: "pt-BR", "pt_BR.UTF-8", "pt", "en_GB". There is one Portuguese.
func parse(text string) (Language, bool) {
	name, _, _ := strings.Cut(text, ".")
	name, _, _ = strings.Cut(name, "@")
	base, _, _ := strings.Cut(strings.ReplaceAll(name, "_", "-"), "-")
	switch strings.ToLower(base) {
	case "en":
		return English, true
	case "pt":
		return Portuguese, true
	}
	return "", false
}
