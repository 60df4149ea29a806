package recovery_test

import (
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	teaching "fieldbook/runtime"
)

// TestNoNetwork holds that a run can make no network call and start no program: no package that could is imported by this
// package, by the notebook, or by what the notebook imports of ours. Of the family net there is url alone, which parses.
func TestNoNetwork(t *testing.T) {
	looked := map[string]bool{}
	for _, file := range append(teaching.CopiedFiles(), teaching.SuppliedFiles()...) {
		folder, _, _ := strings.Cut(strings.TrimPrefix(file, "runtime/"), "/")
		switch folder {
		case "recovery", "fieldnotes", "files", "operation":
			looked[folder] = true
		default:
			continue
		}
		text, err := teaching.Source(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if path != "net/url" && (path == "net" || strings.HasPrefix(path, "net/") || strings.HasPrefix(path, "os/") || path == "plugin") {
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
	if len(looked) != 4 {
		t.Errorf("only %v were looked at", looked)
	}
}
