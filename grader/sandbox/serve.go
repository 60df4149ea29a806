package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"fieldbook/grader/sandbox/enter"
)

// WorkerArg is the first argument of a worker's command line.
const WorkerArg = enter.Arg

// IsWorker reports whether a program was started as a worker.
func IsWorker(args []string) bool {
	return len(args) > 1 && (args[1] == enter.Arg || args[1] == enter.NativeArg)
}

// Session is what the function gets.
type Session struct {
	Request  []byte
	Ahead    string    // Job.Ahead, when the role's warm was not given it; "" otherwise
	Scratch  string    // the function's folder, and its working directory; "" in profile Pure
	Log      io.Writer // operation log: each Write is in the parent's hands when it returns
	MaxReply int       // largest reply in bytes
}

// TooLargeError is what a function returns in place of a reply that would be larger than it may be: the run ends as if the
// reply had been made. Making it can take all the memory there is.
type TooLargeError struct{ Size int } // in bytes, at least

func (e *TooLargeError) Error() string { return fmt.Sprintf("a reply of %d bytes", e.Size) }

// Function is the work of a worker. An error is our own failure (the request cannot be read), not the learner's: that
// belongs into the reply. A panic that leaves it ends the process and becomes the outcome Panic.
type Function func(Session) ([]byte, error)

// Serve makes the process a worker with one function: that of jobs without a role. See ServeRoles.
func Serve(warm func() Function) {
	ServeRoles(map[string]Warm{"": func(string) Function { return warm() }})
}

// Warm prepares what can be prepared before a request is known (the interpreter and its symbols) and returns the function.
// ahead is Job.Ahead of the jobs that the worker is meant for; "" when that is not known, and the Session brings it.
type Warm func(ahead string) Function

// ServeRoles makes the process a worker: it puts the layers on, calls its role's warm, says that it is ready, runs the
// function on one request, writes one frame and exits with status 0; a standing worker goes on with the next request. It
// never returns. Neither warm nor anything imported may wait for signals or leave a goroutine in a pollable read: the
// runtime would no longer see that a learner's program is deadlocked.
func ServeRoles(roles map[string]Warm) {
	worker := enter.Enter()
	warm := roles[worker.Config.Role]
	if warm == nil {
		fmt.Fprintf(os.Stderr, "this program has no worker of the role %q\n", worker.Config.Role)
		os.Exit(enter.ExitNoRequest)
	}
	function := warm(worker.Config.Ahead)
	if err := worker.Descriptors.WriteResult(enter.Frame([]byte{enter.ReadyByte})); err != nil {
		os.Exit(enter.ExitNoRequest)
	}
	serveOne(worker, function)
	for worker.Config.Standing {
		serveOne(worker, function)
	}
	os.Exit(0)
}

// serveOne runs the function on one request and writes one frame. It ends the process when there is no request.
func serveOne(worker *enter.Worker, function Function) {
	payload, err := worker.Descriptors.ReadFrame(MaxRequest)
	if err != nil {
		os.Exit(enter.ExitNoRequest)
	}
	if !worker.Config.Standing {
		worker.Descriptors.CloseRequest()
	}
	request, err := decodeRequest(payload)
	if err != nil {
		os.Exit(enter.ExitNoRequest)
	}
	mac := hmac.New(sha256.New, request.nonce)
	clear(request.nonce)

	// Not in a deferred call: runtime.Goexit runs those, and must not complete the run.
	kind, reply := perform(worker, function, request)
	frame := sealResult(mac, kind, reply)
	if err := worker.Descriptors.WriteResult(frame); err != nil {
		os.Exit(enter.ExitNoFrame)
	}
}

// perform runs the request and says what kind of frame its answer makes.
func perform(worker *enter.Worker, function Function, request request) (frameKind, []byte) {
	folder := worker.Report.Folder
	if err := writeInputs(folder, request.inputs); err != nil {
		return frameFailed, []byte(err.Error())
	}
	if request.attack != "" {
		function = attackFunction(request.attack)
	}
	reply, err := function(Session{Request: request.body, Ahead: request.ahead, Scratch: folder, Log: worker.Descriptors.Log(enter.LogLimit(worker.Config.Disk)), MaxReply: request.reply})
	tooLarge, ok := errors.AsType[*TooLargeError](err)
	switch {
	case ok:
		return frameTooLarge, fmt.Append(nil, tooLarge.Size)
	case err != nil:
		return frameFailed, []byte(err.Error())
	case len(reply) > request.reply:
		return frameTooLarge, fmt.Append(nil, len(reply))
	default:
		return frameReply, reply
	}
}
