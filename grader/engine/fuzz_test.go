package engine_test

import (
	"context"
	"testing"

	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

// Whatever bytes a learner's file holds, Prepare answers: with diagnostics, with a program, or with none of both and an
// error that is not a panic of the engine.
func FuzzPrepare(f *testing.F) {
	f.Add([]byte(head + signature + "\n\treturn nil\n}\n"))
	f.Add([]byte("package assistant\n//line x:1\nfunc Restore[T any]() {}"))
	f.Add([]byte("\xef\xbb\xbfpackage assistant\r\nconst a = \"x\" + a\r\n"))
	f.Add([]byte(head + signature + "\n\tfor i := range 3 {\n\t\tdefer func() { _ = i }()\n\t}\n\treturn db.Integrity(ctx)\n}\n"))
	f.Add([]byte("package assistant\ntype T struct{ T }\nvar _ = T{}.x\nfunc Restore() { L: goto L }"))
	source, err := teaching.Source("runtime/assistant/restore.go")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(source)
	e := engine.New(teaching.Tree())
	f.Fuzz(func(t *testing.T, text []byte) {
		prepared, found, err := e.Prepare(context.Background(), restoreProgram(string(text)))
		switch {
		case err != nil:
			t.Fatalf("a learner's file gave an error of ours: %v", err)
		case (prepared == nil) == (len(found) == 0):
			t.Fatalf("neither a program nor a diagnostic, or both: %v", found)
		}
		for _, d := range found {
			if d.Message == "" || d.Code == "" || d.File == "" {
				t.Errorf("an empty message: %+v", d)
			}
			_ = d.Caret()
		}
	})
}
