package main

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/handoff"
	"fieldbook/units"
)

var (
	kills    = flag.Int("kills", 6, "how many times TestNothingSavedIsLost kills the program")
	killSeed = flag.Uint64("killseed", 0, "seed of the moments at which it is killed; 0 draws one")
)

// latestKill is the latest moment at which a program is killed: by then the longest script has come to its runs.
const latestKill = 1500 * time.Millisecond

// promised is what the program has shown as saved.
type promised struct {
	attempts int            // the greatest number of an attempt
	handoffs []string       // paths
	hints    int            // opened in the exercise
	answered map[string]int // answers by step
}

// TestNothingSavedIsLost kills a scripted student's program at random moments. Whatever it had shown as saved is there
// afterwards, and the next program goes on from it.
func TestNothingSavedIsLost(t *testing.T) {
	t.Parallel()
	random := randomKills(t, 1)
	folder := t.TempDir()
	w := filepath.Join(folder, "w")
	if output, err := started(t, folder, "init", w).CombinedOutput(); err != nil {
		t.Fatalf("init: %v\n%s", err, output)
	}
	shown := promised{answered: map[string]int{}}
	killed := 0
	for i := range *kills {
		step, script := drawScript(t, random, w, i)
		if was := session(t, folder, w, script, step, time.Duration(random.Int64N(int64(latestKill))), &shown); was {
			killed++
		}
		shown.keptIn(t, w)
		if t.Failed() {
			t.Fatalf("after run %d", i+1)
		}
	}
	if output, err := started(t, folder, "list", "--workspace", w, "--json").CombinedOutput(); err != nil {
		t.Errorf("list: %v\n%s", err, output)
	}
	t.Logf("%d of %d killed; shown as saved: %d attempts, %d handoffs, %d hints, answers in %d steps",
		killed, *kills, shown.attempts, len(shown.handoffs), shown.hints, len(shown.answered))
}

// randomKills draws what one test kills, and when, and says how to draw the same again.
func randomKills(t *testing.T, stream uint64) *rand.Rand {
	t.Helper()
	seed := *killSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d: repeat with -killseed=%d -kills=%d", seed, seed, *kills)
	return rand.New(rand.NewPCG(seed, stream))
}

// started is the program itself in a process of its own, with user folders below folder.
func started(t testing.TB, folder string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{"fieldbook"}, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	for _, name := range []string{"DATA", "CONFIG", "STATE", "CACHE"} {
		cmd.Env = append(cmd.Env, "XDG_"+name+"_HOME="+filepath.Join(folder, strings.ToLower(name)))
	}
	return cmd
}

// drawScript is what the student types in one run, and the step in which they write, "" when they write nothing.
func drawScript(t *testing.T, random *rand.Rand, w string, number int) (step, script string) {
	t.Helper()
	u := place(t, units.Constructs)
	source := "../../runtime/assistant/restore.go"
	if random.IntN(2) == 0 {
		source = "testdata/naive.go"
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	text = fmt.Appendf(text, "\n// version %d\n", number)
	if err := os.WriteFile(filepath.Join(w, "runtime", "assistant", "restore.go"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if random.IntN(2) == 0 {
		predict := stepOf(t, u, units.Predict)
		step = predict.ID
		fmt.Fprintf(&b, "m\n%d\nw\n%s", stepNumber(u, predict.ID), strings.Repeat("Paused is 1.\n", len(predict.Prompts)))
	}
	fmt.Fprintf(&b, "m\n%d\n", stepNumber(u, stepOf(t, u, units.Construct).ID))
	for range 2 {
		b.WriteString("r\nh\n")
	}
	return step, b.String()
}

// session runs one program on a script and kills it after a while; it says whether the program was still running then.
func session(t *testing.T, folder, w, script, step string, after time.Duration, shown *promised) (killed bool) {
	t.Helper()
	cmd := started(t, folder, "--plain", "--workspace", w)
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errors strings.Builder
	cmd.Stderr = &errors
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	var text strings.Builder
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // what has no end of line was not shown whole
		}
		text.WriteString(line)
		shown.note(strings.TrimSpace(line), step)
	}
	err = cmd.Wait()
	timer.Stop()
	if err != nil && !strings.Contains(err.Error(), "killed") && !strings.Contains(err.Error(), "exit status 1") {
		t.Errorf("the program ended by itself: %v\n%s\n%s", err, text.String(), errors.String())
	}
	return err != nil
}

// note takes what a line shows as saved.
func (p *promised) note(line, step string) {
	if rest, ok := strings.CutPrefix(line, "Attempt "); ok {
		number, _, _ := strings.Cut(rest, " ")
		if n, err := strconv.Atoi(number); err == nil && strings.Contains(rest, "is kept") {
			p.attempts = max(p.attempts, n)
		}
	}
	if path, ok := strings.CutPrefix(line, "Saved evidence: "); ok {
		p.handoffs = append(p.handoffs, path)
	}
	if rest, ok := strings.CutPrefix(line, "Hint "); ok {
		number, _, _ := strings.Cut(rest, " ")
		if n, err := strconv.Atoi(number); err == nil {
			p.hints = max(p.hints, n)
		}
	}
	if strings.HasPrefix(line, "Committed.") {
		p.answered[step]++
	}
}

// keptIn compares with what the workspace holds.
func (p *promised) keptIn(t *testing.T, root string) {
	t.Helper()
	w, err := workspace.Open(root, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	attempts, err := w.ListAttempts("restore")
	if err != nil {
		t.Fatal(err)
	}
	kept := map[int]bool{}
	for _, a := range attempts {
		kept[a.Number] = true
		if _, err := w.AttemptReport(a.Number); err != nil {
			t.Errorf("attempt %d: %v", a.Number, err)
		}
		for _, source := range a.Sources {
			if _, err := w.AttemptText(a, source); err != nil {
				t.Errorf("attempt %d: %v", a.Number, err)
			}
		}
	}
	for n := 1; n <= p.attempts; n++ {
		if !kept[n] {
			t.Errorf("attempt %d was shown as kept and is not there", n)
		}
	}
	for _, path := range p.handoffs {
		if _, err := handoff.Load(path, handoff.Expect{}); err != nil {
			t.Errorf("a handoff that was shown as saved: %v", err)
		}
	}
	progress, err := w.ReadProgress()
	if err != nil {
		t.Fatal(err)
	}
	if opened := len(progress.Hints["restore"]); opened < p.hints {
		t.Errorf("%d hints were shown as recorded, and %d are", p.hints, opened)
	}
	u := place(t, units.Constructs)
	for step := range p.answered {
		for _, prompt := range u.Step(step).Prompts {
			found := false
			for _, a := range progress.Of(u.ID).Of(step).Answers {
				found = found || a.Kind == prompt.ID && a.Text != ""
			}
			if !found {
				t.Errorf("%s/%s was shown as committed and is not there", step, prompt.ID)
			}
		}
	}
}
