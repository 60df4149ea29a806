package holdout_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fieldbook/exercises"
	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// seedCount is how many seeds right answers are run under; above two, wrong ones as well. Two show that nothing depends on
// one seed, and fifty take minutes.
var seedCount = flag.Int("seeds", 2, "number of seeds to draw the holdouts' parameters from")

// TestNatively proves with the Go toolchain that the probes tell right from wrong: the starter is unfinished, every correct
// answer gives the expected observation and leaves the world that the reference leaves, and each wrong one fails a case.
func TestNatively(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED LOUDLY: -short leaves out that every holdout accepts the right answers and that every wrong one fails")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED LOUDLY: the Go toolchain is not in PATH, so no answer was run against the holdouts")
	}
	binary := buildRunner(t)
	for _, s := range holdout.All() {
		t.Run(s.Exercise.Name, func(t *testing.T) {
			if s.Exercise.Kind == exercises.Direct {
				testDirect(t, binary, s)
			} else {
				testSource(t, binary, s)
			}
		})
	}
	t.Run("links", func(t *testing.T) { testLinks(t, binary) })
	t.Run("foreign imports", testForeign)
}

// task is one probe run to be judged: a holdout, or the visible probe.
type task struct {
	holdout.Case
	file  string // the probe's name in the runner
	label string // for people
	seed  uint64
	want  grader.Snapshot // what the reference leaves
	known map[string]bool // ids before the learner's call
}

func (k task) job(t *testing.T, e *exercises.Exercise, answer string) job {
	return job{Exercise: e.Name, Answer: answer, Probe: k.file, Root: scratch(t), Seed: k.seed, Case: k.Draw(k.seed)}
}

// tasks prepares the visible probe and every holdout under each seed, and has the reference run them.
func tasks(t *testing.T, binary string, s *holdout.Set, seeds ...uint64) []task {
	t.Helper()
	e := s.Exercise
	list := []task{{
		Case: holdout.Case{Name: "visible", Expectation: e.Expectation},
		file: e.Name + "/" + e.Probe, label: "visible probe", seed: seeds[0],
	}}
	for _, c := range s.Cases {
		for _, seed := range seeds {
			list = append(list, task{Case: c, file: e.Name + "/" + c.ProbeFile, label: fmt.Sprintf("%s, seed %d", c.Name, seed), seed: seed})
		}
	}
	var jobs []job
	for _, k := range list {
		j := k.job(t, e, reference)
		j.Data = true // stages are rebuilt from the bytes
		jobs = append(jobs, j)
	}
	for i, r := range perform(t, binary, jobs) {
		k := &list[i]
		if r.Observation == nil {
			t.Fatalf("%s by the reference: %s", k.label, r.Error)
		}
		k.want, k.known = snapshot(t, jobs[i].Root), before(t, r.Log)
		if complaint := k.judge(t, e, jobs[i], r); complaint != "" {
			t.Errorf("the reference fails %s: %s", k.label, complaint)
		}
	}
	return list
}

// before returns the ids that were there at the first mark.
func before(t *testing.T, log []operation.Entry) map[string]bool {
	t.Helper()
	known, err := probe.KnownBefore(context.Background(), log)
	if err != nil {
		t.Fatal(err)
	}
	if known == nil {
		t.Fatal("the probe marks no moment before the learner's call")
	}
	return known
}

func snapshot(t *testing.T, folder string) grader.Snapshot {
	t.Helper()
	s, err := probe.ReadSnapshot(context.Background(), folder)
	if err != nil {
		// A world that cannot be read is like no other.
		return grader.Snapshot{Files: []grader.FileSnapshot{{Path: "unreadable: " + err.Error()}}}
	}
	return s
}

// judge says why a run is not what the task expects, or "".
func (k task) judge(t *testing.T, e *exercises.Exercise, j job, r reply) string {
	t.Helper()
	if r.Unfinished {
		return "unfinished"
	}
	if r.Observation == nil {
		return r.Error
	}
	fields, agrees, err := compare(j.Root, k.Expectation, *r.Observation)
	if err != nil {
		t.Fatal(err)
	}
	if !agrees {
		i := slices.IndexFunc(fields, func(f grader.Field) bool { return !f.Agrees })
		return fmt.Sprintf("%s: expected %s, observed %s", fields[i].Name, fields[i].Expected, fields[i].Observed)
	}
	for _, step := range e.Follow(k.Log, r.Log) {
		if step.Progress != exercises.Seen {
			return fmt.Sprintf("log: %s %s", step.Rule.ID, step.Progress)
		}
	}
	if k.Compare == holdout.World {
		comparison := probe.Comparison{Known: k.known, Events: e.Events, Contents: true}
		if differences := comparison.Compare(k.want, snapshot(t, j.Root)); len(differences) > 0 {
			return fmt.Sprintf("world: %s (%d differences)", differences[0], len(differences))
		}
	}
	return ""
}

