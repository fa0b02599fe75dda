package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"evalctl/agent/limit"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval"
	"evalctl/eval/fleet"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/suite"
)

// turnTimeout bounds a turn on its trial's own clock: a picture may take 120 s of
// polling, each model call some retries, and fifteen agents in a row may hang.
const turnTimeout = 10 * time.Minute

// GCPercent trades memory that a run does not need for a fifth of its time: the
// live heap is a few MiB, however many trials there are.
const GCPercent = 400

// Past the sum of these bytes garbage is collected whatever GCPercent says: what providers
// answer may be large at once.
const (
	memory        = 56 << 20
	memoryOfSuite = 24 << 20  // each after the first: its cases and floors are kept
	memoryOfTrial = 256       // each that a resumed run has
	memoryOfOpen  = 512 << 10 // each that is under way
)

// Run is one run under way.
type Run struct {
	Dir      string
	plan     *Plan
	manifest journal.Manifest
	outputs  []Output

	log    *journal.Writer
	table  *metric.Table
	outage *endpointHealth
	purse  spend
	done   map[journal.TrialID]struct{} // trials that a resumed run has

	remarks []string // on what a crash has damaged
}

func (r *Run) remark(text string) { r.remarks = append(r.remarks, text) }

// Options say how a run is played.
type Options struct {
	Parallel       int     // trials at once; 0: usual
	Breaker        int     // cases in a row, lost by a real endpoint, that end the run, at least as many as run at once; 0: none do
	MaxMissing     float64 // share of a cell's trials that real endpoints may lose
	FailUndecided  bool    // a gate that is undecided counts
	Quiet, Verbose bool

	Trusted    bool   // the user gave --trust
	NeedsTrust string // what needs --trust where the run is resumed, as in "runs COMMAND"; "": nothing

	Fleet *fleet.Coordinator // has workers play the trials; nil: this process does
}

func newRun(dir string, p *Plan, m journal.Manifest, outputs []Output) *Run {
	return &Run{Dir: dir, plan: p, manifest: m, outputs: outputs, table: metric.NewTable(p.summaries(), p.judge.tags()...),
		outage: newOutage(p), done: map[journal.TrialID]struct{}{}, remarks: slices.Concat(p.notes, p.judge.notes)}
}

// StartOptions says where a new run's files are, and what its manifest has besides the plan.
type StartOptions struct {
	Dir     string
	Version string   // identity of this build of evalctl
	Args    []string // the command line
	Outputs []Output

	WorkersMayDiffer bool // workers may run other programs
}

