package sandbox

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"fieldbook/grader"
)

// Printable makes an output safe to show. Of total bytes written, raw are those that were kept, from the first on; of
// these at most MaxShown stay, head and tail, with a line between them that says how many were left out.
func Printable(raw []byte, total int64) grader.Output {
	const tail = MaxShown / 4
	out := grader.Output{Total: total}
	if len(raw) <= MaxShown && total <= int64(len(raw)) {
		out.Text = grader.Visible(raw)
		return out
	}
	head, last := raw, []byte(nil)
	if len(raw) > MaxShown {
		head, last = raw[:runeStart(raw, MaxShown-tail)], raw[runeStart(raw, len(raw)-tail):]
	}
	out.Omitted = total - int64(len(head)) - int64(len(last))
	out.Whole = grader.Visible(raw)
	out.Text = grader.Visible(head) + fmt.Sprintf("\n… %d bytes left out …\n", out.Omitted) + grader.Visible(last)
	return out
}

// runeStart is the largest index of data not above at that is not inside a character, where data is UTF-8.
func runeStart(data []byte, at int) int {
	for back := range utf8.UTFMax {
		if at-back >= 0 && at-back < len(data) && utf8.RuneStart(data[at-back]) {
			return at - back
		}
	}
	return at
}

// bytesInWords is a size for people: "16 MiB", "3.5 KiB", "12 bytes".
func bytesInWords(n int64) string {
	units := []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}}
	for _, unit := range units {
		if n >= unit.size {
			number := strconv.FormatFloat(float64(n)/float64(unit.size), 'f', 1, 64)
			return strings.TrimSuffix(number, ".0") + " " + unit.name
		}
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
