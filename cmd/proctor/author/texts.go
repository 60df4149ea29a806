package author

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/exercises/voice"
)

// textKeys are the keys of authors' files under which prose stands.
var textKeys = [...]string{"title", "summary", "text", "meaning", "holds", "consequence", "reason"}

// lintTexts holds the prose in an author's file to the voice. A line that is still to be written is left alone.
func lintTexts(i *Item, f file, markers map[string]bool) {
	if path.Ext(f.name) != ".yaml" {
		return
	}
	var root yaml.Node
	if yaml.Unmarshal(f.text, &root) != nil {
		return // the readers say what is wrong with it
	}
	lintNode(&root, false, func(n *yaml.Node) {
		if markers[fmt.Sprintf("%s:%d", f.name, n.Line)] {
			return
		}
		for _, complaint := range voice.Lint(strings.TrimSpace(n.Value)) {
			i.complain(f.name, n.Line, "%s", complaint)
		}
	})
}

// lintNode visits every text that stands under one of the text keys.
func lintNode(n *yaml.Node, prose bool, lint func(*yaml.Node)) {
	switch n.Kind {
	case yaml.ScalarNode:
		if prose && n.ShortTag() == "!!str" {
			lint(n)
		}
	case yaml.MappingNode:
		for k := 0; k+1 < len(n.Content); k += 2 {
			lintNode(n.Content[k+1], slices.Contains(textKeys[:], n.Content[k].Value), lint)
		}
	default:
		for _, child := range n.Content {
			lintNode(child, prose, lint)
		}
	}
}
