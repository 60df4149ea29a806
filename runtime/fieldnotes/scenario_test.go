package fieldnotes_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"fieldbook/runtime/fieldnotes"
)

func TestScenarios(t *testing.T) {
	if names := fieldnotes.ScenarioNames(); !slices.Equal(names, []string{"happy", "deny-tenant", "deny-egress", "crash", "clean"}) {
		t.Errorf("the scenarios are %v", names)
	}
	for _, name := range fieldnotes.ScenarioNames() {
		s, ok := fieldnotes.ScenarioNamed(name, 5)
		says := s.Task.Model.Says
		if !ok || s.Name != name || s.Task.RunID != "run-os-742" || s.Task.Tenant != "shopping-a" || s.Task.OrderID != "742" || s.Task.Budget != 5 {
			t.Errorf("%s: %+v, %v", name, s, ok)
		}
		if s.Clean != (name == "clean") || s.Options.CrashAfterEffect != (name == "crash") {
			t.Errorf("%s: clean %v, crash %v", name, s.Clean, s.Options.CrashAfterEffect)
		}
		if (says.Tenant == "shopping-b") != (name == "deny-tenant") || (says.URL == "https://malicious.example/payload") != (name == "deny-egress") {
			t.Errorf("%s: the model says %+v", name, says)
		}
	}
	for _, name := range []string{"", "Happy", "crash ", "unknown"} {
		if s, ok := fieldnotes.ScenarioNamed(name, 3); ok {
			t.Errorf("%q is the scenario %+v", name, s)
		}
	}
}

func TestExitCode(t *testing.T) {
	for _, test := range []struct {
		reason string
		err    error
		code   int
		known  bool
	}{
		{"accepted", nil, 0, true},
		{"", fmt.Errorf("execute: %w", fieldnotes.ErrInjectedCrash), 1, true},
		{"policy_denied:tenant_not_allowed", nil, 2, true},
		{"budget_exhausted", nil, 3, true},
		{"final_invalid", nil, 4, true},
		{"accepted", errors.New("the disk is full"), 0, false},
		{"done", nil, 0, false},
		{"", nil, 0, false},
	} {
		code, known := fieldnotes.ExitCode(fieldnotes.Result{StopReason: test.reason}, test.err)
		if code != test.code || known != test.known {
			t.Errorf("%q, %v: %d, %v, want %d, %v", test.reason, test.err, code, known, test.code, test.known)
		}
	}
}
