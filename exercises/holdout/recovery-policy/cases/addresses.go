//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy case addresses 4e0d7a91

// Package probe asks the policy about one group of addresses, all made from a host that was drawn.
package probe

import (
	"context"
	"strings"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe lists the addresses that were allowed, or those that were denied, and every reason that was given.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	w.Mark("before")
	word, _ := w.Case("host").AsString()
	elsewhere, _ := w.Case("elsewhere").AsString()
	tenant, _ := w.Case("tenant").AsString()
	group, _ := w.Case("group").AsString()
	watched, _ := w.Case("watched").AsString()
	host := word + ".internal.example"
	policy := fieldnotes.Policy{Tools: []string{"write_report"}, Tenant: tenant, Hosts: []string{host}}

	var watch []world.Value
	reasons := map[string]world.Value{}
	for _, address := range addresses(group, word, host, elsewhere+".example") {
		decision := recovery.Decide(policy, fieldnotes.Proposal{Tool: "write_report", Tenant: tenant, OrderID: "1", URL: address})
		if decision.Allowed == (watched == "allowed") {
			watch = append(watch, world.StringValue(address))
		}
		reasons[string(decision.Reason)] = world.BoolValue(true)
	}
	seen.List(watched, watch...)
	seen.Map("reasons", reasons)
	return seen, nil
}

func addresses(group, word, host, other string) []string {
	upper := strings.ToUpper(host)
	switch group {
	case "same host":
		return []string{
			"https://" + host, "https://" + host + "/", "https://" + host + "/orders/1", "https://" + host + ":443/x", "https://" + host + "?a=1",
			"https://" + upper + "/x", "HTTPS://" + host + "/x", "https://" + strings.ToUpper(word) + ".internal.example/x",
		}
	case "paths":
		return []string{
			"https://" + host + "/../../x", "https://" + host + "/%2e%2e/x", "https://" + host + "//" + other + "/x", "https://" + host + "/@" + other,
			"https://" + host + "/?next=https://" + other, "https://" + host + "/#@" + other, "https://" + host + "/a:b@c",
		}
	case "lookalikes":
		return []string{
			"https://" + host + ".evil/x", "https://" + host + "." + other + "/x", "https://" + host + "x/", "https://x" + host + "/", "https://sub." + host + "/",
			"https://internal.example/", "https://" + word + "/", "https://" + other + "/" + host, "https://" + other + "/?u=https://" + host + "/",
			"https://" + other + "/#https://" + host, "https://" + other + "/../" + host + "/", "https://" + host + "-" + other + "/",
		}
	case "user information":
		return []string{
			"https://" + host + "@" + other + "/x", "https://" + host + ":443@" + other + "/x", "https://user@" + host + "/x",
			"https://user:password@" + host + "/x", "https://@" + host + "/x", "https://" + host + `\@` + other + "/x",
		}
	case "ports":
		return []string{
			"https://" + host + ":80/x", "https://" + host + ":8443/x", "https://" + host + ":0443/x", "https://" + host + ":44/x", "https://" + host + ":4430/x",
			"https://" + host + ":https/x", "https://" + host + ":443:443/x",
		}
	case "spellings":
		return []string{
			"https://" + host + "./x", "https://" + host + "../x", "https://" + word + "..internal.example/x", "https://" + word + "%2einternal.example/x",
			"https://" + host + "%2f@" + other + "/x", "https://" + host + "%00." + other + "/x", "https://" + word + ".ınternal.example/x",
			"https://" + word + "。internal。example/x", "https://xn--" + word + "-9ua.internal.example/x", "https://[" + host + "]/x", "https://" + host + "\t/x", "https://" + host + " /x",
			"https:\\\\" + host + "\\x", "https://[::1]/x", "https://127.0.0.1/x",
		}
	case "schemes":
		return []string{
			"http://" + host + "/x", "ftp://" + host + "/x", "wss://" + host + "/x", "file://" + host + "/x", "javascript://" + host + "/x", "https:" + host + "/x",
			"https:/" + host + "/x", "https:///" + host + "/x", "//" + host + "/x", host + "/x", "/x", " https://" + host + "/x", "https://", "https", "",
		}
	}
	return nil
}
