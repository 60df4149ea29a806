package exercises

// Scenarios declares that an exercise can be run as a program of its own, one scenario at a time, on files that stay: what
// `fieldbook scenario` does. The functions of other exercises that belong to that program are connected with it.
type Scenarios struct {
	// Driver is a probe in the folder. Its case says which scenario it performs; it compares nothing.
	Driver string `yaml:"driver"`
	// Connects are the exercises whose files take part beside this one's.
	Connects []string `yaml:"connects"`
	// Naive is a file of the folder that takes the place of this exercise's own: the idea that everyone has first.
	Naive string `yaml:"naive"`
}

// WithScenarios returns the exercise that declares scenarios, nil when none does.
func WithScenarios() *Exercise {
	for _, e := range All() {
		if e.Scenarios != nil {
			return e
		}
	}
	return nil
}

// Connected returns the exercise as its scenarios run it: with the files of those that it connects, each a copy's place of
// its own. Its first places are those of the others, in the order in which they are named.
func (e *Exercise) Connected() (*Exercise, error) {
	whole := *e
	whole.Replaces = nil
	if e.Scenarios != nil {
		for _, name := range e.Scenarios.Connects {
			other, err := Named(name)
			if err != nil {
				return nil, err
			}
			whole.Replaces = append(whole.Replaces, other.Replaces...)
		}
	}
	whole.Replaces = append(whole.Replaces, e.Replaces...)
	return &whole, nil
}

// scenarios checks the driver and the naive file. The names of the other exercises are looked up when they are needed, and
// by a test: a folder is read alone.
func (c *check) scenarios() {
	s := c.e.Scenarios
	if s == nil {
		return
	}
	if c.e.Kind != Source {
		c.complain(to{"scenarios"}, "scenarios belongs to exercises of kind %s", Source)
	}
	if c.present("probe", s.Driver, "scenarios", "driver") {
		c.probe(s.Driver)
	}
	names := map[string]bool{c.e.Name: true}
	for i, name := range s.Connects {
		c.unique(names, name, "scenarios", "connects", i)
	}
	if c.present("fault", s.Naive, "scenarios", "naive") {
		c.supplied(s.Naive)
	}
}