// failures runs an answer against all tasks and returns what it fails, by task.
func failures(t *testing.T, binary string, e *exercises.Exercise, answer string, list []task) (failed []string) {
	t.Helper()
	var jobs []job
	for _, k := range list {
		jobs = append(jobs, k.job(t, e, answer))
	}
	for i, r := range perform(t, binary, jobs) {
		if complaint := list[i].judge(t, e, jobs[i], r); complaint != "" {
			failed = append(failed, list[i].label+": "+complaint)
		}
	}
	return failed
}

// fails runs an answer against the tasks until one fails it, and returns which and why; "" when none does.
func fails(t *testing.T, binary string, e *exercises.Exercise, answer string, list []task) (failed string) {
	t.Helper()
	var jobs []job
	for _, k := range list {
		jobs = append(jobs, k.job(t, e, answer))
	}
	performUntil(t, binary, jobs, func(i int, r reply) bool {
		if complaint := list[i].judge(t, e, jobs[i], r); complaint != "" {
			failed = list[i].label + ": " + complaint
		}
		return failed != ""
	})
	return failed
}

func testSource(t *testing.T, binary string, s *holdout.Set) {
	e := s.Exercise
	var seeds []uint64
	for n := range max(*seedCount, 1) {
		seeds = append(seeds, uint64(n+1))
	}
	list := tasks(t, binary, s, seeds...)
	under := func(seed uint64) []task {
		return slices.DeleteFunc(slices.Clone(list), func(k task) bool { return k.seed != seed })
	}
	one := under(1)
	whole := slices.Clone(list)
	// A student's run compares fields. A right answer also leaves the reference's world, and shows every line of the contract.
	whole[0].Compare, whole[0].Log = holdout.World, e.Contract

	t.Run("starter", func(t *testing.T) {
		t.Parallel()
		failed := failures(t, binary, e, starter, one)
		for _, f := range failed {
			if !strings.HasSuffix(f, ": unfinished") {
				t.Error(f)
			}
		}
		if len(failed) != len(one) {
			t.Errorf("%d of %d tasks are unfinished", len(failed), len(one))
		}
	})
	for _, c := range slices.Concat([]holdout.Candidate{s.Solution}, s.Variants) {
		t.Run(answerName(c), func(t *testing.T) {
			t.Parallel()
			for _, f := range failures(t, binary, e, answerName(c), whole) {
				t.Error(f)
			}
		})
	}
	for _, c := range s.Wrong {
		if c.Foreign {
			continue
		}
		t.Run(answerName(c), func(t *testing.T) {
			t.Parallel()
			seen := fails(t, binary, e, answerName(c), one[:1])
			if listed := slices.Contains(s.Visible, c.Name); (seen != "") != listed {
				t.Errorf("the visible probe sees it: %q; listed as seen: %v", seen, listed)
			}
			failed := seen
			if failed == "" {
				failed = fails(t, binary, e, answerName(c), one[1:])
			}
			if failed == "" {
				t.Error("no case fails it under seed 1")
			}
			for _, seed := range seeds[min(2, len(seeds)):] {
				if fails(t, binary, e, answerName(c), under(seed)) == "" {
					t.Errorf("no case fails it under seed %d", seed)
				}
			}
			t.Logf("fails %s", failed)
		})
	}
	for _, f := range e.Faults {
		t.Run("fault "+f.Name, func(t *testing.T) {
			t.Parallel()
			testFault(t, binary, s, f)
		})
	}
}

// testFault runs the author's broken function: the visible probe must observe what the fault declares, and, when an edit of
// the learner's own is looked for, the worlds that the fault's own probe leaves must differ in the declared cells alone.
func testFault(t *testing.T, binary string, s *holdout.Set, f exercises.Fault) {
	e := s.Exercise
	at := func(answer, file string, data bool) job {
		return job{Exercise: e.Name, Answer: answer, Probe: e.Name + "/" + file, Root: scratch(t), Seed: 3, Data: data}
	}
	jobs := []job{at(f.Name, e.Probe, false)}
	if f.Kind == exercises.Matched {
		jobs = append(jobs, at(f.Name, f.Probe, false), at(reference, f.Probe, true))
	}
	replies := perform(t, binary, jobs)
	if replies[0].Observation == nil {
		t.Fatalf("the visible probe ended without an observation: %s", replies[0].Error)
	}
	fields, _, err := compare(jobs[0].Root, e.Expectation, *replies[0].Observation)
	if err != nil {
		t.Fatal(err)
	}
	observed := map[string]world.Value{}
	for _, field := range fields {
		observed[field.Name] = field.Observed
	}
	for _, b := range f.Broken {
		if got := observed[b.Field]; !got.Equal(b.Value) {
			t.Errorf("%s: observed %s under the fault, declared %s", b.Field, got, b.Value)
		}
	}
	if f.Kind != exercises.Matched {
		return
	}
	comparison := probe.Comparison{Known: before(t, replies[2].Log), Events: e.Events, Contents: true}
	var got []exercises.Cell
	for _, d := range comparison.Compare(snapshot(t, jobs[2].Root), snapshot(t, jobs[1].Root)) {
		got = append(got, exercises.Cell{Database: d.Cell.Database, Table: d.Cell.Table, Column: d.Cell.Column, Value: d.Got})
	}
	equal := func(a, b exercises.Cell) bool {
		return a.Database == b.Database && a.Table == b.Table && a.Column == b.Column && a.Value.Equal(b.Value)
	}
	if !slices.EqualFunc(got, f.Differs, equal) {
		t.Errorf("the worlds differ in %v, declared %v", got, f.Differs)
	}
}

