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

// turnTimeout is the time limit of one turn, on the clock of its trial. It is long because an image
// may take 120 s of polling, and fifteen agents may hang one after another.
const turnTimeout = 10 * time.Minute

// GCPercent is the garbage collection target during a run. A run then uses more memory than by
// default and takes a fifth less time. The live heap is only a few MiB for any number of trials.
const GCPercent = 400

// The memory limit of a run is computed from these amounts, in bytes. Above it, garbage is
// collected earlier than GCPercent requires, because large responses may arrive at once.
const (
	memory        = 56 << 20
	memoryOfSuite = 24 << 20  // for each suite after the first, whose cases and baseline models stay in memory
	memoryOfTrial = 256       // for each completed trial of a resumed run
	memoryOfOpen  = 512 << 10 // for each trial in progress
)

// Run is a run with its directory, ready to execute or in progress.
type Run struct {
	Dir      string // run directory
	plan     *Plan
	manifest journal.Manifest
	outputs  []Output

	log    *journal.Writer
	table  *metric.Collector
	health *endpointHealth
	spend  spend
	done   map[journal.TrialID]struct{} // trials that earlier processes of a resumed run have completed

	remarks []string // notes for the user, for example on damage by a crash
}

func (r *Run) addRemark(text string) { r.remarks = append(r.remarks, text) }

// Options configures how a run is executed. Options do not influence the results.
type Options struct {
	Parallel int // number of trials at once; 0: DefaultParallel, or the number of processors with a simulated clock
	// number of consecutive unanswered trials after which an endpoint is no longer called; raised
	// to the number of trials at once; 0: no limit
	MaxConsecutiveFailures int
	MaxMissing             float64 // share of a condition's trials, 0 to 1, that real endpoints may leave unanswered
	Strict                 bool    // an undecided gate is an error
	Quiet, Verbose         bool    // print only errors and reports; show more detail in the report

	Trusted     bool   // the user has set --trust
	TrustReason string // why resuming the run requires --trust, such as "runs COMMAND"; "": it does not

	Fleet *fleet.Coordinator // runs the trials on workers; nil: they run in this process
}

func newRun(dir string, p *Plan, m journal.Manifest, outputs []Output) *Run {
	return &Run{
		Dir:      dir,
		plan:     p,
		manifest: m,
		outputs:  outputs,
		table:    metric.NewCollector(p.summaries(), p.gateChecker.tags()...),
		health:   newEndpointHealth(p),
		done:     map[journal.TrialID]struct{}{},
		remarks:  slices.Concat(p.notes, p.gateChecker.notes),
	}
}

// StartOptions configures the directory of a new run, and the entries of its manifest that the plan
// does not contain.
type StartOptions struct {
	Dir     string
	Version string   // identity of this evalctl build
	Args    []string // command line of evalctl
	Outputs []Output

	WorkersMayDiffer bool // workers may run programs that differ from those of the coordinator
}

