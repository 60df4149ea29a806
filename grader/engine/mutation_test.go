package engine_test

import (
	"context"
	"flag"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

var mutations = flag.Int("mutations", 400, "how many mutated files TestMutatedTokens prepares")

// Files that are almost right reach further than random bytes: single tokens of real files are deleted, doubled, swapped
// or replaced by others. Whatever comes of it, an error of ours is a fault of ours.
func TestMutatedTokens(t *testing.T) {
	source, err := teaching.Source("runtime/assistant/restore.go")
	if err != nil {
		t.Fatal(err)
	}
	programs := []engine.Program{restoreProgram(string(source))}
	cases, err := filepath.Glob("testdata/conformance/cases/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range cases {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, mainProgram(string(text)))
	}
	e := engine.New(teaching.Tree())
	random := rand.New(rand.NewPCG(1, 2))
	prepared := 0
	for range *mutations {
		program := programs[random.IntN(len(programs))]
		program.Sources = append([]engine.Source{}, program.Sources...)
		text := mutate(random, program.Sources[0].Text)
		program.Sources[0].Text = text
		p, _, err := e.Prepare(context.Background(), program)
		if err != nil {
			t.Errorf("an error of ours: %v\n%s", err, text)
		}
		if p != nil {
			prepared++
		}
	}
	t.Logf("%d of %d mutated files are still programs", prepared, *mutations)
}

func mutate(random *rand.Rand, text []byte) []byte {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	type span struct{ start, end int }
	var tokens []span
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		if literal == "" {
			literal = tok.String()
		}
		start := file.Offset(pos)
		tokens = append(tokens, span{start, start + len(literal)})
	}
	at, other := tokens[random.IntN(len(tokens))], tokens[random.IntN(len(tokens))]
	before, own, after := string(text[:at.start]), string(text[at.start:at.end]), string(text[at.end:])
	replacement := string(text[other.start:other.end])
	switch random.IntN(4) {
	case 0:
		return []byte(before + after)
	case 1:
		return []byte(before + own + " " + own + after)
	case 2:
		return []byte(before + replacement + after)
	default:
		return []byte(before + own + " " + replacement + after)
	}
}