func testDirect(t *testing.T, binary string, s *holdout.Set) {
	e := s.Exercise
	calls := slices.Clone(e.Table)
	for _, c := range s.Cases {
		for seed := range uint64(5) {
			calls = append(calls, c.Drawn(seed)...)
		}
	}
	wrong := func(t *testing.T, answer string, calls []exercises.TableCase) (failed []string) {
		t.Helper()
		var jobs []job
		for _, c := range calls {
			j := job{Exercise: e.Name, Answer: answer}
			for _, v := range c.Args {
				j.Args = append(j.Args, plain(t, v))
			}
			jobs = append(jobs, j)
		}
		for i, r := range perform(t, binary, jobs) {
			switch want := plain(t, calls[i].Expected); {
			case r.Unfinished:
				failed = append(failed, "unfinished")
			case r.Error != "" || r.Changed || !bytes.Equal(r.Result, want):
				failed = append(failed, fmt.Sprintf("%s: expected %s, observed %s, arguments changed: %v %s", calls[i].Name, want, r.Result, r.Changed, r.Error))
			}
		}
		return failed
	}
	for _, c := range slices.Concat([]holdout.Candidate{s.Solution}, s.Variants) {
		for _, f := range wrong(t, answerName(c), calls) {
			t.Errorf("%s: %s", answerName(c), f)
		}
	}
	for _, f := range wrong(t, reference, calls) {
		t.Errorf("the reference: %s", f)
	}
	if failed := wrong(t, starter, calls); len(failed) != len(calls) || slices.ContainsFunc(failed, func(f string) bool { return f != "unfinished" }) {
		t.Errorf("the starter: %v", failed)
	}
	for _, c := range s.Wrong {
		if failed := wrong(t, answerName(c), calls); len(failed) == 0 {
			t.Errorf("%s: no call fails it", answerName(c))
		}
	}
	for _, m := range e.Impostors {
		if failed := wrong(t, "impostor "+m.Name, e.Table); len(failed) == 0 {
			t.Errorf("impostor %s: no case of the visible table fails it", m.Name)
		}
	}
}

// testLinks holds that the shop is known under a link to it. The sandbox lets nobody make links, so this is no holdout.
func testLinks(t *testing.T, binary string) {
	base := job{Exercise: "restore", Probe: "links", Case: map[string]world.Value{"link": world.StringValue("link.sqlite")}}
	for name, make := range map[string]func(*job){
		"hard":     func(j *job) { j.Links = map[string]string{"link.sqlite": "shop.sqlite"} },
		"symbolic": func(j *job) { j.Points = map[string]string{"link.sqlite": "shop.sqlite"} },
	} {
		var jobs []job
		answers := []string{reference, "right restore", "right straight-line", "wrong same-by-path"}
		for _, answer := range answers {
			j := base
			j.Answer, j.Root = answer, scratch(t)
			make(&j)
			jobs = append(jobs, j)
		}
		for i, r := range perform(t, binary, jobs) {
			if r.Observation == nil {
				t.Errorf("%s link, %s: %s", name, answers[i], r.Error)
				continue
			}
			refused := r.Observation.Value("restore_error").String() == "separate_backup"
			if want := !strings.HasPrefix(answers[i], "wrong"); refused != want {
				t.Errorf("%s link, %s: restore_error is %s", name, answers[i], r.Observation.Value("restore_error"))
			}
		}
	}
}

// unknownImport is how the Go command says that it knows no package of an import's path: the last on a machine whose module
// cache has not all that go.mod mentions, and that may ask nobody.
func unknownImport() []string {
	return []string{"is not in std", "no required module", "module lookup disabled"}
}

// testForeign holds that an answer which imports what does not exist does not compile, for that reason.
func testForeign(t *testing.T) {
	for _, s := range holdout.All() {
		for _, c := range s.Wrong {
			if !c.Foreign {
				continue
			}
			p := &program{files: map[string][]byte{c.File: bytes.Replace(c.Text, []byte("//go:build exercise"), nil, 1)}}
			out, err := p.build(t, "./"+filepath.Dir(c.File))
			if err == nil || !slices.ContainsFunc(unknownImport(), func(words string) bool { return strings.Contains(string(out), words) }) {
				t.Errorf("%s: %v\n%s", c.Name, err, out)
			}
		}
	}
}

// compare is probe.Compare of what lies in a folder.
func compare(folder string, want []exercises.Expectation, observation world.Observation) ([]grader.Field, bool, error) {
	reader := probe.NewReader(folder)
	defer reader.Close()
	return probe.Compare(context.Background(), reader, want, observation)
}
