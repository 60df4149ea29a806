package probe_test

import (
	"embed"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
)

// The programs, each a whole learner's file with func Solve(in string) string. README.md beside them says what is required
// of each kind; requirements says it of each one.
//
//go:embed testdata/hostile/*.go.txt
var hostile embed.FS

// requirement is how a program must end when it is shipped, and when it has every package.
type requirement struct {
	shipped, full endings
	code          string        // of the first diagnostic, where shipped it does not compile
	cause         string        // part of the cause, of every outcome but those of source and of an observation
	limits        grader.Limits // zero fields are the sandbox's own
	own           bool          // full: what the program boasts of may happen; it reaches nothing but the program itself
	visible       string        // full, where a worker has no file tree of its own: another reply that is right
}

// endings are outcomes any of which is right. An observation is right with a reply that begins like one of those listed. A
// reply that begins with LEAK never is, unless the requirement says what for.
type endings struct {
	outcomes []grader.Outcome
	replies  []string
}

func endsWith(outcomes ...grader.Outcome) endings { return endings{outcomes: outcomes} }

func replies(begin ...string) endings {
	return endings{outcomes: []grader.Outcome{grader.Observed}, replies: begin}
}

func (e endings) or(outcomes ...grader.Outcome) endings {
	e.outcomes = append(slices.Clip(e.outcomes), outcomes...)
	return e
}

// Limits of programs that are to reach them. Those that fill memory get time enough to do so on a busy machine, and those
// that do it in small pieces get less to fill.
var (
	short   = grader.Limits{Wall: 300 * time.Millisecond, CPU: 200 * time.Millisecond}
	patient = grader.Limits{Wall: 60 * time.Second, CPU: 20 * time.Second}
	narrow  = grader.Limits{Wall: 60 * time.Second, CPU: 20 * time.Second, Memory: 128 << 20}
	brief   = grader.Limits{Wall: 60 * time.Second, CPU: time.Second}
)

// refused is required of what needs a package that is not offered. With every package there, it gets an error value.
func refused() requirement {
	return requirement{shipped: endsWith(grader.CompileError), code: "import_not_offered", full: replies("DENIED")}
}

// both is required of what needs no such package.
func both(e endings) requirement { return requirement{shipped: e, full: e} }

