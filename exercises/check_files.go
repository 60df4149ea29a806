package exercises

import (
	"fieldbook/exercises/internal/gofile"
)

// parse reads a Go file of the folder. It returns nil after a complaint that makes further checks pointless.
func (c *check) parse(name string) *gofile.File {
	where := c.folder + "/" + name
	text, err := c.e.File(name)
	if err != nil {
		c.complainAt(where, 0, "the file cannot be read: %v", err)
		return nil
	}
	file, found := gofile.Parse(where, text)
	c.found = append(c.found, found...)
	return file
}

// starter checks a starter: the package of the file that it stands for, the functions to write, and each unfinished.
func (c *check) starter(r Replaced) {
	file := c.parse(r.Starter)
	if file == nil {
		return
	}
	c.found = append(c.found, file.InPackage(r.Package())...)
	for _, f := range r.Functions {
		c.found = append(c.found, file.Declares(f.Name, f.Signature)...)
		c.found = append(c.found, file.Unfinished(f.Name)...)
	}
}

// probe checks a probe: package probe, func Probe.
func (c *check) probe(name string) {
	if file := c.parse(name); file != nil {
		c.found = append(c.found, file.InPackage("probe")...)
		c.found = append(c.found, file.Declares("Probe", gofile.Probe)...)
	}
}

// supplied checks a function that the author wrote in the learner's place, broken on purpose: it must declare what the
// learner's file declares.
func (c *check) supplied(name string) {
	file := c.parse(name)
	if file == nil {
		return
	}
	for _, r := range c.e.Replaces {
		if r.Package() != file.Package() {
			continue
		}
		for _, f := range r.Functions {
			c.found = append(c.found, file.Declares(f.Name, f.Signature)...)
		}
		return
	}
	c.complainAt(c.folder+"/"+name, 0, "the package %s is none of those that the learner writes", file.Package())
}
