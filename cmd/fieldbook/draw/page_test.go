package draw_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/grader"
)

func TestMarkdown(t *testing.T) {
	source := strings.Join([]string{
		"# A title", "", "One *two* `three` [four](https://example.org/x) and a line", "that goes on.", "",
		"1. first item that is long enough to be wrapped", "2. second", "", "- bullet", "",
		"```go", "if err != nil {", "\treturn err", "}", "```", "", "> quoted", "", "<b>html</b>", "",
		"```", "a  table   as it stands", "```",
	}, "\n")
	want := []string{
		"A title", "", "One two three four", "(https://example.org/x) and a", "line that goes on.", "",
		"1. first item that is long", "   enough to be wrapped", "2. second", "", "• bullet", "",
		"  if err != nil {", "      return err", "  }", "", "│ quoted", "", "<b>html</b>", "", "  a  table   as it stands",
	}
	if diff := cmp.Diff(want, draw.Texts(draw.Theme{}.Markdown(source, 29), 29)); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdownDoesNotWrapCode(t *testing.T) {
	long := "a := " + strings.Repeat("x", 100)
	for _, line := range (draw.Theme{}).Markdown("text\n\n```go\n"+long+"\n```\n", 40) {
		if line.Code && line.Text != "  "+long {
			t.Errorf("the line of code became %q", line.Text)
		}
	}
}

// Colours add nothing to a page but colours, and no line of text is wider than asked.
func TestMarkdownProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			"# head", "word *strong* `code` end", "- item", "1. one", "", "> quote", "```go", "x := 1 // note", "```", "a b c d e f g h", "<i>", "\\*", "***", "[l](u)",
		})).Draw(t, "lines"), "\n")
		width := rapid.IntRange(12, 60).Draw(t, "width")
		plain, colour := draw.Theme{}.Markdown(source, width), draw.Colour().Markdown(source, width)
		if len(plain) != len(colour) {
			t.Fatalf("%d lines, coloured %d", len(plain), len(colour))
		}
		for i := range plain {
			if got := ansi.Strip(colour[i].Text); got != plain[i].Text {
				t.Fatalf("line %d is %q, coloured %q", i, plain[i].Text, got)
			}
			if !plain[i].Code && draw.Width(plain[i].Text) > width {
				t.Fatalf("line %d is wider than %d: %q", i, width, plain[i].Text)
			}
		}
	})
}

func TestGoKeepsTheSource(t *testing.T) {
	for name, source := range map[string]string{
		"Program":     "package x\n\n// note\nfunc f() string {\n\treturn `a\nb` + \"c\" /* d\ne */\n}",
		"Broken":      "func (",
		"NotGo":       "§ ¿ \x00",
		"Unfinished":  "x := \"open",
		"Empty":       "",
		"CarriageRet": "a\r\nb",
	} {
		t.Run(name, func(t *testing.T) {
			got := ansi.Strip(strings.Join(draw.Colour().Go(source), "\n"))
			lines := strings.Split(source, "\n")
			for i := range lines {
				lines[i] = draw.Tabs(lines[i])
			}
			if diff := cmp.Diff(strings.Join(lines, "\n"), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFrame(t *testing.T) {
	got := draw.Theme{}.Frame(24, 9, []draw.Row{
		{Height: 1, Panes: []draw.Pane{{Title: "Top", Lines: []string{"one", "cut off"}}}},
		{Panes: []draw.Pane{{Title: "Left", Width: 9, Lines: []string{"two"}}, {Title: "A long title here", Lines: []string{"a line that is too long"}}}},
		{Height: 1, Panes: []draw.Pane{{Lines: []string{"three"}}}},
	})
	want := []string{
		"┌─ Top ────────────────┐",
		"│ one                  │",
		"├─ Left ──┬─ A long … ─┤",
		"│ two     │ a line tha…│",
		"│         │            │",
		"│         │            │",
		"├─────────┴────────────┤",
		"│ three                │",
		"└──────────────────────┘",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A frame fills its rectangle whatever is in it.
func TestFrameIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(20, 120).Draw(t, "width"), rapid.IntRange(10, 40).Draw(t, "height")
		var rows []draw.Row
		for range rapid.IntRange(1, 3).Draw(t, "rows") {
			var panes []draw.Pane
			for range rapid.IntRange(1, 3).Draw(t, "panes") {
				panes = append(panes, draw.Pane{Title: rapid.StringMatching(`[a-z冰 ]{0,20}`).Draw(t, "title"),
					Lines: rapid.SliceOfN(rapid.StringMatching(`[a-z冰 ]{0,150}`), 0, 5).Draw(t, "lines")})
			}
			rows = append(rows, draw.Row{Panes: panes})
		}
		lines := draw.Colour().Frame(width, height, rows)
		if len(lines) != height {
			t.Fatalf("%d lines, want %d", len(lines), height)
		}
		for _, line := range lines {
			if draw.Width(line) != width {
				t.Fatalf("%q is %d wide, want %d", ansi.Strip(line), draw.Width(line), width)
			}
		}
	})
}

func TestEdit(t *testing.T) {
	source := "one\n\tif a {\n\t\tpaused = 1\n\t}\nend\n"
	got := draw.Theme{}.Edit(source, draw.Change{Line: 3, Column: 12, Before: []string{"\t\tpaused = 1"}, After: []string{"\t\tpaused = 0"}, What: "one literal"}, 60)
	want := []string{
		"       1  one",
		"       2      if a {",
		"  -    3          paused = 1",
		"  +    3          paused = 0",
		"                           ^ one literal",
		"       4      }",
		"       5  end",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDiagnosticsShowControlCharactersAsDots(t *testing.T) {
	d := grader.Diagnostic{File: "a.go", Line: 1, Column: 3, Message: "wrong", Excerpt: "x \x1b[31my"}
	text := strings.Join(draw.Theme{}.Diagnostics([]grader.Diagnostic{d}, 60), "\n")
	if strings.Contains(text, "\x1b") {
		t.Errorf("an escape of the source reached the terminal: %q", text)
	}
}

func TestDiagnosticsFollowTheCaret(t *testing.T) {
	excerpt := strings.Repeat("x", 200) + " sorce"
	d := grader.Diagnostic{File: "a.go", Line: 7, Column: 202, End: 207, Message: "undefined: sorce", Excerpt: excerpt}
	lines := draw.Theme{}.Diagnostics([]grader.Diagnostic{d}, 60)
	var code, caret string
	for i, line := range lines {
		if strings.Contains(line, "^") {
			code, caret = lines[i-1], line
		}
	}
	at := strings.Index(caret, "^^^^^")
	if at < 0 || !strings.HasPrefix(code[at:], "sorce") {
		t.Errorf("the caret does not stand under the word:\n%s\n%s", code, caret)
	}
}
