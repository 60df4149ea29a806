package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/sandbox/enter"
)

// Options are how a pool starts its workers.
type Options struct {
	Command  string   // the worker's program; "" is this one, started again
	Native   bool     // Command initialises learner packages before main: package enter must be among their imports
	Spare    int      // workers kept ready for each of the two shapes last used: role, profile and limits; 0 is 2, negative is none
	Parallel int      // runs at a time; 0 is the number of processors
	Require  string   // level below which nothing is run; "" is Weak
	TempDir  string   // where scratch folders go if workers cannot have their own mounts; "" is the system's
	Without  []string // layers to leave out, by name: how the lower levels are tested on a machine that has them all
}

const defaultSpare = 2

// Pool starts workers ahead of their runs. It may be used from many goroutines.
type Pool struct {
	options  Options
	launcher *launcher
	ways     []way
	slots    chan struct{} // one for each run at a time
	work     sync.WaitGroup
	closing  sync.Once
	open     context.Context // ends with the pool: spares on their way are given up
	shut     context.CancelFunc

	mu      sync.Mutex
	closed  bool
	stocks  []*stock // most recently used first, at most maxStocks
	ahead   string   // of the last job that had any
	way     int      // index into ways of the one that works
	missing error    // why it is not a better one; nil for the best
	level   string   // "" until a worker has been started
	layers  []Layer
}

// maxStocks is how many shapes have spares: a grader checks source in one and runs it in another, with and without what
// jobs have in common.
const maxStocks = 3

// maxAhead is the longest Job.Ahead that a worker gets before it is ready, in bytes: it travels in the first frame.
const maxAhead = enter.MaxStartFrame / 2

// restockDelay is how long after a run the spare that it took is replaced. A run is part of something that somebody waits
// for: what follows it has the processors first. Where run follows run, each starts the spare of one soon after it.
const restockDelay = 100 * time.Millisecond

// stock is the spare workers of one shape.
type stock struct {
	shape    shape
	spare    []*worker
	starting int // on their way
}

// shape is what a worker is told before it enters: runs of one shape can share spares.
type shape struct {
	role     string
	ahead    string
	standing bool
	profile  Profile
	cpu      time.Duration
	memory   int64
	disk     int64
}

// NewPool makes a pool. It starts nothing yet: the first run, Warm or Probe does.
func NewPool(options Options) (*Pool, error) {
	Harden()
	if options.Spare == 0 {
		options.Spare = defaultSpare
	}
	if options.Native {
		options.Spare = 0 // starting one runs learner code
	}
	if options.Parallel <= 0 {
		options.Parallel = runtime.NumCPU()
	}
	p := &Pool{options: options, slots: make(chan struct{}, options.Parallel)}
	p.open, p.shut = context.WithCancel(context.Background())
	if slices.Contains(options.Without, "namespaces") {
		p.missing = errors.New("left out on request")
	}
	launcher, err := newLauncher(options)
	if err != nil {
		return nil, startError(err)
	}
	p.launcher, p.ways = launcher, launcher.ways(options.Without)
	sweepScratch(options.TempDir)
	return p, nil
}

// Close ends the spare workers, waits for runs to end and frees what the pool holds. It may be called more than once.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	stocks := p.stocks
	p.stocks = nil
	p.mu.Unlock()
	p.shut()
	for _, s := range stocks {
		s.discard()
	}
	p.work.Wait()
	p.closing.Do(p.launcher.close)
}

// Warm starts spare workers for jobs like this one and returns at once.
func (p *Pool) Warm(job Job) {
	p.refill(shapeOf(job, withDefaults(job.Limits)).plain())
}

// Level is the level and the layers of the workers of this pool; "" as long as none has been started.
func (p *Pool) Level() (level string, layers []Layer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.level, p.layers
}

