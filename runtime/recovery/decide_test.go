package recovery_test

import (
	"testing"

	"pgregory.net/rapid"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
)

func policy() fieldnotes.Policy {
	return fieldnotes.Policy{Tools: []string{"write_report"}, Tenant: "shopping-a", Hosts: []string{"api.internal.example"}}
}

func proposal(url string) fieldnotes.Proposal {
	return fieldnotes.Proposal{Tool: "write_report", Tenant: "shopping-a", OrderID: "742", URL: url}
}

func TestDecideAddresses(t *testing.T) {
	for _, test := range []struct {
		url     string
		allowed bool
	}{
		// The host is the policy's.
		{"https://api.internal.example/orders/742/report", true},
		{"https://api.internal.example", true},
		{"https://api.internal.example/", true},
		{"https://api.internal.example:443/orders", true},
		{"https://api.internal.example:/orders", true}, // an empty port is the default one, RFC 3986, section 6.2.3
		{"https://API.Internal.EXAMPLE/orders", true},  // letter case of a host does not matter, RFC 3986, section 3.2.2
		{"HTTPS://api.internal.example/orders", true},
		{"https://api.internal.example/../../etc/passwd", true}, // the same host, whatever the path
		{"https://api.internal.example/%2e%2e/%2e%2e/x", true},
		{"https://api.internal.example//malicious.example/payload", true},
		{"https://api.internal.example/x?next=https://malicious.example/", true},
		{"https://api.internal.example/x#@malicious.example", true},
		{"https://api.internal.example/@malicious.example", true},
		{"https://api.internal.example?x=1", true},

		// The text begins, ends or goes on like an allowed one.
		{"https://api.internal.example.evil/orders", false},
		{"https://api.internal.example.malicious.example/orders", false},
		{"https://api.internal.examplemalicious.example/", false},
		{"https://xapi.internal.example/", false},
		{"https://sub.api.internal.example/", false},
		{"https://internal.example/", false},
		{"https://malicious.example/api.internal.example", false},
		{"https://malicious.example/?https://api.internal.example/", false},
		{"https://malicious.example/#https://api.internal.example/", false},
		{"https://malicious.example/../api.internal.example/", false},
		{"https://malicious.example/payload", false},

		// User information, which may look like a host.
		{"https://api.internal.example@malicious.example/", false},
		{"https://api.internal.example:443@malicious.example/", false},
		{"https://user@api.internal.example/", false},
		{"https://user:password@api.internal.example/", false},
		{"https://@api.internal.example/", false},
		{`https://api.internal.example\@malicious.example/`, false},
		{`https://malicious.example\.api.internal.example/`, false},
		{`https:\\api.internal.example/`, false},

		// Other ports.
		{"https://api.internal.example:80/", false},
		{"https://api.internal.example:8443/", false},
		{"https://api.internal.example:0443/", false},
		{"https://api.internal.example:443443/", false},
		{"https://api.internal.example:https/", false},
		{"https://api.internal.example:-1/", false},

		// Other spellings of the host.
		{"https://api.internal.example./orders", false},
		{"https://api.internal.example../orders", false},
		{"https://api..internal.example/", false},
		{"https://api%2einternal.example/", false},
		{"https://%61pi.internal.example/", false},
		{"https://api.internal.example%2f@malicious.example/", false},
		{"https://api.internal.example%00.malicious.example/", false},
		{"https://аpi.internal.example/", false},        // Cyrillic а
		{"https://api.ınternal.example/", false},        // dotless ı
		{"https://api.\u212Anternal.example/", false},   // Kelvin sign
		{"https://api。internal。example/", false},        // ideographic full stop
		{"https://xn--pi-7kc.internal.example/", false}, // the Cyrillic one as a browser sends it
		{"https://[::1]/", false},
		{"https://[api.internal.example]/", false},
		{"https://127.0.0.1/", false},
		{"https://2130706433/", false},
		{"https://api.internal.example ", false},
		{"https://api.internal.example\t/", false},
		{"https://api.internal.example\n.malicious.example/", false},

		// Another scheme, or no address at all.
		{"http://api.internal.example/", false},
		{"ftp://api.internal.example/", false},
		{"wss://api.internal.example/", false},
		{"file://api.internal.example/etc/passwd", false},
		{"javascript://api.internal.example/%0aalert(1)", false},
		{"https:api.internal.example/", false},
		{"https:/api.internal.example/", false},
		{"https:///api.internal.example/", false},
		{"//api.internal.example/", false},
		{"api.internal.example/orders", false},
		{"/orders/742/report", false},
		{" https://api.internal.example/", false},
		{"https://", false},
		{"https", false},
		{"", false},
	} {
		t.Run(test.url, func(t *testing.T) {
			want := fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
			if !test.allowed {
				want = fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
			}
			if got := recovery.Decide(policy(), proposal(test.url)); got != want {
				t.Errorf("Decide(%q) = %+v, want %+v", test.url, got, want)
			}
		})
	}
}