// Start makes the files of a new run ready. What is wrong is found here, before
// the first trial.
func (b StartOptions) Start(p *Plan) (*Run, error) {
	m, err := p.manifest(b.Version, b.Args)
	if err == nil {
		m.WorkersMayDiffer = b.WorkersMayDiffer
		m.Programs, err = programsOf(p.suiteList(), p.secrets, asHere)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	r := newRun(b.Dir, p, m, b.Outputs)
	var unwritable error
	r.log, err = journal.CreateRun(b.Dir, m, func() error {
		r.outputs, unwritable = p.checkOutputs(b.Dir, b.Outputs)
		return unwritable
	})
	switch {
	case unwritable != nil:
		return nil, errors.Join(err, p.Close())
	case err != nil:
		return nil, errors.Join(exit.DiskError(fmt.Errorf("--out: %w", err)), p.Close())
	}
	return r, nil
}

// ResumeOptions says with which run to go on, and how.
type ResumeOptions struct {
	Dir     string
	Version string // identity of this build of evalctl
	Gates          // take the place of the run's own where they are given
	Outputs []Output
	Endpoints
	Trust  func(suite.Suite) error // judges its suites before anything is read for them
	Shared bool                    // workers elsewhere run its trials

	AllowChanged bool // accepts programs that differ from those that the run began with, also on workers
}

// Resume goes on with a run.
func (g ResumeOptions) Resume() (*Run, error) {
	r, err := g.replan()
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	if r.outputs, err = r.plan.checkOutputs(g.Dir, g.Outputs); err != nil {
		return nil, errors.Join(err, r.plan.Close())
	}
	if r.log, err = journal.Resume(g.Dir, r.remark); err != nil {
		return nil, errors.Join(exit.DiskError(fmt.Errorf("--resume: %w", err)), r.plan.Close())
	}
	if err = r.loadJournal(); err == nil {
		err = r.manifest.Write(g.Dir)
	}
	for _, text := range r.purse.lost(r.plan.budget) {
		r.remark("the run was killed: " + text)
	}
	if err != nil {
		return nil, exit.DiskError(fmt.Errorf("--resume: %w", errors.Join(err, r.log.Close(), r.plan.Close())))
	}
	return r, nil
}

// replan plans the manifest's run again, and makes sure that it is the same.
func (g ResumeOptions) replan() (*Run, error) {
	m, err := journal.ReadManifest(g.Dir)
	if err == nil {
		err = m.CheckBuild(g.Version) // before anything of the run is opened
	}
	if err != nil {
		return nil, err
	}
	suites, err := ManifestSuites(m, g.Dir)
	if err == nil {
		err = cmp.Or(g.sameTape(m.CassetteMode), g.samePrices(m.Prices), g.restore(suites), g.unused(suites))
	}
	if err != nil {
		return nil, err
	}
	for _, s := range suites {
		if err := g.Trust(s); err != nil {
			return nil, err
		}
	}
	programs, err := programsOf(suites, g.Secrets, asHere)
	if err != nil {
		return nil, err
	}
	changed, err := checkPrograms(m.Programs, programs, g.AllowChanged)
	if err != nil {
		return nil, err
	}
	g.inherit(m)
	g.Budget = g.Budget.WithDefaults(m.Budget)
	cfg := Config{Suites: suites, Seed: m.Seed, Time: m.Time, Traces: m.Traces, Gates: g.Gates, Endpoints: g.Endpoints}
	if m.Shard != nil {
		cfg.Shard = *m.Shard
	}
	p, err := NewPlan(cfg)
	if err != nil {
		return nil, err
	}
	now, err := p.manifest(g.Version, m.Args)
	if err == nil && g.Shared {
		err = p.CheckShared()
	}
	if err == nil {
		err = m.CheckSame(now)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	now.Started, now.Spent, now.Parallel = m.Started, m.Spent, m.Parallel
	now.Programs, now.ChangedPrograms = m.ProgramsNow(programs), append(m.ChangedPrograms, changed...)
	now.WorkersMayDiffer = m.WorkersMayDiffer || g.Shared && g.AllowChanged
	r := newRun(g.Dir, p, now, g.Outputs)
	r.purse.kept, r.purse.killed, r.purse.noted = m.Spent, m.Finished == nil, m.Budget != nil && m.Budget.Calls > 0
	return r, nil
}

// Execute runs the trials, then writes the summary and the reports, also of a run
// that was cut short.
func (r *Run) Execute(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(GCPercent))
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory + memoryOfSuite*int64(len(r.plan.suites)-1) + memoryOfTrial*int64(len(r.done)) + memoryOfOpen*int64(o.workers(r.plan.simulated))))
	}
	began := time.Now()
	bar := terminal.NewProgress(stderr, r.plan.total(), int64(len(r.done)), o.Quiet)
	for _, text := range r.remarks {
		bar.Warn(text)
	}
	sum, played, judged, wrote := r.measure(ctx, o, bar)
	if !o.Quiet {
		reportRateLimits(r.plan.limits, func(text string) { fmt.Fprintln(stderr, r.plan.secrets.Redact(text)) })
		fmt.Fprintf(stderr, "results in %s\n", r.Dir)
	}
	ends := judged
	if wrote != nil {
		ends = exit.InternalError(wrote)
	}
	reported := r.report(stdout, sum, time.Since(began), o.Verbose, ends)
	if !r.showsGates() {
		for _, g := range sum.Gates {
			if !g.Passed {
				fmt.Fprintf(stderr, "evalctl: gate %s: %s — %s\n", verdictText(g), g.Rule, g.Reason)
			}
		}
	}
	if err := errors.Join(wrote, reported); err != nil {
		return exit.InternalError(errors.Join(played, err))
	}
	if !o.Quiet {
		r.tellFiles(stderr)
	}
	return judged
}

