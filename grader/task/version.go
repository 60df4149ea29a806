package task

import (
	"runtime"
	"runtime/debug"

	"fieldbook/grader/engine"
	"fieldbook/handoff"
)

// engineVersion names what executed learner code.
func (o Options) engineVersion(name string) handoff.Component {
	interpreter := moduleVersion("github.com/traefik/yaegi")
	switch name {
	case engine.Toolchain:
		return handoff.Component{Name: name, Version: o.Toolchain.Version()}
	case engine.Both:
		return handoff.Component{Name: name, Version: interpreter + "+" + o.Toolchain.Version()}
	default:
		return handoff.Component{Name: engine.Interpreted, Version: interpreter}
	}
}

// Tools names what a result depends on beside the engine.
func Tools() []handoff.Component {
	return []handoff.Component{
		{Name: "fieldbook", Version: programVersion()},
		{Name: "sqlite", Version: moduleVersion("modernc.org/sqlite")},
		{Name: "go", Version: runtime.Version()},
	}
}

const unknownVersion = "unknown"

func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return unknownVersion
}

// moduleVersion is the version of a module that this program was built with.
func moduleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknownVersion
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Version
		}
	}
	return unknownVersion
}
