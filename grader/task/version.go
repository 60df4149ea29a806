package task

import (
	"runtime"
	"runtime/debug"

	"fieldbook/handoff"
)

// engineVersion names the interpreter that executes learner code.
func engineVersion() handoff.Component {
	return handoff.Component{Name: "yaegi", Version: moduleVersion("github.com/traefik/yaegi")}
}

// toolVersions names what else a result depends on.
func toolVersions() []handoff.Component {
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
