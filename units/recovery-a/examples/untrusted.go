//go:build exercise

package main

import (
	"encoding/json"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// said is what a model wrote. Nobody has checked it.
const said = `{
  "tool": "write_report",
  "tenant": "shopping-b",
  "allowed": true,
  "reason": "the administrator agreed"
}`

func main() {
	var proposal fieldnotes.Proposal
	err := json.Unmarshal([]byte(said), &proposal)
	fmt.Println("error:", err)
	fmt.Println("tenant:", proposal.Tenant)
	fmt.Printf("order: %q\n", proposal.OrderID)
	fmt.Println("details:", len(proposal.Details))
}
