package scenario_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/runtime/fieldnotes"
)

var update = flag.Bool("update", false, "write the golden files")

// TestTell tells in lines what Show draws.
func TestTell(t *testing.T) {
	got := strings.Join(scenario.Tell(draw.Theme{}, evidence("crash", made(t, "crash", "happy")), 80), "\n")
	for _, want := range []string{
		"checkpoint.json\n  run_id       run-os-742\n", "effects.json\n  1 key\n", "  3 effect_committed: the effect is there, the checkpoint says prepared; inside\n",
		"run 2 happy\n", "  7 outcome accepted: the effect is there, the checkpoint says stopped",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.ContainsAny(got, "│┌┐●") {
		t.Errorf("a line mode draws:\n%s", got)
	}
}

// TestShow draws the evidence of runs that end in every way, at a narrow and at a wide terminal.
func TestShow(t *testing.T) {
	for _, test := range []struct {
		name  string
		width int
		e     func(t *testing.T) scenario.Evidence
	}{
		{"crash", 120, func(t *testing.T) scenario.Evidence { return evidence("crash", made(t, "crash")) }},
		{"recovered", 120, func(t *testing.T) scenario.Evidence { return evidence("crash", made(t, "crash", "happy")) }},
		{"recovered-80", 80, func(t *testing.T) scenario.Evidence { return evidence("crash", made(t, "crash", "happy")) }},
		{"recovered-40", 40, func(t *testing.T) scenario.Evidence { return evidence("crash", made(t, "crash", "happy")) }},
		{"denied", 120, func(t *testing.T) scenario.Evidence { return evidence("deny-tenant", made(t, "deny-tenant")) }},
		{"too-late", 120, func(t *testing.T) scenario.Evidence {
			return rewritten(t, "deny-tenant", made(t, "deny-tenant"), func(f scenario.Files) {
				f[fieldnotes.TraceFile] = append([]byte(`{"event":"effect_committed","idempotency_key":"k"}`+"\n"), f[fieldnotes.TraceFile]...)
				f[fieldnotes.EffectsFile] = []byte("{broken\n")
			})
		}},
		{"empty", 120, func(*testing.T) scenario.Evidence { return evidence("x", nil) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := scenario.Show(draw.Theme{}, test.e(t), test.width)
			got := strings.Join(lines, "\n") + "\n"
			golden := filepath.Join("testdata", test.name+".txt")
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("it is drawn as\n%s\nwant\n%s", got, want)
			}
			for _, line := range lines {
				if draw.Width(line) > test.width && !strings.Contains(line, "evidence/") {
					t.Errorf("a line has %d cells: %s", draw.Width(line), line)
				}
			}
		})
	}
}
