package engine

import (
	"sync"

	"fieldbook/grader/engine/export"
)

// cache keeps the types of packages of the tree that no source has touched: they are the same in every program, and
// checking them is most of the work between saving a file and its verdict.
type cache struct {
	mu       sync.Mutex
	packages *export.Packages // whose types the kept packages refer to
	kept     map[string]*checked
}

// get returns a kept package, nil when the unit has to be checked.
func (c *cache) get(packages *export.Packages, u *unit) *checked {
	if u.changed {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.packages != packages {
		return nil
	}
	return c.kept[u.path]
}

// put keeps a package that was checked without a fault. Everything it imports is kept as well, or offered.
func (c *cache) put(packages *export.Packages, p *checked) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.packages != packages {
		c.packages, c.kept = packages, map[string]*checked{}
	}
	if c.kept[p.unit.path] == nil {
		c.kept[p.unit.path] = p
	}
}