func requirements() map[string]requirement {
	all := map[string]requirement{}
	for _, name := range []string{
		"01_read_passwd", "03_parent_environ", "04_own_env_secret", "25_proc_self_mem", "26_proc_ppid_mem", "27_symlink_escape",
		"63_chmod_truncate_outside", "65_truncate_outside", "66_utimes_outside",
		"06_tcp_connect", "08_udp_send", "09_tcp_listen", "29_abstract_unix", "30_path_unix",
		"23_kill_parent", "24_kill_parent_os", "62_prlimit_parent", "47_raise_rlimit",
		"15_mmap_shared_bomb", "42_memfd_exec", "46_mmap_exec", "18_big_file", "48_fd_exhaust",
	} {
		all[name] = refused()
	}
	r := refused()
	r.visible = "LEAK stat size"
	all["64_stat_outside"] = r

	r = refused()
	r.full = r.full.or(grader.OutputLimit)
	all["17_disk_fill"] = r

	// Calls that only someone makes who wants to get out end the process.
	for _, name := range []string{"11_syscall_exec", "12_fork_bomb", "43_process_vm_readv", "45_io_uring"} {
		r := refused()
		r.full, r.cause = endsWith(grader.SandboxViolation), "the sandbox forbids"
		all[name] = r
	}
	r = refused()
	r.full = r.full.or(grader.SandboxViolation)
	all["10_exec_shell"] = r

	// What a program finds in its own process, or changes there, is of no use to it: no expected value is there, and no
	// later run. A forged result has the wrong authentication code.
	for name, full := range map[string]endings{
		"34_forge_result_fds": replies("LEAK wrote fds").or(grader.Tampered, grader.NoResult),
		"35_mutate_globals":   replies("LEAK mutated"),
		"39_interp_symbols":   replies("LEAK got Symbols map"),
		"40_heapdump_nonce":   replies("LEAK heapdump", "DENIED"),
	} {
		r := refused()
		r.full, r.own = full, true
		all[name] = r
	}
	all["36_mutate_io_only"] = both(replies("MUTATED"))
	// There is no tear to be found. The program may come to its limits before it has looked for long.
	looks := replies("no tear").or(grader.MemoryLimit, grader.Timeout, grader.CPULimit)
	all["77_race_read_nonce"] = requirement{shipped: looks, full: looks, limits: brief}

	r = both(endsWith(grader.MemoryLimit))
	r.cause, r.limits = "limit: 320 MiB of memory", patient
	all["13_mem_bomb"], all["57_alloc_giant"] = r, r
	r.cause, r.limits = "limit: 128 MiB of memory", narrow
	all["14_mem_small_objects"], all["16_goroutine_bomb"] = r, r
	r = both(endsWith(grader.OutputLimit))
	r.cause = "limit: 1 MiB of printed output"
	all["19_huge_stdout"] = r
	r.cause = "limit: 64 KiB of observation"
	all["55_huge_observation"] = r

	for _, name := range []string{"52_sigstop_self", "70_init_loop", "72_shadow_builtin"} {
		r := both(endsWith(grader.Timeout, grader.CPULimit))
		r.cause, r.limits = "limit: 0.", short
		all[name] = r
	}
	r = all["52_sigstop_self"]
	r.shipped, r.code = endsWith(grader.CompileError), "import_not_offered"
	all["52_sigstop_self"] = r
	r = all["70_init_loop"]
	r.shipped, r.code = endsWith(grader.CompileError), "init"
	all["70_init_loop"] = r

	for name, cause := range map[string]string{
		"22_block_forever":  "all goroutines are asleep",
		"37_deep_recursion": "the stack overflowed",
		"51_thread_bomb":    "used up its threads",
	} {
		r := both(endsWith(grader.NoResult))
		r.cause = cause
		all[name] = r
	}
	r = all["51_thread_bomb"]
	r.shipped, r.code = endsWith(grader.CompileError), "import_not_offered"
	all["51_thread_bomb"] = r
	// With one processor, two writes meet only when one of them is interrupted.
	r = both(endsWith(grader.NoResult, grader.Timeout, grader.CPULimit))
	r.limits = short
	all["59_map_concurrent_fatal"] = r
	r = both(endsWith(grader.Panic))
	r.cause = "boom"
	all["38_panic_goroutine"] = r

	// Source that does not compile, and what the interpreter does with it when nothing has checked it.
	for name, ill := range map[string]struct {
		code string
		full endings
	}{
		"41_source_import":  {"import_not_offered", replies("REFUSED")},
		"50_import_c":       {"cgo", replies("REFUSED")},
		"49_const_bomb":     {"type", endsWith(grader.MemoryLimit)},
		"67_recursive_type": {"type", replies("done")},
		"74_const_shift":    {"type", replies("no")},
	} {
		all[name] = requirement{shipped: endsWith(grader.CompileError), code: ill.code, full: ill.full}
	}
	all["68_deep_nesting"] = both(replies("(((("))
	all["75_regex_bomb"] = both(replies("DENIED error parsing regexp"))

	all["60_flaky_time"] = both(replies("0", "1"))
	all["73_finalizer_after"] = both(replies("returned"))
	all["78_atomic_pointer"] = requirement{shipped: replies("ok 1"), full: replies("REFUSED")}
	return all
}

// hostileNames are the programs in their order.
func hostileNames(t testing.TB) []string {
	t.Helper()
	entries, err := hostile.ReadDir("testdata/hostile")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".go.txt"))
	}
	return names
}

func hostileSource(t testing.TB, name string) string {
	t.Helper()
	text, err := hostile.ReadFile(path.Join("testdata/hostile", name+".go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEveryProgramHasARequirement(t *testing.T) {
	all := requirements()
	names := hostileNames(t)
	for _, name := range names {
		if _, known := all[name]; !known {
			t.Errorf("nothing is required of %s", name)
		}
	}
	for name := range all {
		if !slices.Contains(names, name) {
			t.Errorf("there is no program %s", name)
		}
	}
}
