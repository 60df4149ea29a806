package draw_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fieldbook/cmd/fieldbook/draw"
)

func TestWrap(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		width int
		want  []string
	}{
		"Empty":       {"", 10, []string{""}},
		"Fits":        {"one two", 7, []string{"one two"}},
		"OneTooMuch":  {"one two", 6, []string{"one", "two"}},
		"Lines":       {"one\n\ntwo", 10, []string{"one", "", "two"}},
		"Hyphens":     {"/tmp/a-b/c-d e", 13, []string{"/tmp/a-b/c-d", "e"}},
		"LongWord":    {"abcdefgh", 3, []string{"abc", "def", "gh"}},
		"LongWordAt2": {"x abcdefgh", 4, []string{"x", "abcd", "efgh"}},
		"Wide":        {"冰淇淋 店", 6, []string{"冰淇淋", "店"}},
		"NoRoom":      {"one", 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, draw.Wrap(c.text, c.width)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFlowKeepsWordsWhole(t *testing.T) {
	want := []string{"see", "/a/long/path/to/read", "now"}
	if diff := cmp.Diff(want, draw.Flow("see /a/long/path/to/read now", 8)); diff != "" {
		t.Error(diff)
	}
}

func TestWrapEndsStylesWithTheLine(t *testing.T) {
	text := "plain " + draw.Colour().Differ.On("one two three") + " end"
	for _, line := range draw.Wrap(text, 9) {
		if strings.Contains(line, "\x1b[") && !strings.HasSuffix(line, "\x1b[m") && !strings.Contains(line, "\x1b[m ") {
			t.Errorf("a style goes on after the line %q", line)
		}
	}
	lines := draw.Wrap(text, 9)
	if got := ansi.Strip(strings.Join(lines, "|")); got != "plain one|two three|end" {
		t.Errorf("wrapped to %q", got)
	}
	if !strings.HasPrefix(lines[1], "\x1b[") {
		t.Errorf("the style does not go on in the second line: %q", lines[1])
	}
}

// Whatever the text, no line is wider than asked, and nothing but spaces is lost.
func TestWrapProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-z冰é-]{1,12}`)).Draw(t, "words")
		width := rapid.IntRange(2, 30).Draw(t, "width")
		text := strings.Join(words, " ")
		lines := draw.Wrap(text, width)
		for _, line := range lines {
			if draw.Width(line) > width {
				t.Fatalf("%q is wider than %d", line, width)
			}
		}
		if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != strings.ReplaceAll(text, " ", "") {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func TestFitIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z冰é🍦 ]{0,20}`).Draw(t, "text")
		width := rapid.IntRange(0, 30).Draw(t, "width")
		if got := draw.Width(draw.Fit(draw.Colour().Pass.On(text), width)); got != width {
			t.Fatalf("Fit(%q, %d) is %d wide", text, width, got)
		}
	})
}

func TestTabs(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"\ta", "    a"}, {"ab\tc", "ab  c"}, {"abcd\te", "abcd    e"}, {"冰\tx", "冰  x"}, {"none", "none"},
	} {
		if got := draw.Tabs(c.in); got != c.want {
			t.Errorf("Tabs(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestHang(t *testing.T) {
	want := []string{"- one two", "  three"}
	if diff := cmp.Diff(want, draw.Hang("- ", "one two three", 9)); diff != "" {
		t.Error(diff)
	}
}

func TestColumns(t *testing.T) {
	want := []string{"a    bbb  c", "aaa  b    c…"}
	if diff := cmp.Diff(want, draw.Columns([][]string{{"a", "bbb", "c"}, {"aaa", "b", "cccccc"}}, 2, 12)); diff != "" {
		t.Error(diff)
	}
}