// Start creates the directory of a new run. It returns an error if the directory or an output
// cannot be written, before any trial runs.
func (b StartOptions) Start(p *Plan) (*Run, error) {
	m, err := p.manifest(b.Version, b.Args)
	if err == nil {
		m.WorkersMayDiffer = b.WorkersMayDiffer
		m.Programs, err = programsOf(p.suiteList(), p.secrets, localDir)
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
	if err == nil {
		err = journal.WritePrompts(b.Dir, p.promptTexts())
	}
	switch {
	case unwritable != nil:
		return nil, errors.Join(err, p.Close())
	case err != nil:
		return nil, errors.Join(exit.ClassifyDiskError(fmt.Errorf("--out: %w", err)), p.Close())
	}
	return r, nil
}

// ResumeOptions configures which run is resumed, and how.
type ResumeOptions struct {
	Dir     string
	Version string // identity of this evalctl build
	Gates          // if given, they replace the gates of the manifest
	Outputs []Output
	EndpointOptions
	// returns an error for a suite that the user does not trust, before its files are read
	Trust       func(suite.Suite) error
	UsesWorkers bool // workers on other machines run the trials

	AllowChanged bool // accept programs that have changed since the start of the run, also on workers
}

// Resume plans the run in Dir again and reads its stored results. Execute then runs the trials that
// are not done.
func (g ResumeOptions) Resume() (*Run, error) {
	r, err := g.replan()
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	if r.outputs, err = r.plan.checkOutputs(g.Dir, g.Outputs); err != nil {
		return nil, errors.Join(err, r.plan.Close())
	}
	r.log, err = journal.Resume(g.Dir, r.addRemark)
	if err == nil { // the run may have been killed before it wrote them
		err = journal.WritePrompts(g.Dir, r.plan.promptTexts())
	}
	if err != nil {
		return nil, errors.Join(exit.ClassifyDiskError(fmt.Errorf("--resume: %w", err)), r.plan.Close())
	}
	if err = r.loadJournal(); err == nil {
		err = r.manifest.Write(g.Dir)
	}
	for _, text := range r.spend.inexactBudgets(r.plan.budget) {
		r.addRemark("the run was killed: " + text)
	}
	if err != nil {
		return nil, exit.ClassifyDiskError(fmt.Errorf("--resume: %w", errors.Join(err, r.log.Close(), r.plan.Close())))
	}
	return r, nil
}

// replan plans the run of the manifest again and checks that the plan is the same.
func (g ResumeOptions) replan() (*Run, error) {
	m, err := journal.ReadManifest(g.Dir)
	if err == nil {
		err = m.CheckVersion(g.Version) // before any file of the run is opened
	}
	if err != nil {
		return nil, err
	}
	suites, err := ManifestSuites(m, g.Dir)
	if err == nil {
		err = cmp.Or(g.checkCassetteMode(m.CassetteMode), g.checkPrices(m.Prices), g.restore(suites), g.unused(suites))
	}
	if err != nil {
		return nil, err
	}
	for _, s := range suites {
		if err := g.Trust(s); err != nil {
			return nil, err
		}
	}
	programs, err := programsOf(suites, g.Secrets, localDir)
	if err != nil {
		return nil, err
	}
	changed, err := checkPrograms(m.Programs, programs, g.AllowChanged)
	if err != nil {
		return nil, err
	}
	g.inherit(m)
	g.Budget = g.Budget.WithDefaults(m.Budget)
	cfg := Config{
		Suites:          suites,
		Seed:            m.Seed,
		Clock:           m.Clock,
		Traces:          m.Traces,
		Gates:           g.Gates,
		EndpointOptions: g.EndpointOptions,
	}
	if m.Shard != nil {
		cfg.Shard = *m.Shard
	}
	p, err := NewPlan(cfg)
	if err != nil {
		return nil, err
	}
	now, err := p.manifest(g.Version, m.Args)
	if err == nil && g.UsesWorkers {
		err = p.CheckNoPlainSecrets()
	}
	if err == nil {
		err = m.CheckSamePlan(now)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	now.Started = m.Started
	now.Spent = m.Spent
	now.Parallel = m.Parallel
	now.Programs, now.ChangedPrograms = m.CurrentPrograms(programs), append(m.ChangedPrograms, changed...)
	now.WorkersMayDiffer = m.WorkersMayDiffer || g.UsesWorkers && g.AllowChanged
	r := newRun(g.Dir, p, now, g.Outputs)
	r.spend.recorded = m.Spent
	r.spend.wasKilled = m.Finished == nil
	r.spend.recordsCalls = m.Budget != nil && m.Budget.Calls > 0
	return r, nil
}

// Execute runs the trials, and writes the summary and the reports. It writes them even if the run
// is stopped early. The returned error carries the exit code.
func (r *Run) Execute(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(GCPercent))
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory + memoryOfSuite*int64(len(r.plan.suites)-1) +
			memoryOfTrial*int64(len(r.done)) + memoryOfOpen*int64(r.plan.parallel(o))))
	}
	began := time.Now()
	bar := terminal.NewProgress(stderr, r.plan.totalOfShard(), int64(len(r.done)), o.Quiet)
	for _, text := range r.remarks {
		bar.Warn(text)
	}
	sum, runErr, exitErr, writeErr := r.measure(ctx, o, bar)
	if !o.Quiet {
		reportRateLimits(r.plan.limits, func(text string) { fmt.Fprintln(stderr, r.plan.secrets.Redact(text)) })
		for _, hint := range r.health.aliasHints(r.plan.suiteList()) {
			fmt.Fprintln(stderr, "evalctl:", r.plan.secrets.Redact(hint))
		}
		fmt.Fprintf(stderr, "results in %s\n", r.Dir)
	}
	ends := exitErr
	if writeErr != nil {
		ends = exit.InternalError(writeErr)
	}
	reported := r.report(stdout, sum, time.Since(began), o.Verbose, ends)
	if !r.showsGates() {
		for _, g := range sum.Gates {
			if !g.Passed {
				fmt.Fprintf(stderr, "evalctl: gate %s: %s — %s\n", verdictText(g), g.Rule, g.Reason)
			}
		}
	}
	if err := errors.Join(writeErr, reported); err != nil {
		return exit.InternalError(errors.Join(runErr, err))
	}
	if !o.Quiet {
		r.printReports(stderr)
	}
	return exitErr
}

