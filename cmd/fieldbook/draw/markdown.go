package draw

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Line is one line of a page. Code is never wrapped, so it can be wider than the page; a reader scrolls it sideways.
type Line struct {
	Text string
	Code bool
}

// Texts are the texts of lines, cut to width.
func Texts(lines []Line, width int) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = Cut(l.Text, width)
	}
	return out
}

// Markdown renders a page for a width. The parts of CommonMark that the course uses are drawn; anything else appears as
// its own source, so that no text is ever lost.
func (t Theme) Markdown(source string, width int) []Line {
	src := []byte(source)
	root := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	).Parse(text.NewReader(src))
	p := page{theme: t, source: src}
	p.blocks(root, width)
	for len(p.lines) > 0 && p.lines[len(p.lines)-1].Text == "" {
		p.lines = p.lines[:len(p.lines)-1]
	}
	return p.lines
}

// codeIndent sets code apart from the text around it.
const codeIndent = 2

type page struct {
	theme  Theme
	source []byte
	lines  []Line
}

// blocks draws the children of n, each followed by an empty line.
func (p *page) blocks(n ast.Node, width int) {
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		p.block(child, width)
		if len(p.lines) > 0 && p.lines[len(p.lines)-1].Text != "" {
			p.lines = append(p.lines, Line{})
		}
	}
}

func (p *page) block(n ast.Node, width int) {
	switch n := n.(type) {
	case *ast.Heading:
		p.text(p.theme.Title.On(p.plain(n)), width)
	case *ast.Paragraph, *ast.TextBlock:
		p.text(p.inline(n), width)
	case *ast.FencedCodeBlock:
		p.code(p.raw(n), string(n.Language(p.source)))
	case *ast.CodeBlock:
		p.code(p.raw(n), "")
	case *ast.List:
		p.list(n, width)
	case *ast.Blockquote:
		p.indented(p.theme.Faint.On("│ "), p.theme.Faint.On("│ "), n, width)
	case *ast.ThematicBreak:
		p.text(p.theme.Faint.On(strings.Repeat("─", max(width, 0))), width)
	default:
		p.text(p.raw(n), width)
	}
}

func (p *page) text(text string, width int) {
	for _, paragraph := range strings.Split(text, "\n") {
		for _, line := range Wrap(paragraph, width) {
			p.lines = append(p.lines, Line{Text: line})
		}
	}
}

func (p *page) code(source, language string) {
	lines := strings.Split(strings.TrimRight(source, "\n"), "\n")
	if language == "go" {
		lines = p.theme.Go(source)
	}
	for _, line := range lines {
		p.lines = append(p.lines, Line{Text: Spaces(codeIndent) + Tabs(line), Code: true})
	}
}

func (p *page) list(n *ast.List, width int) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "• "
		if n.IsOrdered() {
			marker = fmt.Sprintf("%d. ", number)
			number++
		}
		p.indented(p.theme.Accent.On(marker), Spaces(Width(marker)), item, width)
		if !n.IsTight && item.NextSibling() != nil {
			p.lines = append(p.lines, Line{})
		}
	}
}

// indented draws the blocks of n behind first on the first line and rest on the others.
func (p *page) indented(first, rest string, n ast.Node, width int) {
	inner := page{theme: p.theme, source: p.source}
	inner.blocks(n, width-Width(first))
	for len(inner.lines) > 0 && inner.lines[len(inner.lines)-1].Text == "" {
		inner.lines = inner.lines[:len(inner.lines)-1]
	}
	for i, line := range inner.lines {
		prefix := rest
		if i == 0 {
			prefix = first
		}
		p.lines = append(p.lines, Line{Text: strings.TrimRight(prefix+line.Text, " "), Code: line.Code})
	}
}

// inline is the styled text of a paragraph.
func (p *page) inline(n ast.Node) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		b.WriteString(p.span(child))
	}
	return b.String()
}

func (p *page) span(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Text:
		s := string(util.UnescapePunctuations(n.Segment.Value(p.source)))
		switch {
		case n.HardLineBreak():
			return s + "\n"
		case n.SoftLineBreak():
			return s + " "
		}
		return s
	case *ast.CodeSpan:
		return p.theme.Accent.On(p.plain(n))
	case *ast.Emphasis:
		return p.theme.Strong.On(p.plain(n))
	case *ast.Link:
		label, target := p.plain(n), string(n.Destination)
		if label == target {
			return p.theme.Accent.On(target)
		}
		return label + " (" + p.theme.Accent.On(target) + ")"
	case *ast.AutoLink:
		return p.theme.Accent.On(string(n.URL(p.source)))
	case *ast.RawHTML:
		return p.html(n)
	default:
		return p.plain(n)
	}
}

// html is a tag as it stands: it means nothing here, and no text is to be lost.
func (p *page) html(n *ast.RawHTML) string {
	var b strings.Builder
	for i := range n.Segments.Len() {
		segment := n.Segments.At(i)
		b.Write(segment.Value(p.source))
	}
	return b.String()
}

// plain is the text of a node without styles.
func (p *page) plain(n ast.Node) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		switch child := child.(type) {
		case *ast.Text:
			value := child.Segment.Value(p.source)
			if _, code := n.(*ast.CodeSpan); !code {
				value = util.UnescapePunctuations(value)
			}
			b.Write(value)
			if child.SoftLineBreak() || child.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.RawHTML:
			b.WriteString(p.html(child))
		default:
			b.WriteString(p.plain(child))
		}
	}
	return b.String()
}

// raw is the source of a block as it stands.
func (p *page) raw(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		b.Write(segment.Value(p.source))
	}
	return b.String()
}
