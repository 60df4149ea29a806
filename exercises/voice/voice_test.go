package voice_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fieldbook/exercises/voice"
)

func TestLint(t *testing.T) {
	long := strings.Repeat("word ", voice.MaxSentence)
	for name, test := range map[string]struct{ text, want string }{
		"Plain":                 {"The copy replaces every page. Which page holds the 1?", ""},
		"ExactlyEnough":         {strings.TrimSpace(long) + ".", ""},
		"OneWordTooMany":        {long + "more.", "a sentence has 26 words"},
		"SplitByAColon":         {strings.TrimSpace(long) + ": " + long, ""},
		"SplitByAParagraph":     {long + "\n\n" + long, ""},
		"AListItemEndsIt":       {"- " + long + "\n- " + long, ""},
		"ANumberEndsNothing":    {"version 1.5 and " + strings.Repeat("word ", voice.MaxSentence), "a sentence has 28 words"},
		"Banned":                {"You simply copy it.", `the text says "simply"`},
		"BannedInOtherCase":     {"Just copy it.", `the text says "Just"`},
		"PartOfAWord":           {"An adjustment.", ""},
		"Exclamation":           {"It works!", `the text says "!"`},
		"NotEqualIsNoShout":     {"a `!=` b, and `just` in code", ""},
		"FencedCodeIsLeftAlone": {"Before.\n\n```go\n" + long + "just!\n```\n\nAfter.", ""},
		"Tab":                   {"a\tb", "a tab"},
		"CarriageReturn":        {"a\r\nb", "a tab, a carriage return"},
		"NotUTF8":               {"\xff", "not UTF-8"},
		"Empty":                 {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			found := voice.Lint(test.text)
			if test.want == "" && len(found) > 0 {
				t.Errorf("complaints: %q", found)
			}
			if test.want != "" && !slices.ContainsFunc(found, func(c string) bool { return strings.Contains(c, test.want) }) {
				t.Errorf("complaints %q; want one with %q", found, test.want)
			}
		})
	}
}

func FuzzLint(f *testing.F) {
	f.Add("It works! `code` and ```go\nmore")
	f.Add("1. one\n- two:\n\n#three.")
	f.Fuzz(func(t *testing.T, text string) {
		for _, complaint := range voice.Lint(text) {
			if complaint == "" || utf8.ValidString(text) && !utf8.ValidString(complaint) {
				t.Errorf("complaint %q", complaint)
			}
		}
	})
}
