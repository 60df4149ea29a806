package operation

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
)

// recorders is the registry behind For. Record adds, Stop removes.
var recorders registry

type registry struct {
	mu   sync.RWMutex
	live []*Recorder
}

// Record registers a recorder for every path under the folder root, which must exist. It refuses a root that lies in, or
// holds, the root of another live recorder. Stop unregisters it.
func Record(root string, o Options) (*Recorder, error) {
	given, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("recording %s: %w", root, err)
	}
	// SQLite follows links before it opens a file, so its paths start with the resolved root.
	resolved, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, fmt.Errorf("recording %s: %w", root, err)
	}
	r := &Recorder{roots: []string{given}, options: o}
	if resolved != given {
		r.roots = append(r.roots, resolved)
	}

	recorders.mu.Lock()
	defer recorders.mu.Unlock()
	for _, other := range recorders.live {
		for _, a := range r.roots {
			for _, b := range other.roots {
				if _, in := within(a, b); in {
					return nil, fmt.Errorf("recording %s: a recorder for %s is still running", root, b)
				}
				if _, in := within(b, a); in {
					return nil, fmt.Errorf("recording %s: a recorder for %s is still running", root, b)
				}
			}
		}
	}
	recorders.live = append(recorders.live, r)
	return r, nil
}

// For returns the recorder whose root holds path, an absolute path; nil when there is none.
func For(path string) *Recorder {
	recorders.mu.RLock()
	defer recorders.mu.RUnlock()
	for _, r := range recorders.live {
		if _, ok := r.relative(path); ok {
			return r
		}
	}
	return nil
}

// Stop unregisters the recorder. Operations that are under way finish first; later ones are done and not recorded.
func (r *Recorder) Stop() {
	if r == nil {
		return
	}
	recorders.mu.Lock()
	for i, other := range recorders.live {
		if other == r {
			recorders.live = append(recorders.live[:i:i], recorders.live[i+1:]...)
			break
		}
	}
	recorders.mu.Unlock()

	r.mu.Lock()
	r.stopped = true
	r.mu.Unlock()
}

// relative returns path as the log writes it: relative to the root, with slashes, and whether it lies under the root.
func (r *Recorder) relative(path string) (string, bool) {
	path = filepath.Clean(path)
	for _, root := range r.roots {
		if rest, ok := within(path, root); ok {
			return filepath.ToSlash(rest), true
		}
	}
	return "", false
}

// within returns path relative to root, both clean and absolute, and whether root holds it. Root itself is ".".
func within(path, root string) (string, bool) {
	if path == root {
		return ".", true
	}
	separator := string(filepath.Separator)
	if !strings.HasSuffix(root, separator) {
		root += separator
	}
	return strings.CutPrefix(path, root)
}
