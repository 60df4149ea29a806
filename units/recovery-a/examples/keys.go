//go:build exercise

package main

import "fmt"

// send has one effect for each key, as an executor does.
func send(sent map[string]string, key string) {
	if _, known := sent[key]; known {
		return
	}
	sent[key] = "report of order 742"
}

func main() {
	fresh := map[string]string{}
	for attempt := range 3 {
		send(fresh, fmt.Sprintf("attempt-%d", attempt))
	}
	fmt.Println("a key for each attempt:", len(fresh))

	kept := map[string]string{}
	saved := "run-os-742:write-report:v1"
	for range 3 {
		send(kept, saved)
	}
	fmt.Println("one key for the intention:", len(kept))

	send(kept, "run-os-742:write-report:v2")
	fmt.Println("a second intention:", len(kept))
}
