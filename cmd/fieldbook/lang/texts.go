package lang

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Texts are the texts of the interface in one language. Where a text is written in the program it is written in English, as a
// format of package fmt, and that is its key: a catalogue has the same text in another language, with the same verbs.
// A text that a catalogue lacks stays English. The zero value is English.
type Texts struct {
	language Language
	messages map[string]string
	built    *templates
}

// catalogues has a folder for each language but English, with one file for each part of the program.
//
//go:embed pt-BR/*.po
var catalogues embed.FS

// TextsIn returns the texts of a language. The catalogues are part of the program: one that cannot be read is a mistake of the
// build, which the package's tests refuse.
func TextsIn(l Language) Texts {
	t := Texts{language: l}
	if l == English {
		return t
	}
	messages, err := read(catalogues, string(l))
	if err != nil {
		panic(fmt.Sprintf("lang: %v", err))
	}
	t.messages, t.built = messages, &templates{messages: messages}
	return t
}

// read reads the catalogue of a language, whose parts lie in one folder.
func read(files fs.FS, folder string) (map[string]string, error) {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return nil, err
	}
	messages := map[string]string{}
	for _, e := range entries {
		name := path.Join(folder, e.Name())
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		list, err := parsePO(name, string(text))
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			if _, there := messages[m.id]; there {
				return nil, fmt.Errorf("%s:%d: the text %q is there twice", name, m.line, m.id)
			}
			messages[m.id] = m.text
		}
	}
	return messages, nil
}

// Language is the language of the texts.
func (t Texts) Language() Language {
	if t.language == "" {
		return English
	}
	return t.language
}

// Format is the text for an English format.
func (t Texts) Format(english string) string {
	if text, there := t.messages[english]; there {
		return text
	}
	return english
}

// Say formats a text: Sprintf of the format in this language.
func (t Texts) Say(english string, args ...any) string {
	if len(args) == 0 {
		return strings.ReplaceAll(t.Format(english), "%%", "%")
	}
	return fmt.Sprintf(t.Format(english), args...)
}

// Message is the text for a sentence that was formatted where it arose, as the messages of errors are: packages that know no
// language have them. It is found by the format that gives the sentence; what was filled in is filled in again.
func (t Texts) Message(english string) string {
	if t.messages == nil || english == "" {
		return english
	}
	if text, there := t.messages[english]; there {
		return text
	}
	return t.built.translate(english)
}

// Key marks an English text, or format, that is shown later by Format or Message: the catalogue has it. It returns it as it is.
func Key(english string) string { return english }
