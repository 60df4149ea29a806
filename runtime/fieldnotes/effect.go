package fieldnotes

import (
	"errors"
	"fmt"

	"fieldbook/runtime/files"
)

// Effect is what a run has done to the world outside, as that world knows it: a report of an order exists.
type Effect struct {
	Tenant  string `json:"tenant"`
	OrderID string `json:"order_id"`
	Status  string `json:"status"`
}

// Written is the status of a report that is there.
const Written = "written"

// ErrInjectedCrash is what a notebook answers once its crash was injected: the process is gone, nothing more can be read
// or written.
var ErrInjectedCrash = errors.New("injected_crash_after_effect")

// Effects reads the effects that there are, by their idempotency keys. Without a file there are none.
func (n *Notebook) Effects() (effects map[string]Effect, err error) {
	span := n.begin("fieldnotes.Effects", EffectsFile, "")
	defer func() { span.End(err, 0) }()
	if err = n.alive(); err != nil {
		return nil, err
	}
	data, err := files.Read(n.Path(EffectsFile))
	if errors.Is(err, files.ErrNotExist) {
		return map[string]Effect{}, nil
	}
	if err != nil {
		return nil, err
	}
	if err = decode(data, &effects); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", EffectsFile, ErrBroken, err)
	}
	if effects == nil { // the file says null
		return nil, fmt.Errorf("%s: %w: it holds no object", EffectsFile, ErrBroken)
	}
	return effects, nil
}

// WriteEffects makes these the effects that there are, durably, as a whole or not at all. A key that is left out is gone.
func (n *Notebook) WriteEffects(effects map[string]Effect) (err error) {
	span := n.begin("fieldnotes.WriteEffects", EffectsFile, fmt.Sprintf("%d keys", len(effects)))
	defer func() { span.End(err, 0) }()
	if effects == nil {
		effects = map[string]Effect{}
	}
	return n.replace(EffectsFile, effects)
}

// AfterEffect is where a crash after the effect happens, when the notebook was opened with one: it returns
// ErrInjectedCrash, and so does every later call. Without one it returns nil.
func (n *Notebook) AfterEffect() (err error) {
	span := n.begin("fieldnotes.AfterEffect", EffectsFile, "")
	defer func() { span.End(err, 0) }()
	n.mu.Lock()
	n.crashed = n.crashed || n.options.CrashAfterEffect
	n.mu.Unlock()
	return n.alive()
}
