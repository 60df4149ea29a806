package exercises

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fieldbook/exercises/strict"
	"fieldbook/runtime/operation"
)

func TestReadRefusesCrashes(t *testing.T) {
	tests := []struct {
		name     string
		old, new string // in the manifest
		want     string // how one line of the error begins; LINE stands for any line number
	}{
		{"an unknown key", "again: probe_again.go", "agaain: probe_again.go", `restore/exercise.yaml:LINE: unknown key "agaain"`},
		{"a probe that is not there", "again: probe_again.go", "again: probe_twice.go", `restore/exercise.yaml:LINE: the folder has no file "probe_twice.go"`},
		{"no mark", "  to: restored\n", "", "restore/exercise.yaml:LINE: to is missing"},
		{"no value of a success", "returned: {field: restore_error, value: null}", "returned: {field: restore_error}",
			"restore/exercise.yaml:LINE: value is missing"},
		{"a value twice", "{name: owners,", "{name: epoch,", `restore/exercise.yaml:LINE: name "epoch" stands twice`},
		{"a value that looks like another moment", "{name: owners,", "{name: before_owners,", `restore/exercise.yaml:LINE: name is "before_owners"`},
		{"a value of a file and a database", "file: shop.authority}", "file: shop.authority, artifact: shop.sqlite, query: SELECT 1}",
			"restore/exercise.yaml:LINE: a value is read from a file, or from an artifact by a query"},
		{"a value that changes something", `"SELECT count(*) FROM assistant_work`, `"DELETE FROM assistant_work`, "restore/exercise.yaml:LINE: query must be one SELECT"},
		{"an invariant twice", "id: I5", "id: I4", `restore/exercise.yaml:LINE: id "I4" stands twice`},
		{"an invariant judged in two ways", "      intact: shop.sqlite", "      intact: shop.sqlite\n      holds: paused = 1",
			"restore/exercise.yaml:LINE: an invariant is judged by one of intact, same, unchanged, holds and reference; this one has 2"},
		{"a reference without another run", "      again: true\n", "", "restore/exercise.yaml:LINE: again belongs to holds or reference"},
		{"a condition of nothing", "      same: shop-backups/morning.sqlite", "      same: shop-backups/morning.sqlite\n      when: paused = 1",
			"restore/exercise.yaml:LINE: when and except belong to unchanged"},
		{"a file outside scratch", "same: shop-backups/morning.sqlite", "same: ../morning.sqlite", `restore/exercise.yaml:LINE: "../morning.sqlite" is no path`},
		{"a column without a table", "except: [assistant_control.paused]", "except: [paused]", `restore/exercise.yaml:LINE: except is "paused"; write table.column`},
		{"another moment of no value", "holds: epoch = before_epoch OR marker", "holds: epoch = before_epok OR marker",
			`restore/exercise.yaml:LINE: before_epok names "epok"`},
		{"words for nothing", `text: copy of the image, seen: [{name: database.CopyInto, subject: shop.sqlite}]`, `text: copy of the image, seen: []`,
			"restore/exercise.yaml:LINE: seen is missing: say which operations"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := copyOf(t, "restore")
			a.replace(t, manifestName, test.old, test.new)
			_, err := Read(a, "restore")
			var list *strict.Error
			if !errors.As(err, &list) {
				t.Fatalf("error = %v, want a *strict.Error", err)
			}
			if !slices.ContainsFunc(strings.Split(err.Error(), "\n"), func(line string) bool { return begins(line, test.want) }) {
				t.Errorf("error =\n%v\nwant a line that begins\n%s", err, test.want)
			}
		})
	}
}

func TestWords(t *testing.T) {
	got := Words("marker IS epoch OR (before_epoch=1 AND x2 <> 'y')")
	want := []string{"marker", "IS", "epoch", "OR", "before_epoch", "1", "AND", "x2", "y"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCaptionMatches(t *testing.T) {
	caption := Caption{Seen: []Match{{Name: "database.CopyInto", Subject: ".image-"}}}
	for subject, want := range map[string]bool{"shop.image-1/image.db": true, "shop.sqlite": false} {
		if got := caption.Matches(operation.Entry{Kind: operation.Call, Name: "database.CopyInto", Subject: subject}); got != want {
			t.Errorf("%s: %v, want %v", subject, got, want)
		}
	}
}
