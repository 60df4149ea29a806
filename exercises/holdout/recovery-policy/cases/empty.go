//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy case empty 09d3f5b8

// Package probe asks policies that name nothing.
package probe

import (
	"context"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe asks with empty lists, an empty tenant and an empty host.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	w.Mark("before")
	tenant, _ := w.Case("tenant").AsString()
	full := fieldnotes.Policy{Tools: []string{"read"}, Tenant: tenant, Hosts: []string{tenant + ".example"}}
	p := fieldnotes.Proposal{Tool: "read", Tenant: tenant, URL: "https://" + tenant + ".example/x"}

	policy := full
	seen.String("full", string(recovery.Decide(policy, p).Reason))
	policy.Tools = nil
	seen.String("no_tools", string(recovery.Decide(policy, p).Reason))
	policy = full
	policy.Tenant = ""
	seen.String("no_tenant", string(recovery.Decide(policy, p).Reason))
	nobody := p
	nobody.Tenant = ""
	seen.String("no_tenant_on_either_side", string(recovery.Decide(policy, nobody).Reason))
	policy = full
	policy.Hosts = nil
	seen.String("no_hosts", string(recovery.Decide(policy, p).Reason))
	policy.Hosts = []string{""}
	nowhere := p
	nowhere.URL = "https:///x"
	seen.String("no_host_on_either_side", string(recovery.Decide(policy, nowhere).Reason))
	seen.String("nothing_at_all", string(recovery.Decide(fieldnotes.Policy{}, fieldnotes.Proposal{}).Reason))
	return seen, nil
}
