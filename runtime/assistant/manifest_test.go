package assistant_test

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/runtime/assistant"
)

func TestManifestAgrees(t *testing.T) {
	for _, test := range []struct {
		name               string
		expected, observed map[string]string
		want               bool
	}{
		{"intact", map[string]string{"a": "1", "b": "2"}, map[string]string{"b": "2", "a": "1"}, true},
		{"missing member", map[string]string{"a": "1", "b": "2"}, map[string]string{"a": "1"}, false},
		{"changed digest", map[string]string{"a": "1", "b": "2"}, map[string]string{"a": "1", "b": "3"}, false},
		{"unexpected member", map[string]string{"a": "1"}, map[string]string{"a": "1", "b": "2"}, false},
		{"another name", map[string]string{"a": "1"}, map[string]string{"b": "1"}, false},
		{"empty digest of a missing member", map[string]string{"a": ""}, map[string]string{"b": ""}, false},
		{"both empty", map[string]string{}, map[string]string{}, false},
		{"both nil", nil, nil, false},
		{"nothing expected", nil, map[string]string{"a": "1"}, false},
		{"nothing observed", map[string]string{"a": "1"}, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := assistant.ManifestAgrees(test.expected, test.observed); got != test.want {
				t.Errorf("ManifestAgrees(%v, %v) = %v", test.expected, test.observed, got)
			}
		})
	}
}

func TestManifestAgreesIsEqualityOfNonEmptyMaps(t *testing.T) {
	small := rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), rapid.SampledFrom([]string{"", "1", "2"}), 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		expected, observed := small.Draw(t, "expected"), small.Draw(t, "observed")
		keptExpected, keptObserved := maps.Clone(expected), maps.Clone(observed)
		want := len(expected) > 0 && maps.Equal(expected, observed)
		if got := assistant.ManifestAgrees(expected, observed); got != want {
			t.Fatalf("ManifestAgrees(%v, %v) = %v", expected, observed, got)
		}
		if !maps.Equal(expected, keptExpected) || !maps.Equal(observed, keptObserved) {
			t.Fatal("an argument was changed")
		}
	})
}
