package sandbox

import (
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	exactly := strings.Repeat("x", MaxShown)
	for _, test := range []struct {
		name    string
		raw     string
		total   int64
		omitted int64
	}{
		{"empty", "", 0, 0},
		{"all of it", "hello", 5, 0},
		{"exactly what is shown", exactly, MaxShown, 0},
		{"one byte more", exactly + "x", MaxShown + 1, 1},
		{"kept less than written", exactly, MaxShown + 500, 500},
		{"much more", strings.Repeat(exactly, 4), 5 * MaxShown, 4 * MaxShown},
	} {
		got := Printable([]byte(test.raw), test.total)
		if got.Total != test.total || got.Omitted != test.omitted {
			t.Errorf("%s: total %d, omitted %d; want %d, %d", test.name, got.Total, got.Omitted, test.total, test.omitted)
		}
		if want := test.raw; (test.omitted > 0) != (got.Whole == want && want != "") {
			t.Errorf("%s: %d bytes are kept whole", test.name, len(got.Whole))
		}
		if cut := strings.Contains(got.Text, "left out"); cut != (test.omitted > 0) {
			t.Errorf("%s: text says that something is left out: %v", test.name, cut)
		}
	}
	// The cuts do not fall inside a character, and head and tail are both there.
	wide := "HEAD" + strings.Repeat("世", MaxShown) + "TAIL"
	got := Printable([]byte(wide), int64(len(wide)))
	if strings.Contains(got.Text, `\x`) || !strings.HasPrefix(got.Text, "HEAD世") || !strings.HasSuffix(got.Text, "世TAIL") {
		t.Errorf("cut text begins %.20q and ends %q", got.Text, got.Text[len(got.Text)-20:])
	}
	if shown := strings.Count(got.Text, "世")*3 + 8; int64(shown)+got.Omitted != int64(len(wide)) {
		t.Errorf("%d bytes are shown and %d omitted of %d", shown, got.Omitted, len(wide))
	}
}

func TestBytesInWords(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1 KiB", 3584: "3.5 KiB", 16 << 20: "16 MiB", 3 << 29: "1.5 GiB"} {
		if got := bytesInWords(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
