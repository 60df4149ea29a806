// Package voice holds an author's texts to the mechanical half of the course's voice: sentences that can be read in one
// breath, no word that talks down to the reader, no exclamation. It looks at text alone, runs in the instructor's programs and
// in tests, and imports nothing of ours.
package voice

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxSentence is the most words that a sentence may have.
const MaxSentence = 25

// banned are words that tell the reader how to feel about the matter.
const banned = `(?i)\b(simply|just|of course|obviously|easy|easily|trivial|great|congratulations|well done)\b|!(\s|$)`

// Lint returns what is wrong with a text, one sentence a complaint. Code, fenced or between backquotes, is left alone.
func Lint(text string) []string {
	var found []string
	if !utf8.ValidString(text) {
		return []string{"the text is not UTF-8"}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
		found = append(found, "a tab, a carriage return or another control character stands in the text")
	}
	prose := withoutCode(text)
	for _, word := range regexp.MustCompile(banned).FindAllString(prose, -1) {
		found = append(found, fmt.Sprintf("the text says %q", strings.TrimSpace(word)))
	}
	for _, sentence := range Sentences(prose) {
		if n := len(strings.Fields(sentence)); n > MaxSentence {
			found = append(found, fmt.Sprintf("a sentence has %d words, and at most %d can be read in one breath: %s", n, MaxSentence, start(sentence)))
		}
	}
	return found
}

// start is the beginning of a sentence, enough to find it by.
func start(sentence string) string {
	const most = 8
	words := strings.Fields(sentence)
	if len(words) > most {
		return strings.Join(words[:most], " ") + " …"
	}
	return sentence
}

// withoutCode replaces code by one word each, so that the sentence around it stays one.
func withoutCode(text string) string {
	text = regexp.MustCompile("(?s)```.*?(```|$)").ReplaceAllString(text, "\n\n")
	return regexp.MustCompile("`[^`\n]*`").ReplaceAllString(text, "code")
}

// Sentences splits prose at full stops, question marks, colons and semicolons that a space follows. A paragraph, a heading
// and an item of a list end a sentence too.
func Sentences(prose string) []string {
	var list []string
	for _, paragraph := range regexp.MustCompile(`\n[ \t]*\n`).Split(prose, -1) {
		for _, item := range regexp.MustCompile(`(?m)^(?:#+|-|\d+\.) `).Split(paragraph, -1) {
			words := strings.Fields(item)
			begun := 0
			for i, word := range words {
				if strings.ContainsRune(".?;:", rune(word[len(word)-1])) {
					list = append(list, strings.Join(words[begun:i+1], " "))
					begun = i + 1
				}
			}
			if begun < len(words) {
				list = append(list, strings.Join(words[begun:], " "))
			}
		}
	}
	return list
}
