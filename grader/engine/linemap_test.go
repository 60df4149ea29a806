package engine_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/grader/engine"
)

func TestLineMapTravels(t *testing.T) {
	pair := rapid.Custom(func(t *rapid.T) [2]int {
		return [2]int{rapid.IntRange(0, 3).Draw(t, "file"), rapid.IntRange(0, 5000).Draw(t, "line")}
	})
	rapid.Check(t, func(t *rapid.T) {
		want := engine.LineMap{Files: []string{"a.go", "b.go"}, Marks: rapid.SliceOfN(pair, 1, 20).Draw(t, "marks")}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got engine.LineMap
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if len(want.Marks) == 1 && want.Marks[0] == [2]int{} { // a text of one line that stands for nothing
			want.Marks = nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v became %+v by way of %s", want, got, data)
		}
	})
}

func TestLineMapRefuses(t *testing.T) {
	for _, text := range []string{"1", "1.", ".1", "1.2.3", "-1.2", "1.-2", "a.b", "1.2,3.4", "99999999999.1", "1.2 x"} {
		var marks engine.Marks
		if err := marks.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read as %v", text, marks)
		}
	}
}