func (r *Run) printReports(stderr io.Writer) {
	for _, o := range r.outputs {
		if o.path != "" {
			fmt.Fprintf(stderr, "report in %s\n", o.path)
		}
	}
}

// RunTrials runs the trials and writes the run directory, like Execute. It prints nothing, writes
// no reports and does not change process settings. It is meant for tests.
func (r *Run) RunTrials(ctx context.Context, o Options) (eval.Summary, error) {
	sum, runErr, exitErr, writeErr := r.measure(ctx, o,
		terminal.NewProgress(io.Discard, r.plan.totalOfShard(), 0, true))
	if writeErr != nil {
		return sum, exit.InternalError(errors.Join(runErr, writeErr))
	}
	return sum, exitErr
}

// measure runs the trials, checks the gates, and writes the summary and the manifest. runErr is why
// the run stopped early, exitErr the error that evalctl exits with, and writeErr an error from
// writing files.
func (r *Run) measure(ctx context.Context, o Options, bar *terminal.Progress) (sum eval.Summary, runErr,
	exitErr, writeErr error) {
	r.log.Secrets = r.plan.secrets
	if r.plan.simulated {
		r.log.BufferBytes = 64 << 10
	}
	runErr = r.runTrials(ctx, o, bar)
	bar.Finish()
	closed := r.plan.Close()
	if err := r.verifyFiles(); err != nil {
		isSame := errors.Is(runErr, err) || errors.Is(runErr, journal.ErrChanged) && errors.Is(err, journal.ErrChanged)
		if !isSame { // err is a second reason why the run stopped early
			err = errors.Join(err, runErr)
		}
		runErr = errors.Join(err, r.recount())
	}
	sum = r.table.Close()
	sum.Partial = runErr != nil || r.manifest.Shard != nil
	if runErr == nil {
		sum.Shard = r.manifest.Shard
	}
	if r.manifest.Shard == nil {
		sum.Gates = r.plan.gateChecker.verdicts(sum)
	}
	exitErr = r.verdict(ctx, sum, runErr, o)
	return sum, runErr, exitErr, errors.Join(r.finish(ctx, sum, runErr, exitErr), closed)
}

// runTrials runs the trials that are not done and adds their results. It stops early if a budget is
// used up, or if all remaining trials need an endpoint with an open circuit.
func (r *Run) runTrials(ctx context.Context, o Options, bar *terminal.Progress) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.spend.startProcess(r.plan.totalOfShard() - int64(len(r.done)))
	if o.Fleet != nil {
		r.plan.requestBudget.stop = stop
	}
	defer r.spend.enforce(ctx, r.plan.budget, r.plan.limits, r.plan.requestBudget, r.recordSpent, stop)()
	r.plan.limits.Watch(func(s limit.EndpointState) { bar.ShowWaiting(waitsFor(s), s.String()) })
	defer r.plan.limits.Watch(nil)
	var skip func(key string) bool
	if len(r.done) > 0 {
		skip = r.isDone
	}
	add := func(res eval.Result, parallel int) error {
		if r.plan.requestBudget.isIncomplete(res.Key) {
			if err := r.addCost(res); err != nil {
				r.plan.requestBudget.close(err)
			}
			return nil // the trial is incomplete and runs again when the run is resumed
		}
		bar.CountTrial(res.Error != nil)
		if err := r.add(res); err != nil {
			return err
		}
		r.spend.ran++
		if err := r.health.addLive(res, r.breakerLimit(o, parallel)); err != nil {
			stop(err)
		}
		if err := r.addCost(res); err != nil {
			r.plan.requestBudget.close(err)
		}
		r.plan.cache.settle(res)
		r.plan.gateChecker.addResult(res)
		return r.table.Add(res)
	}
	err := r.runRemaining(ctx, o, skip, add, bar.Warn)
	over := stoppedBy(ctx)
	if err == nil {
		over = cmp.Or(over, r.plan.requestBudget.stopped())
	}
	if over != nil && r.spend.isComplete() {
		return r.health.openError() // the last trial used up the budget, so no trial is missing
	}
	return cmp.Or(over, r.health.openError(), err)
}

