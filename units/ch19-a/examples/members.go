//go:build exercise

package main

import "fmt"

// hasty walks over what was found and compares each digest.
func hasty(manifest, found map[string]string) bool {
	for name, digest := range found {
		if manifest[name] != digest {
			return false
		}
	}
	return true
}

func main() {
	manifest := map[string]string{"monday": "d618", "tuesday": "d78d"}
	changed := map[string]string{"monday": "d618", "tuesday": "0000"}
	missing := map[string]string{"monday": "d618"}

	digest, present := missing["tuesday"]
	fmt.Printf("digest of the missing member: %q\n", digest)
	fmt.Println("present:", present)
	fmt.Println("hasty accepts a change:", hasty(manifest, changed))
	fmt.Println("hasty accepts a gap:", hasty(manifest, missing))
}