// tellFiles says which reports were written to files.
func (r *Run) tellFiles(stderr io.Writer) {
	for _, o := range r.outputs {
		if o.path != "" {
			fmt.Fprintf(stderr, "report in %s\n", o.path)
		}
	}
}

// RunTrials runs the trials and makes the run's files whole, as Play does, but says
// nothing, writes no report and leaves the process as it is: what a test wants.
func (r *Run) RunTrials(ctx context.Context, o Options) (eval.Summary, error) {
	sum, played, judged, wrote := r.measure(ctx, o, terminal.NewProgress(io.Discard, r.plan.total(), 0, true))
	if wrote != nil {
		return sum, exit.InternalError(errors.Join(played, wrote))
	}
	return sum, judged
}

// measure plays, sums up, judges and keeps a run: played is what cut it short, judged
// its exit, wrote what could not be kept.
func (r *Run) measure(ctx context.Context, o Options, bar *terminal.Progress) (sum eval.Summary, played, judged, wrote error) {
	r.log.Secrets = r.plan.secrets
	if r.plan.simulated {
		r.log.BufferBytes = 64 << 10
	}
	played = r.trials(ctx, o, bar)
	bar.Finish()
	closed := r.plan.Close()
	if err := r.verifyFiles(); err != nil {
		isSame := errors.Is(played, err) || errors.Is(played, journal.ErrChanged) && errors.Is(err, journal.ErrChanged)
		if !isSame { // why else it ended early
			err = errors.Join(err, played)
		}
		played = errors.Join(err, r.recount())
	}
	sum = r.table.Close()
	sum.Partial = played != nil || r.manifest.Shard != nil
	if played == nil {
		sum.Shard = r.manifest.Shard
	}
	if r.manifest.Shard == nil {
		sum.Gates = r.plan.judge.verdicts(sum)
	}
	judged = r.verdict(ctx, sum, played, o)
	return sum, played, judged, errors.Join(r.finish(ctx, sum, played, judged), closed)
}

// trials plays what is not done yet, until a budget is used up, or all that is left wants
// real endpoints that are given up.
func (r *Run) trials(ctx context.Context, o Options, bar *terminal.Progress) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.purse.open(r.plan.total() - int64(len(r.done)))
	if o.Fleet != nil {
		r.plan.allowance.stop = stop
	}
	defer r.purse.guard(ctx, r.plan.budget, r.plan.limits, r.plan.allowance, r.note, stop)()
	r.plan.limits.Watch(func(s limit.State) { bar.Wait(waitsFor(s), s.String()) })
	defer r.plan.limits.Watch(nil)
	var skip func(key string) bool
	if len(r.done) > 0 {
		skip = r.isDone
	}
	add := func(res eval.Result, parallel int) error {
		if r.plan.allowance.lacks(res.Key) {
			if err := r.pay(res); err != nil {
				r.plan.allowance.close(err)
			}
			return nil // it is played again
		}
		bar.Step(res.Error != nil)
		if err := r.add(res); err != nil {
			return err
		}
		r.purse.played++
		if err := r.outage.play(res, r.losses(o, parallel)); err != nil {
			stop(err)
		}
		if err := r.pay(res); err != nil {
			r.plan.allowance.close(err)
		}
		r.plan.keep.settle(res)
		r.plan.judge.see(res)
		return r.table.Add(res)
	}
	err := r.playOn(ctx, o, skip, add, bar.Warn)
	over := stoppedBy(ctx)
	if err == nil {
		over = cmp.Or(over, r.plan.allowance.closed())
	}
	if over != nil && r.purse.isWhole() {
		return r.outage.gaveUp() // a budget that was used up by the very last trial
	}
	return cmp.Or(over, r.outage.gaveUp(), err)
}