// Probe is Level, which starts a worker if none has been started yet.
func (p *Pool) Probe(ctx context.Context) (level string, layers []Layer, err error) {
	if level, layers = p.Level(); level != "" {
		return level, layers, nil
	}
	done, err := p.begin(ctx)
	if err != nil {
		return "", nil, err
	}
	defer done()
	w, err := p.take(ctx, plainShape())
	if err != nil {
		return "", nil, err
	}
	w.discard()
	return w.level, w.layers, nil
}

// Run runs a job in a worker of its own and waits for its end. The error is for our own failures (a worker cannot be
// started, the level is below the required one) and for the context's end; whatever the function did is in the Result.
func (p *Pool) Run(ctx context.Context, job Job) (Result, error) {
	return p.run(ctx, job, "")
}

func (p *Pool) run(ctx context.Context, job Job, attack string) (Result, error) {
	limits := withDefaults(job.Limits)
	wanted := shapeOf(job, limits)
	inputs, err := readInputs(job.Inputs, limits.Disk)
	if err != nil {
		return Result{}, err
	}
	r := request{nonce: make([]byte, nonceSize), attack: attack, ahead: job.Ahead, reply: job.MaxReply, inputs: inputs, body: job.Request, log: job.Log}
	if r.reply <= 0 {
		r.reply = DefaultReply
	}
	_, _ = rand.Read(r.nonce) // never fails
	if r.size() > MaxRequest {
		return Result{}, &grader.Error{Code: "sandbox_request", Message: "The request is larger than " + bytesInWords(MaxRequest), Exit: grader.ExitVoid}
	}
	done, err := p.begin(ctx)
	if err != nil {
		return Result{}, err
	}
	defer done()
	w, err := p.take(ctx, wanted)
	if err != nil {
		return Result{}, err
	}
	if w.ahead != "" {
		r.ahead = ""
	}
	result, err := w.run(ctx, r, encodeRequest(r), limits)
	switch {
	case w.rested && result.Outcome == grader.Observed:
		p.giveBack(w, wanted)
	case w.standing:
		w.discard() // it may live, having used too much or answered out of order
	}
	again := p.repeats(wanted)
	time.AfterFunc(restockDelay, func() {
		p.refill(wanted.plain())
		if again {
			p.refill(wanted)
		}
	})
	return result, err
}

// repeats reports whether a job's Ahead is the last one's too, and notes it.
func (p *Pool) repeats(wanted shape) bool {
	if wanted.ahead == "" || len(wanted.ahead) > maxAhead {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	again := p.ahead == wanted.ahead
	p.ahead = wanted.ahead
	return again
}

// begin waits for a slot.
func (p *Pool) begin(ctx context.Context) (done func(), err error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, startError(errors.New("the pool is closed"))
	}
	p.work.Add(1)
	p.mu.Unlock()
	select {
	case p.slots <- struct{}{}:
		return func() { <-p.slots; p.work.Done() }, nil
	case <-ctx.Done():
		p.work.Done()
		return nil, ctx.Err()
	}
}

// take is a spare worker that is still alive, or a new one.
func (p *Pool) take(ctx context.Context, wanted shape) (*worker, error) {
	for {
		w := p.takeSpare(wanted)
		if w == nil {
			w = p.takeSpare(wanted.plain())
		}
		if w == nil {
			break
		}
		if w.alive() {
			return w, nil
		}
		w.discard()
	}
	w, err := p.start(ctx, wanted.plain())
	if err != nil {
		return nil, err
	}
	if required := p.options.Require; !AtLeast(w.level, required) {
		w.discard()
		return nil, levelError(w.level, required, w.layers)
	}
	return w, nil
}

func (p *Pool) takeSpare(wanted shape) *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.stocks {
		if s.shape == wanted && len(s.spare) > 0 {
			w := s.spare[0]
			s.spare = slices.Delete(s.spare, 0, 1)
			return w
		}
	}
	return nil
}