// waitsFor returns a text for the progress bar if an endpoint is rate-limited, or "" if it answers.
func waitsFor(s limit.EndpointState) string {
	if s.IsRecovered {
		return ""
	}
	return "rate-limited since " + s.Since.Format(time.TimeOnly)
}

// recordSpent writes what the run has spent to its manifest, unless the directory has changed.
func (r *Run) recordSpent(spent journal.Spending) error {
	if !r.log.OwnsDir() {
		return fmt.Errorf("%s: %w", r.resultsPath(), journal.ErrChanged)
	}
	m := r.manifest
	m.Spent = &spent
	return m.Write(r.Dir)
}

// runRemaining runs the trials that are not done, on workers or in this process.
func (r *Run) runRemaining(ctx context.Context, o Options, skip func(string) bool,
	add func(res eval.Result, parallel int) error, warn func(string)) error {
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
	parallel := r.plan.parallel(o)
	if r.plan.totalOfShard() > int64(len(r.done)) {
		r.ranWith(parallel)
	}
	runner := r.plan.runner(parallel, warn)
	runner.Skip = skip
	if r.plan.budget != (Budget{}) {
		runner.Acquire = r.plan.requestBudget.begin
	}
	if r.plan.replay != nil {
		runner.StartTime, runner.Validate = r.plan.replay.startTime, r.plan.replay.missing
	}
	return runner.Run(ctx, r.health.skipOpen(r.plan.shardTrials(), r.health.real, r.isDone),
		eval.SinkFunc(func(res eval.Result) error { return add(res, parallel) }))
}

// ranWith records in the manifest how many trials ran at once. It does so only in real time, where
// durations depend on it.
func (r *Run) ranWith(parallel int) {
	if !r.plan.simulated {
		r.manifest.AddParallel(parallel)
	}
}

// fleetRun describes the run for a coordinator that runs it on workers.
func (r *Run) fleetRun(skip func(string) bool, add func(eval.Result, int) error, warn func(string)) fleet.Run {
	return fleet.Run{
		Manifest:  r.manifest,
		Paths:     r.plan.paths(),
		Trials:    r.plan.shardTrials(),
		Skip:      skip,
		AddResult: add,
		Sync:      r.sync,
		Log:       func(text string) { warn(r.plan.secrets.Redact(text)) },
	}
}

// add writes a result to the journal, and checks that the run's files have not been changed.
func (r *Run) add(res eval.Result) error {
	if err := r.log.Add(res); err != nil {
		return err
	}
	return r.log.CheckUnchanged()
}

// sync forces the results to disk, and checks that the run's files have not been changed.
func (r *Run) sync() error { return errors.Join(r.log.Sync(), r.log.CheckUnchanged()) }

func (p *Plan) runner(parallel int, warn func(string)) eval.Runner {
	return eval.Runner{
		Parallel:       parallel,
		Timeout:        turnTimeout,
		SimulatedClock: p.simulated,
		Warn:           warn,
	}
}

// isDone reports whether an earlier process of a resumed run has completed the trial.
func (r *Run) isDone(key string) bool {
	id, _ := journal.ParseTrialID(key)
	_, ok := r.done[id]
	return ok
}

func (r *Run) addCost(res eval.Result) error {
	nodes := r.health.realComponents(res)
	if len(nodes) == 0 {
		return nil
	}
	return r.spend.addCost(res, r.plan.budget, r.plan.prices(res.Suite, res.Variant),
		func(node string) bool { _, ok := nodes[node]; return ok })
}

// stoppedBy returns the error that canceled ctx if it is a used-up budget or an open circuit, or
// nil.
func stoppedBy(ctx context.Context) error {
	cause := context.Cause(ctx)
	var spent budgetError
	var lost circuitOpenError
	if errors.As(cause, &spent) || errors.As(cause, &lost) {
		return cause
	}
	return nil
}
