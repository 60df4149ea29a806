package report_test

import (
	"reflect"
	"strings"
	"testing"

	"fieldbook/grader"
	"fieldbook/grader/report"
)

// TestAStudentsReportCanHoldNoText walks the type: a field that can carry text could carry a holdout.
func TestAStudentsReportCanHoldNoText(t *testing.T) {
	var walk func(reflect.Type, string)
	walk = func(typ reflect.Type, name string) {
		switch typ.Kind() {
		case reflect.Struct:
			for i := range typ.NumField() {
				walk(typ.Field(i).Type, name+"."+typ.Field(i).Name)
			}
		case reflect.Bool, reflect.Int, reflect.Uint8:
		default:
			t.Errorf("%s is a %s", name, typ)
		}
	}
	walk(reflect.TypeFor[report.Student](), "Student")
}

func TestLines(t *testing.T) {
	type run struct {
		outcome grader.Outcome
		verdict grader.Verdict
	}
	for name, test := range map[string]struct {
		visible report.Standing
		runs    []run
		want    string
	}{
		"VisibleAlone": {report.Passed, nil, "All VISIBLE probes passed; holdouts run at grading."},
		"NothingYet":   {report.NotRun, nil, ""},
		"Everything":   {report.Passed, []run{{grader.Observed, grader.Pass}}, "All VISIBLE probes passed.\nHoldouts: 1 of 1 cases passed, 2 of 2 points."},
		"Some": {
			report.NotPassed,
			[]run{
				{grader.Observed, grader.Pass}, {grader.Observed, grader.NeedsWork}, {grader.Unstable, grader.NeedsWork},
				{grader.Panic, grader.NeedsWork}, {grader.Timeout, grader.Limit}, {grader.Infrastructure, grader.Void},
			},
			"A visible probe did not pass: run the exercise, its report says which field differs.\n" +
				"Holdouts: 1 of 6 cases passed, 2 of 12 points.\n" +
				"Of the others 1 did something else than was asked for, 1 did different things in two executions, 1 panicked or ended early, 1 reached a limit, 1 could not be judged.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := report.Student{Visible: test.visible}
			for _, r := range test.runs {
				s.Add(r.outcome, r.verdict, 2)
			}
			if got := strings.Join(s.Lines(), "\n"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}
