// Package play plays a run: from the plan, in which everything is read and
// checked, through the trials to the files and reports.
package play

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/agent/limit"
	"evalctl/agent/secret"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/price"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// Config says what is to be played.
type Config struct {
	Suites []suite.Suite
	Seed   uint64
	Time   string // real, simulated or "": simulated unless something is real
	Shard  eval.Shard
	Traces journal.Traces // that are kept
	Joined bool           // it is another machine's run: limits are for whatever comes
	Gates
	Endpoints
}

// maxTrials bounds a run: what is more would take days, and fill a disk.
const maxTrials = 100_000_000

// Plan is a run before it begins: everything read and checked.
type Plan struct {
	suites    []suitePlan
	seed      uint64
	simulated bool // time
	shard     eval.Shard
	traces    journal.Traces
	gates     Gates
	judge     judge
	secrets   *secret.Set
	notes     []string // on what is no secret
	limits    *limit.RateLimits
	budget    Budget
	allowance *requestBudget
	ownPrices *price.Table // of the user's own; nil: none
	keep      *ResponseCache
	replay    *Replay
	tape      string
	cassette  string // its file

	elsewhere pathMap // of a run that another machine leads
}

// suitePlan is one suite of a plan.
type suitePlan struct {
	suite      suite.Suite
	backend    *backend.Backend
	data       *datasets.Dataset
	labels     []string // to choose from
	seed       uint64   // of the sample
	conditions []*eval.Condition
	cases      int64
	notes      []eval.ModelNote
}

// LoadSuite reads a shipped suite by its name, or a suite file by its path, and frees it
// of the folder that its paths start from. A dataset stays as near to what its user
// wrote as it can, for messages.
func LoadSuite(nameOrPath string) (suite.Suite, error) {
	s, err := datasets.Suite(nameOrPath)
	if err != nil {
		return s, err
	}
	if !slices.Contains(datasets.Shipped(), s.Dataset) {
		s.Dataset = s.Path(s.Dataset)
	}
	return s.Absolute()
}

