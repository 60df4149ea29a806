package evidence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/grader"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

const restore = "runtime/assistant/restore.go"

func TestTimeline(t *testing.T) {
	log := []operation.Entry{
		{Seq: 1, Kind: operation.Call, Name: "database.Exec", Subject: "shop.sqlite", File: "probe.go", Line: 9},
		{Seq: 2, Kind: operation.Write, Call: 1, Path: "shop.sqlite-wal", Data: []byte("abc")},
		{Seq: 3, Kind: operation.Return, Call: 1},
		{Seq: 4, Kind: operation.Call, Name: "database.Backup", Subject: "b.sqlite", File: "probe.go", Line: 10},
		{Seq: 5, Kind: operation.Return, Call: 4},
		{Seq: 6, Kind: operation.Mark, Name: "at backup"},
		{Seq: 7, Kind: operation.Call, Name: "database.Immediate", Subject: "shop.sqlite", File: restore, Line: 24},
		{Seq: 8, Kind: operation.Call, Name: "database.Exec", Subject: "shop.sqlite", Detail: "UPDATE x", File: restore, Line: 25},
		{Seq: 9, Kind: operation.Write, Call: 8, Path: "shop.sqlite-wal", Data: []byte("12345")},
		{Seq: 10, Kind: operation.Return, Call: 8, Changed: 2},
		{Seq: 11, Kind: operation.Sync, Call: 7, Path: "shop.sqlite-wal"},
		{Seq: 12, Kind: operation.Return, Call: 7, Err: "stopped"},
		{Seq: 13, Kind: operation.Remove, Path: "shop.sqlite-wal"},
	}
	type line struct {
		Kind    evidence.StepKind
		Name    string
		Line    int
		Calls   int
		Durable int
		Bytes   int
		Changed int64
		Err     string
	}
	var got []line
	for _, s := range evidence.Timeline(log, restore) {
		got = append(got, line{s.Kind, s.Name, s.Line, s.Calls, len(s.Durable), s.Bytes(), s.Changed, s.Err})
	}
	want := []line{
		{evidence.ProbeStep, "", 0, 2, 1, 3, 0, ""},
		{evidence.MarkStep, "at backup", 0, 0, 0, 0, 0, ""},
		{evidence.CallStep, "database.Immediate", 24, 1, 1, 0, 0, "stopped"},
		// SQLite's own removal of the log joins the last step.
		{evidence.CallStep, "database.Exec", 25, 1, 2, 5, 2, ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTimelineOfNothing(t *testing.T) {
	if steps := evidence.Timeline(nil, restore); len(steps) != 0 {
		t.Errorf("an empty log gave %d steps", len(steps))
	}
}

func TestTrails(t *testing.T) {
	control := func(epoch string, paused int64) grader.DatabaseSnapshot {
		return grader.DatabaseSnapshot{Path: "shop.sqlite", Tables: []grader.Table{
			{Name: "assistant_control", Columns: []string{"id", "epoch", "paused"},
				Rows: [][]world.Value{{world.IntValue(1), world.StringValue(epoch), world.IntValue(paused)}}},
			{Name: "cash", Columns: []string{"id", "cents"}, Rows: [][]world.Value{{world.IntValue(1), world.IntValue(20000)}}},
		}}
	}
	const old, fresh = "7c1e0000000000000000000000000000", "b90f0000000000000000000000000000"
	report := grader.Report{
		Fields: []grader.Field{
			{Name: "restored_paused", Expected: world.BoolValue(true), Observed: world.BoolValue(false), From: "shop.sqlite, assistant_control.paused"},
			{Name: "cash", Agrees: true, From: "shop.sqlite, cash.cents"},
		},
		Stages: []grader.Stage{
			{Label: "at backup", Snapshot: grader.Snapshot{Databases: []grader.DatabaseSnapshot{control(old, 0)}}},
			{Label: "restored", Snapshot: grader.Snapshot{
				Databases: []grader.DatabaseSnapshot{control(fresh, 0)},
				Files:     []grader.FileSnapshot{{Path: "shop.authority", Text: fresh + "\n"}},
			}},
		},
	}
	want := []evidence.Trail{
		{Place: "shop.sqlite", Title: "assistant_control 1", Cells: []evidence.Cell{
			{Name: "epoch", Values: []world.Value{world.StringValue(old), world.StringValue(fresh)}, Changed: []bool{false, true}},
			// Unchanged, and shown all the same: the report says that this cell differs.
			{Name: "paused", Values: []world.Value{world.IntValue(0), world.IntValue(0)}, Changed: []bool{false, false}, Differs: true},
		}},
		{Title: "shop.authority", Cells: []evidence.Cell{
			{Name: "contents", Values: []world.Value{{}, world.StringValue(fresh)}, Changed: []bool{false, true}},
		}},
	}
	if diff := cmp.Diff(want, evidence.Trails(report), cmp.Comparer(func(a, b world.Value) bool { return a.Equal(b) })); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"at backup", "restored"}, evidence.Stages(report)); diff != "" {
		t.Error(diff)
	}
}

func TestTrailsTellRepeatedNamesApart(t *testing.T) {
	row := func(id string, n int64) []world.Value { return []world.Value{world.StringValue(id), world.IntValue(n)} }
	stage := func(rows ...[]world.Value) grader.Stage {
		return grader.Stage{Snapshot: grader.Snapshot{Databases: []grader.DatabaseSnapshot{
			{Path: "d", Tables: []grader.Table{{Name: "t", Columns: []string{"id", "n"}, Rows: rows}}}}}}
	}
	trails := evidence.Trails(grader.Report{Stages: []grader.Stage{stage(row("a", 1), row("a", 2)), stage(row("a", 1), row("a", 3))}})
	if len(trails) != 1 || trails[0].Title != "t a/2" {
		t.Errorf("trails %+v, want the second row alone", trails)
	}
}

func TestTrailsCallARowByItsName(t *testing.T) {
	stage := func(status string) grader.Stage {
		return grader.Stage{Snapshot: grader.Snapshot{Databases: []grader.DatabaseSnapshot{{Path: "d", Tables: []grader.Table{{
			Name: "work", Columns: []string{"id", "origin", "status"},
			Rows: [][]world.Value{{world.StringValue("b5160000000000000000000000000000"), world.StringValue("morning:brief"), world.StringValue(status)}},
		}}}}}}
	}
	trails := evidence.Trails(grader.Report{Stages: []grader.Stage{stage("READY"), stage("RUNNING")}})
	if len(trails) != 1 || trails[0].Title != "work morning:brief" {
		t.Errorf("trails %+v, want the row called by its origin", trails)
	}
}

func TestStagesLeaveOutALastOneThatRepeats(t *testing.T) {
	stage := func(label, text string) grader.Stage {
		return grader.Stage{Label: label, Snapshot: grader.Snapshot{Files: []grader.FileSnapshot{{Path: "f", Text: text}}}}
	}
	for _, c := range []struct {
		stages []grader.Stage
		want   []string
	}{
		{[]grader.Stage{stage("a", "1"), stage("b", "2"), stage("end", "2")}, []string{"a", "b"}},
		{[]grader.Stage{stage("a", "1"), stage("end", "2")}, []string{"a", "end"}},
		{[]grader.Stage{stage("end", "1")}, []string{"end"}},
	} {
		if diff := cmp.Diff(c.want, evidence.Stages(grader.Report{Stages: c.stages})); diff != "" {
			t.Error(diff)
		}
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		v    world.Value
		want string
	}{
		{world.Value{}, "-"}, {world.NullValue(), "-"}, {world.IntValue(0), "0"}, {world.BoolValue(false), "false"},
		{world.StringValue("b90f0000000000000000000000000000"), "b90f…"}, {world.StringValue("morning:brief"), "morning:brief"},
	} {
		if got := evidence.Short(c.v); got != c.want {
			t.Errorf("Short(%v) = %q, want %q", c.v, got, c.want)
		}
	}
}
