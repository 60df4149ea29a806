//go:build linux && (amd64 || arm64)

package enter

import "golang.org/x/sys/unix"

// assembler writes a classic BPF program over struct seccomp_data: nr, architecture, instruction pointer, six arguments.
// The number of the call is in the accumulator between calls to call and when; a block given to call loads other words
// and must end in a return.
type assembler struct{ program []unix.SockFilter }

const (
	offsetNumber       = 0
	offsetArchitecture = 4
	offsetArguments    = 16
)

func (f *assembler) emit(code uint16, k uint32, yes, no uint8) {
	f.program = append(f.program, unix.SockFilter{Code: code, Jt: yes, Jf: no, K: k})
}

func (f *assembler) loadAt(offset int) {
	f.emit(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, uint32(offset), 0, 0)
}
func (f *assembler) ret(action uint32) { f.emit(unix.BPF_RET|unix.BPF_K, action, 0, 0) }

// low and high are the offsets of the halves of an argument; both architectures are little endian.
func (f *assembler) low(argument int) int  { return offsetArguments + 8*argument }
func (f *assembler) high(argument int) int { return f.low(argument) + 4 }

// load takes the low half of an argument: enough for flags, signals and process ids, which the kernel reads as 32 bits.
func (f *assembler) load(argument int) { f.loadAt(f.low(argument)) }

// whenEqual returns action when the accumulator is value.
func (f *assembler) whenEqual(value, action uint32) {
	f.emit(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, value, 0, 1)
	f.ret(action)
}

// unlessEqual returns action when the accumulator is not value.
func (f *assembler) unlessEqual(value, action uint32) {
	f.emit(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, value, 1, 0)
	f.ret(action)
}

// whenBits returns action when the accumulator under mask is bits. It leaves the accumulator masked.
func (f *assembler) whenBits(mask, bits, action uint32) {
	f.emit(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, mask, 0, 0)
	f.whenEqual(bits, action)
}

// when returns action for a call.
func (f *assembler) when(call, action uint32) { f.whenEqual(call, action) }

// call runs block for a call. The block must return.
func (f *assembler) call(number uint32, block func()) {
	at := len(f.program)
	f.emit(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, number, 0, 0)
	block()
	f.program[at].Jf = uint8(len(f.program) - at - 1)
}

// architecture ends processes that call through another architecture's table, where numbers mean other calls, and leaves
// the number of the call in the accumulator.
func (f *assembler) architecture() {
	f.loadAt(offsetArchitecture)
	f.unlessEqual(architecture, unix.SECCOMP_RET_KILL_PROCESS)
	f.loadAt(offsetNumber)
	if foreignBit != 0 {
		f.emit(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, foreignBit, 0, 1)
		f.ret(unix.SECCOMP_RET_KILL_PROCESS)
	}
}
