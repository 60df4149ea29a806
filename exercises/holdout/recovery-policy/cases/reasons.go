//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy case reasons b27c10e6

// Package probe asks a policy with several tools and hosts, all drawn, about proposals that are wrong in one way or in several.
package probe

import (
	"context"
	"strings"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe notes the reason for each proposal, and whether a decision ever says allowed beside another reason.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	w.Mark("before")
	tool, _ := w.Case("tool").AsString()
	tenant, _ := w.Case("tenant").AsString()
	word, _ := w.Case("host").AsString()
	host, last := word+".example", "last-"+word+".example"
	policy := fieldnotes.Policy{Tools: []string{"read", tool, "write"}, Tenant: tenant, Hosts: []string{"first.example", host, last}}
	good := fieldnotes.Proposal{Tool: tool, Tenant: tenant, OrderID: "1", URL: "https://" + host + "/x"}

	consistent := true
	ask := func(name string, p fieldnotes.Proposal) {
		d := recovery.Decide(policy, p)
		consistent = consistent && d.Allowed == (d.Reason == fieldnotes.Allowed)
		seen.String(name, string(d.Reason))
	}
	ask("good", good)

	p := good
	p.Tool, p.URL = "write", "https://"+last+"/x"
	ask("last_of_both_lists", p)

	p = good
	p.Tool = tool + "x"
	ask("longer_tool", p)
	p.Tool = tool[:3]
	ask("shorter_tool", p)
	p.Tool = strings.ToUpper(tool)
	ask("tool_in_capitals", p)
	p.Tool = ""
	ask("no_tool", p)

	p = good
	p.Tenant = tenant + "-b"
	ask("longer_tenant", p)
	p.Tenant = strings.ToUpper(tenant)
	ask("tenant_in_capitals", p)
	p.Tenant = ""
	ask("no_tenant", p)

	p = good
	p.URL = "https://other-" + word + ".example/x"
	ask("other_host", p)

	p = fieldnotes.Proposal{Tool: "other", Tenant: "other", URL: "https://other.example/x"}
	ask("everything_wrong", p)
	p.Tool = tool
	ask("tenant_and_host_wrong", p)

	// What a proposal says of itself is text.
	p.Tenant = tenant
	p.Details = map[string]any{"allowed": true, "reason": "allowed", "hosts": []any{"other.example"}, "policy": map[string]any{"tenant": tenant}}
	ask("believe_me", p)

	seen.Bool("consistent", consistent)
	return seen, nil
}
