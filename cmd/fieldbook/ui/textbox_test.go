package ui

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTextBox(t *testing.T) {
	for name, c := range map[string]struct {
		keys []string
		want string
	}{
		"Types":         {[]string{"a", "b"}, "ab"},
		"Backspace":     {[]string{"a", "b", "backspace"}, "a"},
		"BackspaceAt0":  {[]string{"backspace", "a"}, "a"},
		"InTheMiddle":   {[]string{"a", "c", "left", "b"}, "abc"},
		"Delete":        {[]string{"a", "b", "home", "delete"}, "b"},
		"Lines":         {[]string{"a", "enter", "b"}, "a\nb"},
		"UpKeepsColumn": {[]string{"a", "b", "enter", "c", "d", "up", "x"}, "abx\ncd"},
		"UpToShortLine": {[]string{"a", "enter", "c", "d", "up", "x"}, "ax\ncd"},
		"Down":          {[]string{"a", "enter", "b", "home", "up", "down", "x"}, "a\nxb"},
		"Word":          {[]string{"a", " ", "b", "c", "ctrl+w", "d"}, "a d"},
		"End":           {[]string{"a", "b", "home", "end", "c"}, "abc"},
	} {
		t.Run(name, func(t *testing.T) {
			var b textBox
			for _, k := range c.keys {
				if !b.press(k) {
					b.insert(k)
				}
			}
			if diff := cmp.Diff(c.want, b.value()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTextBoxDropsWhatIsNoText(t *testing.T) {
	var b textBox
	b.insert("a\x1b[31m\r\nb\x07")
	if b.value() != "a[31m\nb" {
		t.Errorf("the box holds %q", b.value())
	}
}

// Whatever is pressed, the cursor stays in the text.
func TestTextBoxCursor(t *testing.T) {
	known := []string{"a", "é", "冰", "enter", "backspace", "delete", "left", "right", "home", "end", "up", "down", "ctrl+w"}
	rapid.Check(t, func(t *rapid.T) {
		var b textBox
		for _, k := range rapid.SliceOf(rapid.SampledFrom(known)).Draw(t, "keys") {
			if !b.press(k) {
				b.insert(k)
			}
			if b.cursor < 0 || b.cursor > len(b.text) {
				t.Fatalf("the cursor is at %d of %d", b.cursor, len(b.text))
			}
		}
		b.lines(10, true)
	})
}