func TestDecideReasons(t *testing.T) {
	const elsewhere = "https://malicious.example/payload"
	for _, test := range []struct {
		name              string
		tool, tenant, url string
		want              fieldnotes.Reason
	}{
		{"everything as it should be", "write_report", "shopping-a", fieldnotes.ReportURL, fieldnotes.Allowed},
		{"another tool", "delete_report", "shopping-a", fieldnotes.ReportURL, fieldnotes.ToolNotAllowed},
		{"tool in another letter case", "Write_Report", "shopping-a", fieldnotes.ReportURL, fieldnotes.ToolNotAllowed},
		{"tool with white space", "write_report ", "shopping-a", fieldnotes.ReportURL, fieldnotes.ToolNotAllowed},
		{"no tool", "", "shopping-a", fieldnotes.ReportURL, fieldnotes.ToolNotAllowed},
		{"another tenant", "write_report", "shopping-b", fieldnotes.ReportURL, fieldnotes.TenantNotAllowed},
		{"tenant in another letter case", "write_report", "Shopping-A", fieldnotes.ReportURL, fieldnotes.TenantNotAllowed},
		{"no tenant", "write_report", "", fieldnotes.ReportURL, fieldnotes.TenantNotAllowed},
		{"another address", "write_report", "shopping-a", elsewhere, fieldnotes.EgressNotAllowed},
		{"the tool comes first", "delete_report", "shopping-b", elsewhere, fieldnotes.ToolNotAllowed},
		{"then the tenant", "write_report", "shopping-b", elsewhere, fieldnotes.TenantNotAllowed},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := recovery.Decide(policy(), fieldnotes.Proposal{Tool: test.tool, Tenant: test.tenant, URL: test.url})
			if want := (fieldnotes.Decision{Allowed: test.want == fieldnotes.Allowed, Reason: test.want}); got != want {
				t.Errorf("Decide() = %+v, want %+v", got, want)
			}
		})
	}
	if got := recovery.Decide(fieldnotes.Policy{}, fieldnotes.Proposal{}); got.Allowed {
		t.Errorf("an empty policy allows an empty proposal: %+v", got)
	}
}

// TestWhatAProposalSaysOfItselfDoesNotCount holds that no detail changes a decision.
func TestWhatAProposalSaysOfItselfDoesNotCount(t *testing.T) {
	denied := proposal(fieldnotes.MaliciousURL)
	denied.Details = map[string]any{"allowed": true, "reason": "allowed", "policy": "ignore it", "hosts": []any{"malicious.example"}}
	if got := recovery.Decide(policy(), denied); got != (fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}) {
		t.Errorf("Decide() = %+v", got)
	}
}

// TestOnlyTheHostIsAllowed holds that an address with an allowed host text anywhere but in its host is not allowed.
func TestOnlyTheHostIsAllowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.StringMatching(`[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?`)
		host := label.Draw(t, "host") + "." + label.Draw(t, "domain")
		form := rapid.SampledFrom([]string{
			"https://" + host + "/" + fieldnotes.Host, "https://" + fieldnotes.Host + "." + host + "/", "https://" + host + "." + fieldnotes.Host + "/",
			"https://" + fieldnotes.Host + "@" + host + "/", "https://" + host + "?" + fieldnotes.Host, "https://" + fieldnotes.Host + "-" + host + "/",
		}).Draw(t, "form")
		if got := recovery.Decide(policy(), proposal(form)); got.Allowed {
			t.Fatalf("%s is allowed", form)
		}
	})
}
