package probe_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/runtime/world"
)

// mustWorld makes a folder with a database whose last commit is still in its log, as a killed worker leaves it.
func mustWorld(t *testing.T, statements ...string) string {
	t.Helper()
	live := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(live, "shop.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range append([]string{"PRAGMA journal_mode=WAL", "CREATE TABLE control(id INTEGER PRIMARY KEY, paused INTEGER, note TEXT, data BLOB, price REAL)"}, statements...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	copied := t.TempDir()
	for _, name := range []string{"shop.sqlite", "shop.sqlite-wal"} {
		data, err := os.ReadFile(filepath.Join(live, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(copied, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return copied
}

func TestReadSnapshotAppliesTheLogAndKeepsKinds(t *testing.T) {
	folder := mustWorld(t, "INSERT INTO control VALUES (1, 1, NULL, x'00ff', 1.0), (2, 0, '1', NULL, NULL)")
	if err := os.WriteFile(filepath.Join(folder, "shop.authority"), []byte("7c1e"), 0o600); err != nil {
		t.Fatal(err)
	}
	snapshot, err := probe.ReadSnapshot(context.Background(), folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(snapshot.Databases) != 1 || len(snapshot.Files) != 1 || snapshot.Files[0].Text != "7c1e" {
		t.Fatalf("got %+v", snapshot)
	}
	rows := snapshot.Databases[0].Tables[0].Rows
	for i, want := range [][]world.Value{
		{world.IntValue(1), world.IntValue(1), world.NullValue(), world.StringValue("x'00ff'"), world.FloatValue(1)},
		{world.IntValue(2), world.IntValue(0), world.StringValue("1"), world.NullValue(), world.NullValue()},
	} {
		for j := range want {
			if !rows[i][j].Equal(want[j]) {
				t.Errorf("row %d column %d: got %v (%s), want %v", i, j, rows[i][j], rows[i][j].Kind(), want[j])
			}
		}
	}
}

func TestReadSnapshotNamesTheDatabaseThatCannotBeRead(t *testing.T) {
	folder := mustWorld(t)
	path := filepath.Join(folder, "shop.sqlite")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(path + "-wal")
	for i := 100; i < len(data); i++ {
		data[i] = 0xAA
	}
	if err := os.WriteFile(path, append(data, make([]byte, 4096)...), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = probe.ReadSnapshot(context.Background(), folder)
	if err == nil || !strings.Contains(err.Error(), "shop.sqlite") {
		t.Fatalf("got %v", err)
	}
}

func TestCompareReadsTheArtifactAndNotTheWordsOfTheProgram(t *testing.T) {
	folder := mustWorld(t, "INSERT INTO control VALUES (1, 0, 'x', NULL, 2.0)")
	expectation := []exercises.Expectation{
		{Field: "paused", Expected: world.BoolValue(true), Artifact: "shop.sqlite", Query: "SELECT paused FROM control"},
		{Field: "price", Expected: world.IntValue(2), Artifact: "shop.sqlite", Query: "SELECT price FROM control"},
		{Field: "gone", Expected: world.BoolValue(false), Artifact: "other.sqlite", Query: "SELECT 0"},
		{Field: "error", Expected: world.NullValue()},
	}
	var observation world.Observation
	observation.Bool("paused", true) // a lie
	observation.Null("error")
	observation.Int("extra", 1)
	fields, agrees, err := compare(folder, expectation, observation)
	if err != nil {
		t.Fatal(err)
	}
	if agrees || len(fields) != 5 {
		t.Fatalf("agrees %v with %+v", agrees, fields)
	}
	for i, want := range []struct {
		name     string
		agrees   bool
		observed world.Value
	}{
		{"paused", false, world.BoolValue(false)},
		{"price", false, world.FloatValue(2)}, // 2.0 is not 2
		{"gone", false, world.Value{}},
		{"error", true, world.NullValue()},
		{"extra", false, world.IntValue(1)},
	} {
		if f := fields[i]; f.Name != want.name || f.Agrees != want.agrees || !f.Observed.Equal(want.observed) {
			t.Errorf("field %d: got %+v, want %+v", i, f, want)
		}
	}
}

func TestCompareOfNothingIsNoPass(t *testing.T) {
	if _, agrees, err := compare(t.TempDir(), nil, world.Observation{}); agrees || err != nil {
		t.Fatalf("agrees %v, %v", agrees, err)
	}
}

// compare is probe.Compare of what lies in a folder.
func compare(folder string, want []exercises.Expectation, observation world.Observation) ([]grader.Field, bool, error) {
	reader := probe.NewReader(folder)
	defer reader.Close()
	return probe.Compare(context.Background(), reader, want, observation)
}
