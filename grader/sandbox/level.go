package sandbox

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/grader"
)

// AtLeast reports whether a level is as good as the required one; an unknown or empty requirement asks for nothing, an
// unknown level gives nothing.
func AtLeast(level, required string) bool {
	ranks := []string{Weak, Standard, Strong}
	return slices.Index(ranks, level) >= max(slices.Index(ranks, required), 0)
}

// levelOf is the level that a set of layers amounts to.
func levelOf(layers []Layer) string {
	on := func(names ...string) bool {
		for _, name := range names {
			if !slices.ContainsFunc(layers, func(l Layer) bool { return l.Name == name && l.Active }) {
				return false
			}
		}
		return true
	}
	switch {
	case !on("limits", "capabilities", "seccomp"):
		return Weak
	case on("namespaces", "disk", "landlock"):
		return Strong
	case on("landlock"), on("namespaces", "disk"):
		return Standard
	default:
		return Weak
	}
}

// Notice says in one sentence what a sandbox below Strong lacks; "" for Strong. A program shows it once, and every result
// carries the level.
func Notice(level string, layers []Layer) string {
	if level == Strong {
		return ""
	}
	return fmt.Sprintf("The sandbox of this machine is %s: without %s.", level, strings.Join(missingLayers(layers), ", "))
}

func missingLayers(layers []Layer) []string {
	var missing []string
	for _, layer := range layers {
		if !layer.Active {
			missing = append(missing, layer.Name+" ("+layer.Detail+")")
		}
	}
	return missing
}

func levelError(level, required string, layers []Layer) error {
	return &grader.Error{
		Code:    "sandbox_level",
		Message: fmt.Sprintf("The sandbox of this machine is %s; %s is required", level, required),
		Hint:    "Missing: " + strings.Join(missingLayers(layers), ", ") + ".",
		Exit:    grader.ExitVoid,
	}
}
