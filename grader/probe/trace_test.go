package probe

import (
	"strings"
	"testing"
)

// TestTraced reads reports as the Go runtime writes them.
func TestTraced(t *testing.T) {
	files := []string{"runtime/assistant/restore.go", "probe/probe.go", "main.go"}
	for _, test := range []struct {
		name, report string
		file         string
		line         int
		first        bool
	}{
		{"a goroutine of the learner's", `panic: assignment to entry in nil map

goroutine 8 [running]:
fieldbook/runtime/assistant.Restore.func1()
	/source/runtime/assistant/restore.go:12 +0x2c
created by fieldbook/runtime/assistant.Restore in goroutine 1
	/source/runtime/assistant/restore.go:10 +0x5d
`, "runtime/assistant/restore.go", 12, false},
		{"below standard code, with arguments", `panic: strings: negative Repeat count

goroutine 1 [running]:
strings.Repeat({0x4a1b2c, 0x1}, 0xffffffffffffffff)
	/usr/local/go/src/strings/strings.go:624 +0x5c5
fieldbook/runtime/assistant.(*desk).fill(...)
	/source/runtime/assistant/restore.go:31
main.main()
	/source/builtprogram/zz_main.go:6 +0x1d
`, "runtime/assistant/restore.go", 31, true},
		{"an initialiser of a main package", `panic: runtime error: index out of range [3] with length 0

goroutine 1 [running]:
main.init()
	C:/source/builtprogram/main.go:5 +0x1d
`, "main.go", 5, true},
		{"a call that only stands above", `panic: x

goroutine 7 [running]:
fieldbook/runtime/shop.Charge()
	/source/runtime/shop/work.go:3 +0x1d
created by fieldbook/runtime/assistant.Restore in goroutine 1
	/source/runtime/assistant/restore.go:10 +0x5d
`, "", 0, false},
		{"another goroutine's call", `panic: x

goroutine 7 [running]:
fieldbook/runtime/shop.Charge()
	/source/runtime/shop/work.go:3 +0x1d

goroutine 1 [chan receive]:
fieldbook/runtime/assistant.Restore()
	/source/runtime/assistant/restore.go:10 +0x5d
`, "", 0, false},
		{"no report", "out of ice\n", "", 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			file, line, first := traced([]byte(test.report), files)
			if file != test.file || line != test.line || first != test.first {
				t.Errorf("got %q, %d, %v", file, line, first)
			}
		})
	}
}

func FuzzTraced(f *testing.F) {
	f.Add("panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/source/main.go:5 +0x1d\n")
	f.Fuzz(func(t *testing.T, report string) {
		file, line, _ := traced([]byte(report), []string{"main.go"})
		if file == "" && line != 0 || file != "" && !strings.Contains(report, file) {
			t.Errorf("got %q, %d", file, line)
		}
	})
}
