package engine

import (
	"strings"

	"fieldbook/grader"
)

// Source is one file that is put into the copy of the runtime: it replaces the file of the same path, or is added.
type Source struct {
	// Path is the file's place in the module, "runtime/assistant/restore.go"; its folder is its package.
	Path string
	// Name is what messages call the file; empty means Path.
	Name string
	Text []byte
	// Learner files are held to the rules of a learner's file, and their faults are diagnostics. A fault in any other
	// file is an error of ours.
	Learner bool
	// Functions must be declared in the file, each with this exact type.
	Functions []FunctionSpec
}

// FunctionSpec is a function that a file must declare. Parameter names are free.
type FunctionSpec struct {
	Name      string
	Signature string // "func(ctx context.Context, db *database.Database, source string) error"
}

// Entry is the function at which a program starts: the probe's, or main.
type Entry struct {
	Package  string // import path
	Function string
}

// Rules are the rules that differ between kinds of program. They hold for learner files alone.
type Rules struct {
	// RefuseClock refuses the wall clock, timers and random numbers, and points to the injected clock.
	RefuseClock bool
	// RefuseInit refuses functions named init.
	RefuseInit bool
	// Main says that the program is one package main, started at its func main. Its package-level names are all its own.
	Main bool
}

// Program is what Prepare prepares: files to be installed in the copy, where to start, and the rules. Packages of the
// copy that nothing reaches from the entry or from Sources are left out.
type Program struct {
	Sources []Source
	Entry   Entry
	Rules   Rules
	// Build asks for the sources, checked, in place of lowered text: they are for the Go toolchain.
	Build bool
}

// Prepared is a program that was checked and lowered, ready for an interpreter in another process, or, where Copy is set,
// one that was checked and is to be built. It travels as JSON.
type Prepared struct {
	// First and Text are two Go files of package program that together declare the whole program, to be compiled in this
	// order. First is what the entry needs of files that no learner wrote: it does not change with a learner's file, so an
	// interpreter can have compiled it before the program comes. "" is none: Text is the whole program then.
	First string `json:"first,omitempty"`
	Text  string `json:"text"`
	// Start names the function that initialises all packages, Entry the one to call afterwards; both in package program.
	Start string `json:"start"`
	Entry string `json:"entry"`
	// Lines maps the lines of First, followed by those of Text, to the learner's.
	Lines LineMap `json:"lines"`
	// Digest identifies the program before lowering: SHA-256, in hexadecimal, of each file of each package that takes
	// part, in the order of their paths: path, a zero byte, the size as 8 bytes big-endian, the contents; then the
	// entry's package, a dot and its function.
	Digest string `json:"digest"`

	// Copy is the program as sources, when it was asked for; nothing but Digest is there beside it.
	Copy *Copy `json:"copy,omitempty"`
	// Binary is the file that the Go toolchain built of Copy, on this machine. Lines then lists the files of the copy.
	Binary string `json:"-"`
	// Other is the same program for the other engine, when both are to run it and must agree.
	Other *Prepared `json:"-"`
	// Note is one sentence for the reader, when there is something to say about the engine: why it is not the usual one.
	Note string `json:"-"`
}

// Engine names what runs the program, as reports do.
func (p *Prepared) Engine() string {
	if p.Other != nil {
		return Both
	}
	if p.Binary != "" || p.Copy != nil {
		return Toolchain
	}
	return Interpreted
}

// Names of the engines.
const (
	Interpreted = "yaegi"
	Toolchain   = "go"
	Both        = Interpreted + "+" + Toolchain
)

// OutcomeOf is the outcome that the diagnostics of Prepare mean. It is "" for none of them.
func OutcomeOf(diagnostics []grader.Diagnostic) grader.Outcome {
	if len(diagnostics) == 0 {
		return ""
	}
	if diagnostics[0].Code == CodeDisagree {
		return grader.EnginesDisagree
	}
	for _, d := range diagnostics {
		if !strings.HasPrefix(d.Code, CodeUnsupported+".") && d.Code != codeMore {
			return grader.CompileError
		}
	}
	return grader.Unsupported
}
