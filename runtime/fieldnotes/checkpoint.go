package fieldnotes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fieldbook/runtime/files"
)

// Phase says how far a run has come.
type Phase string

// The phases, in their order. Between Prepared and Stopped an effect may be there of which the checkpoint says nothing.
const (
	New            Phase = "new"
	Prepared       Phase = "prepared"        // the executor is about to be called
	EffectObserved Phase = "effect_observed" // the executor has returned
	Stopped        Phase = "stopped"         // the run has ended, for its StopReason
)

// Checkpoint is all that a run must know to go on after a crash: no conversation, and no secret.
type Checkpoint struct {
	Version        int    `json:"version"` // CheckpointVersion
	RunID          string `json:"run_id"`
	Phase          Phase  `json:"phase"`
	Step           int    `json:"step"`        // 0, and 1 once an executor was prepared
	BudgetLeft     int    `json:"budget_left"` // how many more times an executor may be prepared
	IdempotencyKey string `json:"idempotency_key"`
	StopReason     string `json:"stop_reason"` // "" unless stopped
	Recovered      bool   `json:"recovered"`   // this run found that the one before had ended between Prepared and Stopped
}

// CheckpointVersion is the version of the format that this package reads and writes.
const CheckpointVersion = 1

// Errors of a notebook that cannot be used.
var (
	ErrBroken   = errors.New("a file of the notebook is broken")
	ErrOtherRun = errors.New("the notebook belongs to another run")
)

// begin is the checkpoint of a run that has not done anything yet.
func (t Task) begin() Checkpoint {
	return Checkpoint{
		Version: CheckpointVersion, RunID: t.RunID, Phase: New, BudgetLeft: t.Budget,
		IdempotencyKey: t.RunID + ":write-report:v1",
	}
}

// Load returns the checkpoint that the last run of the task left, or a new one when there is none: phase new, with the
// task's budget and an idempotency key. A file that does not decode is ErrBroken, one of another run ErrOtherRun.
func (n *Notebook) Load(task Task) (checkpoint Checkpoint, err error) {
	span := n.begin("fieldnotes.Load", CheckpointFile, task.RunID)
	defer func() { span.End(err, 0) }()
	if err = n.alive(); err != nil {
		return Checkpoint{}, err
	}
	data, err := files.Read(n.Path(CheckpointFile))
	if errors.Is(err, files.ErrNotExist) {
		return task.begin(), nil
	}
	if err != nil {
		return Checkpoint{}, err
	}
	if err = decode(data, &checkpoint); err != nil {
		return Checkpoint{}, fmt.Errorf("%s: %w: %w", CheckpointFile, ErrBroken, err)
	}
	switch checkpoint.Phase {
	case New, Prepared, EffectObserved, Stopped:
	default:
		return Checkpoint{}, fmt.Errorf("%s: %w: there is no phase %q", CheckpointFile, ErrBroken, checkpoint.Phase)
	}
	if checkpoint.Version != CheckpointVersion || checkpoint.IdempotencyKey == "" {
		return Checkpoint{}, fmt.Errorf("%s: %w: it has version %d and the key %q", CheckpointFile, ErrBroken, checkpoint.Version, checkpoint.IdempotencyKey)
	}
	if checkpoint.RunID != task.RunID {
		return Checkpoint{}, fmt.Errorf("%s: %w: %s, not %s", CheckpointFile, ErrOtherRun, checkpoint.RunID, task.RunID)
	}
	return checkpoint, nil
}

// Save makes the checkpoint durable, as a whole or not at all, and then notes it in the trace.
func (n *Notebook) Save(checkpoint Checkpoint) (err error) {
	span := n.begin("fieldnotes.Save", CheckpointFile, string(checkpoint.Phase))
	defer func() { span.End(err, 0) }()
	if err = n.replace(CheckpointFile, checkpoint); err != nil {
		return err
	}
	return n.append("checkpoint", map[string]any{
		"phase": checkpoint.Phase, "step": checkpoint.Step, "stop_reason": checkpoint.StopReason,
	})
}

// decode reads one JSON value, without undeclared fields and without anything after it.
func decode(data []byte, to any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(to); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the value")
	}
	return nil
}
