package task

import (
	"context"
	"errors"
	"fmt"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/engine/toolchain"
)

// Choice says which engine runs a learner's code.
type Choice string

// The choices.
const (
	Auto        Choice = "auto"             // the interpreter, and Go for what it would run wrong
	Interpreter Choice = engine.Interpreted // the interpreter alone
	Go          Choice = engine.Toolchain   // the Go toolchain alone
)

// Choices are all of them, the usual one first.
func Choices() []Choice { return []Choice{Auto, Interpreter, Go} }

// Engines say how learner code is run besides by the interpreter. The zero Engines are the interpreter alone.
type Engines struct {
	Choice    Choice               // "" is Interpreter
	Toolchain *toolchain.Toolchain // nil where nothing is ever built
	Referee   bool                 // both engines run everything that both can run, and must agree
}

// prepare checks a program and makes it ready to run, by the engine that is chosen. Both engines are held to the same
// checks: a package that is not offered is refused whichever is chosen, and never a reason to choose the other.
func (o Options) prepare(ctx context.Context, p engine.Program) (*engine.Prepared, []grader.Diagnostic, error) {
	if o.Choice == Go && !o.Referee {
		return o.build(ctx, p)
	}
	interpreted, found, err := o.Engine.Prepare(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	switch unsupported := engine.OutcomeOf(found) == grader.Unsupported; {
	case len(found) > 0 && !unsupported, unsupported && o.Choice != Auto && o.Choice != Go:
		return nil, found, nil
	case unsupported:
		return o.instead(ctx, p, found)
	case !o.Referee:
		return interpreted, nil, nil
	}
	built, found, err := o.build(ctx, p)
	if err != nil || built == nil {
		return nil, found, err
	}
	if o.Choice == Go {
		interpreted, built = built, interpreted
	}
	interpreted.Other = built
	return interpreted, nil, nil
}

// build prepares a program for the Go toolchain. What the compiler has against it, and our checker has not, are diagnostics
// of code engine.CodeDisagree.
func (o Options) build(ctx context.Context, p engine.Program) (*engine.Prepared, []grader.Diagnostic, error) {
	if o.Toolchain == nil {
		return nil, nil, errors.New("there is no toolchain to build with")
	}
	if err := o.Toolchain.Ready(ctx); err != nil {
		return nil, nil, err
	}
	p.Build = true
	sources, found, err := o.Engine.Prepare(ctx, p)
	if err != nil || len(found) > 0 {
		return nil, found, err
	}
	built, err := o.Toolchain.Build(ctx, sources)
	if refused, ok := errors.AsType[*toolchain.CompileError](err); ok {
		return nil, refused.Diagnostics, nil
	}
	return built, nil, err
}

// instead builds a program that the interpreter would run wrong. Where nothing can be built, the program stays
// unsupported, and the last of the diagnostics says what was missing.
func (o Options) instead(ctx context.Context, p engine.Program, refused []grader.Diagnostic) (*engine.Prepared, []grader.Diagnostic, error) {
	built, found, err := o.build(ctx, p)
	if built != nil {
		built.Note = fmt.Sprintf("The interpreter would run this wrong (%s), so the Go toolchain ran it.", refused[0])
		if o.Referee {
			built.Note += " The engines could not be compared."
		}
		return built, nil, nil
	}
	failed := (*grader.Error)(nil)
	if errors.As(err, &failed) && o.Choice == Auto && !o.Referee {
		return nil, append(refused, grader.Diagnostic{
			Code: engine.CodeUnsupported + "." + failed.Code, File: refused[0].File,
			Message: "the Go toolchain would run this, and cannot here: " + failed.Message, Hint: failed.Hint,
		}), nil
	}
	return nil, found, err
}
