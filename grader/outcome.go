package grader

// Outcome is what happened when a learner's source was prepared and run: exactly one for every run.
type Outcome string

// The outcomes of DESIGN §5. Only Observed carries an observation worth comparing.
const (
	Observed     Outcome = "observed"      // the probe ended and its observation arrived
	Unfinished   Outcome = "unfinished"    // the function still calls exercise.Unfinished
	CompileError Outcome = "compile_error" // the type-checker or the rules of the exercise refuse the source
	Panic        Outcome = "panic"         // the learner's code panicked, in a goroutine too
	NoResult     Outcome = "no_result"     // the process ended without the completion frame: exit, Goexit, deadlock
	Unstable     Outcome = "unstable"      // two executions of the same input differ
	Unsupported  Outcome = "unsupported"   // right Go that the interpreter would run wrong; refused before running

	Timeout          Outcome = "timeout"
	CPULimit         Outcome = "cpu_limit"
	MemoryLimit      Outcome = "memory_limit"
	OutputLimit      Outcome = "output_limit"
	SandboxViolation Outcome = "sandbox_violation"
	Tampered         Outcome = "tampered" // a forged or second frame

	EnginesDisagree Outcome = "engines_disagree" // interpreter and toolchain differ: ours to mend
	Infrastructure  Outcome = "infrastructure"   // our machine or our code failed
)

// Verdict is what an outcome means for a grade.
type Verdict string

const (
	Pass      Verdict = "PASS"
	NeedsWork Verdict = "NEEDS_WORK"
	// NotRunnable is the verdict of source that the engine cannot run right: neither passed nor failed.
	NotRunnable Verdict = "UNSUPPORTED"
	Invalid     Verdict = "INVALID"
	Limit       Verdict = "LIMIT"
	Void        Verdict = "VOID"
)

// Exit codes are the same for every command, scenario excepted.
const (
	ExitPass        = 0
	ExitNeedsWork   = 1
	ExitUsage       = 2
	ExitUnsupported = 3
	ExitInvalid     = 4
	ExitLimit       = 5
	ExitVoid        = 6
	ExitInterrupted = 130
)

// Judge turns an outcome into a verdict. agrees says whether an observation equals its expectation; it is ignored for
// every other outcome. An outcome that is not listed is our mistake and never a pass.
func Judge(outcome Outcome, agrees bool) Verdict {
	switch outcome {
	case Observed:
		if agrees {
			return Pass
		}
		return NeedsWork
	case Unfinished, CompileError, Panic, NoResult, Unstable:
		return NeedsWork
	case Unsupported:
		return NotRunnable
	case Timeout, CPULimit, MemoryLimit, OutputLimit, SandboxViolation, Tampered:
		return Limit
	default:
		return Void
	}
}

// ExitCode is the process exit code of a verdict.
func (v Verdict) ExitCode() int {
	switch v {
	case Pass:
		return ExitPass
	case NeedsWork:
		return ExitNeedsWork
	case NotRunnable:
		return ExitUnsupported
	case Invalid:
		return ExitInvalid
	case Limit:
		return ExitLimit
	default:
		return ExitVoid
	}
}