// NewPlan reads and checks all that the suites name.
func NewPlan(cfg Config) (*Plan, error) {
	p := &Plan{seed: cfg.Seed, shard: cfg.Shard, traces: cfg.Traces, gates: cfg.Gates, secrets: cfg.Secrets, limits: limit.New(cfg.Limits), budget: cfg.Budget, allowance: newAllowance(), ownPrices: cfg.Prices,
		keep: cfg.Cache, replay: cfg.Replay, tape: cfg.tape(), cassette: cfg.Cassette}
	cfg.Middleware = append(slices.Clone(cfg.Middleware), within(p.limits, p.allowance)) // what is answered without a call needs no room
	hasReal, client := false, cfg.Client()
	p.notes = cfg.learn(cfg.Suites)
	for _, s := range cfg.Suites {
		s.Prices = cfg.Prices
		one, err := planSuite(s, cfg.Seed, client, cfg.Endpoints)
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		hasReal = hasReal || one.backend.HasReal()
		p.suites = append(p.suites, one)
	}
	p.notes = append(p.notes, cfg.release(p.suites)...)
	err := cmp.Or(p.checkAsked(cfg.Endpoints), p.setTime(cfg.Time, hasReal))
	if err == nil && !cfg.Joined {
		err = p.checkLimited(cfg.Endpoints)
	}
	if err = cmp.Or(err, p.checkSize(), p.checkPriced()); err == nil {
		err = p.setGates()
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// Close frees what the suites have opened, once no trial is played.
func (p *Plan) Close() (err error) {
	for _, one := range p.suites {
		err = errors.Join(err, suite.Close(one.conditions))
	}
	return err
}

// mostForDifficulty cases are enough to learn how often words are misleading, to a third of a
// percent.
const mostForDifficulty = 20_000

func planSuite(s suite.Suite, seed uint64, client *http.Client, o Endpoints) (suitePlan, error) {
	data, material, err := datasets.ForSuite(s, seed, func(spec string) error {
		_, err := backend.ParseFaults(spec, s.System())
		return err
	})
	if err != nil {
		return suitePlan{}, err
	}
	material.Context = o.Context
	b, err := backend.New(backend.Config{Suite: s, Material: material, HTTP: client, Middleware: o.Middleware, Replayed: o.Replay != nil, Secrets: o.Secrets, NeedHistory: data.NeedHistory,
		Cases: data.Spread(mostForDifficulty)})
	if err != nil {
		return suitePlan{}, s.Locate(err)
	}
	conditions, err := s.Conditions(b.Connect, material)
	if err != nil {
		return suitePlan{}, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	p := suitePlan{suite: s, backend: b, data: data, labels: namesOf(material.Labels), seed: seed, conditions: conditions, cases: data.Selected, notes: b.Notes()}
	if p.cases == 0 {
		return suitePlan{}, errors.Join(fmt.Errorf("dataset %s: no case of %d is left after %s", s.Dataset, data.Cases, filters(s)), suite.Close(conditions))
	}
	return p, nil
}

// filters says what a suite's cases are picked by.
func filters(s suite.Suite) string {
	var list []string
	if s.Split != "" {
		list = append(list, "split "+s.Split)
	}
	if len(s.Tags) > 0 {
		list = append(list, "tags "+strings.Join(s.Tags, ", "))
	}
	if len(s.Cases) > 0 {
		list = append(list, "the cases that are named")
	}
	return strings.Join(list, " and ")
}

func (p suitePlan) stream() iter.Seq2[eval.Case, error] {
	return p.data.Stream(datasets.FilterOf(p.suite, p.seed))
}

// setTime takes simulated time unless something real is waited for.
func (p *Plan) setTime(time string, hasReal bool) error {
	if p.keep != nil && !hasReal {
		return errors.New("--cache: the run has no real endpoint")
	}
	if p.tape != "" && !hasReal {
		return fmt.Errorf("--%s: the run has no real endpoint", map[string]string{recorded: "record", replayed: "replay"}[p.tape])
	}
	hasReal = hasReal && p.replay == nil
	if time == "simulated" && hasReal {
		return errors.New("--clock: a real endpoint cannot be waited for in simulated time")
	}
	p.simulated = time == "simulated" || time == "" && !hasReal
	return nil
}

// trials are all of the plan's shard, suite by suite.
func (p *Plan) trials() iter.Seq2[eval.Trial, error] { return p.Trials(p.shard) }

// Trials are those of the cases of a shard, suite by suite.
func (p *Plan) Trials(of eval.Shard) iter.Seq2[eval.Trial, error] {
	return func(yield func(eval.Trial, error) bool) {
		var number int64
		for _, one := range p.suites {
			for t, err := range suite.Trials(one.conditions, inShard(one.stream(), of, &number), one.suite.Epochs, p.seed) {
				if !yield(t, err) {
					return
				}
			}
		}
	}
}

// inShard leaves out the cases of other shards; number is that of the next case.
func inShard(cases iter.Seq2[eval.Case, error], of eval.Shard, number *int64) iter.Seq2[eval.Case, error] {
	return func(yield func(eval.Case, error) bool) {
		for c, err := range cases {
			mine := of.Has(*number)
			*number++
			if (mine || err != nil) && !yield(c, err) {
				return
			}
		}
	}
}

// Total is how many trials the whole run has, whatever shard of it is played.
func (p *Plan) Total() int64 { return p.totalOf(eval.Shard{}) }

// total is how many trials there are to play.
func (p *Plan) total() int64 { return p.totalOf(p.shard) }

func (p *Plan) totalOf(shard eval.Shard) (n int64) {
	var first int64
	for _, one := range p.suites {
		n += shard.CaseCount(first, one.cases) * one.perCase()
		first += one.cases
	}
	return n
}

// perCase is how many trials each case has.
func (p suitePlan) perCase() int64 { return int64(len(p.conditions)) * int64(max(p.suite.Epochs, 1)) }

// checkSize refuses what would take days, and shards of which some would have no case.
func (p *Plan) checkSize() error {
	var cases int64
	for _, one := range p.suites {
		cases += one.cases
	}
	switch n := p.Total(); {
	case n > maxTrials:
		return fmt.Errorf("%d trials are more than %d: take a --sample of the cases, or fewer variants, faults or epochs", n, int64(maxTrials))
	case int64(p.shard.Of) > cases:
		return fmt.Errorf("--shard %s: there are only %d cases", p.shard, cases)
	}
	return nil
}

func (p *Plan) time() string {
	if p.simulated {
		return "simulated"
	}
	return "real"
}

// summaries are the suites as a report shows them, still without figures.
func (p *Plan) summaries() []eval.SuiteSummary {
	var list []eval.SuiteSummary
	for _, one := range p.suites {
		// Folders of datasets differ from machine to machine.
		s := eval.SuiteSummary{Name: one.suite.Name, Target: one.suite.Target, Dataset: filepath.Base(one.suite.Dataset),
			Split: one.suite.Split, Cases: one.cases, TrainingCases: one.data.Training, Epochs: max(one.suite.Epochs, 1), Time: p.time(), Models: one.notes,
			OOSLabel: one.suite.OOSLabel, FaultMatrix: one.suite.FaultMatrix, DecisionSources: one.suite.System().DecisionSources}
		s.Decider = one.suite.System().DecidingComponent().NodeName()
		c := one.suite.System().Contract
		s.LabelsWithoutCases = slices.Clone(c.Labels) // those with cases are taken out at the end
		if c.IsOpen() {
			s.LabelsWithoutCases = slices.Clone(one.data.Labels())
		}
		s.StateDependent = c.StateFields != nil || c.PathField != ""
		s.Tags, s.BaselineVariant = one.suite.Tags, one.suite.BaselineVariant
		if s.Cases < one.data.Matching {
			s.Limit, s.Sample, s.AvailableCases = one.suite.Limit, one.suite.Sample, one.data.Matching
		}
		s.FailedIn = one.suite.FailedIn
		if one.suite.DecisionOnly {
			s.DecisionOnly = true
		}
		for _, v := range one.suite.Variants {
			if prompts := one.suite.Prompts(v); prompts != "" {
				if s.Prompts == nil {
					s.Prompts = map[string]string{}
				}
				s.Prompts[v.Name] = prompts
			}
		}
		for _, c := range one.conditions {
			s.Conditions = append(s.Conditions, eval.ConditionSummary{Name: c.Variant, Fault: c.Fault, BaselineModel: c.IsBaselineModel, OurDecision: c.OurDecision})
		}
		list = append(list, s)
	}
	return list
}

// prices are those of a suite.
func (p *Plan) prices(name string) eval.Prices {
	for _, one := range p.suites {
		if one.suite.Name == name && len(one.conditions) > 0 {
			return one.conditions[0].Prices
		}
	}
	return nil
}

func (p *Plan) suiteList() (list []suite.Suite) {
	for _, one := range p.suites {
		list = append(list, one.suite)
	}
	return list
}

// checkPriced finds a model of a real endpoint without a price, where there is a budget
// of dollars.
func (p *Plan) checkPriced() error {
	if p.budget.Cost <= 0 {
		return nil
	}
	for _, one := range p.suites {
		prices := p.prices(one.suite.Name)
		for _, v := range one.suite.Variants {
			for _, part := range one.suite.System().Parts {
				if !one.suite.UsesComponent(v, part.Name) || !one.backend.IsReal(v, part.Name) {
					continue
				}
				if err := priced(prices, one.suite.ModelFor(v, part.Name), part.Name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