// waitsFor is the state of an endpoint in a few words, "" where it answers.
func waitsFor(s limit.State) string {
	if s.Answers {
		return ""
	}
	return "rate-limited since " + s.Since.Format(time.TimeOnly)
}

// note writes what was spent to the manifest, unless the folder is another run's by now.
func (r *Run) note(spent journal.Spent) error {
	if !r.log.HoldsFolder() {
		return fmt.Errorf("%s: %w", r.resultsPath(), journal.ErrChanged)
	}
	m := r.manifest
	m.Spent = &spent
	return m.Write(r.Dir)
}

// playOn has the trials played by a fleet, or here.
func (r *Run) playOn(ctx context.Context, o Options, skip func(string) bool, add func(res eval.Result, parallel int) error, warn func(string)) error {
	if o.Fleet != nil && r.plan.budget.Calls > 0 {
		return errors.New("the run has a --max-requests, which cannot be combined with --broker")
	}
	if o.Fleet != nil {
		most := 0
		err := o.Fleet.Run(ctx, r.fleetRun(skip, func(res eval.Result, parallel int) error {
			most = max(most, parallel)
			return add(res, parallel)
		}, warn))
		r.ranWith(most)
		return err
	}
	parallel := o.workers(r.plan.simulated)
	if r.plan.total() > int64(len(r.done)) {
		r.ranWith(parallel)
	}
	runner := r.plan.runner(parallel, warn)
	runner.Skip = skip
	if r.plan.budget != (Budget{}) {
		runner.Acquire = r.plan.allowance.begin
	}
	if r.plan.replay != nil {
		runner.StartTime, runner.Validate = r.plan.replay.begins, r.plan.replay.spoiled
	}
	return runner.Run(ctx, r.outage.spare(r.plan.trials(), r.outage.real, r.isDone), eval.SinkFunc(func(res eval.Result) error { return add(res, parallel) }))
}

// ranWith records how many trials ran at once, where their times depend on it.
func (r *Run) ranWith(parallel int) {
	if !r.plan.simulated {
		r.manifest.RanWith(parallel)
	}
}

// fleetRun is the run as workers play it.
func (r *Run) fleetRun(skip func(string) bool, add func(eval.Result, int) error, tell func(string)) fleet.Run {
	return fleet.Run{Manifest: r.manifest, Paths: r.plan.paths(), Trials: r.plan.trials(), Skip: skip, Add: add, Sync: r.sync,
		Log: func(text string) { tell(r.plan.secrets.Redact(text)) }}
}

// add writes a result, and reports files that changed: what is played from then on is lost.
func (r *Run) add(res eval.Result) error {
	if err := r.log.Add(res); err != nil {
		return err
	}
	return r.log.Check()
}

// sync makes the results durable, and reports files that changed.
func (r *Run) sync() error { return errors.Join(r.log.Sync(), r.log.Check()) }

// runner plays the plan's trials.
func (p *Plan) runner(parallel int, warn func(string)) eval.Runner {
	return eval.Runner{Parallel: parallel, Timeout: turnTimeout, Simulated: p.simulated, Warn: warn}
}

// isDone tells a trial that a resumed run has.
func (r *Run) isDone(key string) bool {
	id, _ := journal.ParseID(key)
	_, ok := r.done[id]
	return ok
}

// pay counts what a result cost.
func (r *Run) pay(res eval.Result) error {
	nodes := r.outage.parts(res)
	if len(nodes) == 0 {
		return nil
	}
	return r.purse.pay(res, r.plan.budget, r.plan.prices(res.Suite), func(node string) bool { _, ok := nodes[node]; return ok })
}

// stoppedBy is why the run stopped itself, nil where it did not.
func stoppedBy(ctx context.Context) error {
	cause := context.Cause(ctx)
	var spent usedUp
	var lost circuitOpenError
	if errors.As(cause, &spent) || errors.As(cause, &lost) {
		return cause
	}
	return nil
}