// giveBack keeps a standing worker for the next job, before those that have done none. One too many is ended.
func (p *Pool) giveBack(w *worker, wanted shape) {
	surplus := []*worker{w}
	p.mu.Lock()
	if !p.closed && p.options.Spare > 0 {
		s := p.stock(wanted)
		spare := slices.Insert(s.spare, 0, w)
		most := min(len(spare), p.options.Spare)
		s.spare, surplus = spare[:most:most], spare[most:]
	}
	p.mu.Unlock()
	for _, w := range surplus {
		w.discard()
	}
}

// refill starts spares of a shape in the background.
func (p *Pool) refill(wanted shape) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.options.Spare <= 0 {
		return
	}
	s := p.stock(wanted)
	most := p.options.Spare
	if wanted.ahead != "" {
		most = 1 // beside the plain ones, for somebody who saves
	}
	for missing := most - len(s.spare) - s.starting; missing > 0; missing-- {
		s.starting++
		p.work.Go(func() { p.startSpare(s) })
	}
}

// stock returns the stock of a shape, the one used last from now on, and gives up that of the shape not used for longest. The
// pool is locked.
func (p *Pool) stock(wanted shape) *stock {
	at := slices.IndexFunc(p.stocks, func(s *stock) bool { return s.shape == wanted })
	s := &stock{shape: wanted}
	if at >= 0 {
		s = p.stocks[at]
		p.stocks = slices.Delete(p.stocks, at, at+1)
	}
	p.stocks = slices.Insert(p.stocks, 0, s)
	if len(p.stocks) > maxStocks {
		oldest := p.stocks[maxStocks]
		p.stocks = p.stocks[:maxStocks]
		p.work.Go(oldest.discard)
	}
	return s
}

// startSpare adds a worker to a stock. A failure is not lost: the next run starts a worker itself and reports it.
func (p *Pool) startSpare(s *stock) {
	w, err := p.start(p.open, s.shape)
	p.mu.Lock()
	s.starting--
	keep := err == nil && slices.Contains(p.stocks, s) && AtLeast(w.level, p.options.Require)
	if keep {
		s.spare = append(s.spare, w)
	}
	p.mu.Unlock()
	if err == nil && !keep {
		w.discard()
	}
}

// discard ends a stock that is no longer among the pool's.
func (s *stock) discard() {
	for _, w := range s.spare {
		w.discard()
	}
}

func shapeOf(job Job, limits grader.Limits) shape {
	if job.Profile == "" {
		job.Profile = Pure
	}
	s := shape{role: job.Role, ahead: job.Ahead, profile: job.Profile, cpu: limits.CPU, memory: limits.Memory, disk: limits.Disk}
	if job.Standing && canStand && job.Profile == Pure {
		s.standing, s.cpu = true, standingCPU
	}
	return s
}

// plain is the shape of workers that get nothing ahead.
func (s shape) plain() shape {
	s.ahead = ""
	return s
}

// plainShape is the shape of workers that are looked at and not used.
func plainShape() shape { return shapeOf(Job{Profile: Scratch}, DefaultLimits()) }

// withDefaults fills what a job leaves open.
func withDefaults(limits grader.Limits) grader.Limits {
	defaults := DefaultLimits()
	if limits.Wall <= 0 {
		limits.Wall = defaults.Wall
	}
	if limits.CPU <= 0 {
		limits.CPU = defaults.CPU
	}
	if limits.Memory <= 0 {
		limits.Memory = defaults.Memory
	}
	if limits.Output <= 0 {
		limits.Output = defaults.Output
	}
	if limits.Disk <= 0 {
		limits.Disk = defaults.Disk
	}
	return limits
}

// startError says that no worker could be started: our machine or our code.
func startError(cause error) error {
	return &grader.Error{
		Code:    "sandbox_start",
		Message: "The sandbox could not be started",
		Hint:    "This is not a fault of your code. Run `fieldbook doctor`: it says which part of the sandbox fails, and why.",
		Exit:    grader.ExitVoid,
		Cause:   cause,
	}
}
