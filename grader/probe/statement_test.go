package probe

import "testing"

func TestSameStatement(t *testing.T) {
	const text = `package p

func f(list []int) int {
	n := g(
		list[0],
		func() int {
			return list[1]
		}(),
	)
	if n > list[2] &&
		n < list[3] {
		n = list[4]
	}
	return n
}

var total = f(
	nil,
)
`
	for _, test := range []struct {
		a, b int
		same bool
	}{
		{4, 4, true}, {4, 5, true}, {4, 9, true}, {4, 7, false}, {5, 7, false}, {10, 11, true}, {10, 12, false}, {4, 10, false},
		{12, 14, false}, {17, 18, true}, {1, 2, false},
	} {
		if got := sameStatement([]byte(text), test.a, test.b); got != test.same {
			t.Errorf("lines %d and %d: got %v", test.a, test.b, got)
		}
	}
	if sameStatement(nil, 4, 5) || !sameStatement(nil, 4, 4) {
		t.Error("without a text only equal lines are the same")
	}
}
