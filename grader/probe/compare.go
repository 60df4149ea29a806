package probe

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/runtime/world"
)

// Compare sets each expected field beside what was observed. A field that names an artifact is read from what the run left:
// there the artifact wins over the observation. agrees is true when every field does and the observation has no field
// besides; an empty expectation agrees with nothing.
func Compare(ctx context.Context, reader *Reader, want []exercises.Expectation, observation world.Observation) (fields []grader.Field, agrees bool, err error) {
	agrees = len(want) > 0
	unexpected := observation.Fields()
	for _, e := range want {
		delete(unexpected, e.Field)
		field := grader.Field{Name: e.Field, Expected: e.Expected, Observed: observation.Value(e.Field), From: e.From}
		if e.Artifact != "" {
			if field.Observed, err = readField(ctx, reader, e); err != nil {
				return nil, false, err
			}
		}
		field.Agrees = field.Expected.Equal(field.Observed)
		agrees = agrees && field.Agrees
		fields = append(fields, field)
	}
	names := make([]string, 0, len(unexpected))
	for name := range unexpected {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		agrees = false
		fields = append(fields, grader.Field{Name: name, Observed: unexpected[name], From: "the observation; no such field is expected"})
	}
	return fields, agrees, nil
}

// readField runs the expectation's query. An artifact that is missing or cannot be read is Absent: the run left it so, and the
// field differs. Only an ended context is an error.
func readField(ctx context.Context, r *Reader, e exercises.Expectation) (world.Value, error) {
	value, err := r.Value(ctx, e.Artifact, e.Query, e.Expected.Kind())
	if unreadable := (*UnreadableError)(nil); errors.As(err, &unreadable) {
		return world.Value{}, nil
	}
	if err != nil {
		return world.Value{}, fmt.Errorf("read %s: %w", e.Field, err)
	}
	return value, nil
}
