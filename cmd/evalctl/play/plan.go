// Package play executes a run: it checks the plan, runs the trials, and writes the run directory
// and the reports.
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
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// Config describes a run that NewPlan plans.
type Config struct {
	Suites   []suite.Suite     // suites to run
	Seed     uint64            // seed for samples and simulated models
	Clock    string            // clock: "real" or "simulated"; "": real if there is a real endpoint
	Shard    eval.Shard        // shard to run; zero: the whole run
	Traces   journal.TraceMode // which traces the run stores
	IsWorker bool              // this machine is a worker of the run: it accepts flags without effect
	Gates
	EndpointOptions
}

// maxTrials is the maximum number of trials of a run. More would take days and fill the disk.
const maxTrials = 100_000_000

// Plan is a run that has not started. Its suites, datasets and gates have been read and checked.
type Plan struct {
	suites        []suitePlan
	seed          uint64
	simulated     bool // the clock is simulated
	shard         eval.Shard
	traces        journal.TraceMode
	gates         Gates
	gateChecker   gateChecker
	secrets       *secret.Set
	notes         []string // notes for the user about values that look secret but are not redacted
	limits        *limit.Limiter
	budget        Budget
	requestBudget *requestBudget
	ownPrices     *suite.PriceTable // prices of --prices; nil: the built-in prices
	cache         *RunResponseCache
	replay        *Replay
	cassetteMode  string
	cassette      string // path of the cassette file

	remotePaths pathMap // paths on the coordinator, if this is a worker; nil: the run is local
}

type suitePlan struct {
	suite      suite.Suite
	data       *datasets.Dataset
	labels     []string // permitted labels
	seed       uint64   // seed for selecting a sample of the cases
	conditions []*eval.Condition
	cases      int64
	hasReal    bool // a component of a variant has a real endpoint
	notes      []eval.ModelInfo
	warnings   []string // warnings of the system, each once
}

// LoadSuite reads a built-in suite by name, or a suite file by path. It makes the paths in the
// suite independent of the suite's directory.
func LoadSuite(nameOrPath string) (suite.Suite, error) {
	s, err := datasets.LoadSuite(nameOrPath)
	if err != nil {
		return s, err
	}
	if !slices.Contains(datasets.BuiltInNames(), s.Dataset) {
		s.Dataset = s.ResolvePath(s.Dataset)
	}
	return s.WithAbsolutePaths()
}

// NewPlan reads and checks everything that a run needs: suites, datasets, endpoints, prices and
// gates. The caller must close the plan.
func NewPlan(cfg Config) (*Plan, error) {
	p := &Plan{
		seed:          cfg.Seed,
		shard:         cfg.Shard,
		traces:        cfg.Traces,
		gates:         cfg.Gates,
		secrets:       cfg.Secrets,
		limits:        limit.New(cfg.Limits),
		budget:        cfg.Budget,
		requestBudget: newRequestBudget(),
		ownPrices:     cfg.Prices,
		cache:         cfg.Cache,
		replay:        cfg.Replay,
		cassetteMode:  cfg.cassetteMode(),
		cassette:      cfg.Cassette,
	}
	// The middleware closest to the endpoint limits requests, so that calls answered by a cache or
	// a cassette are not limited.
	cfg.Middleware = append(slices.Clone(cfg.Middleware), withRequestBudget(p.limits, p.requestBudget))
	hasReal, client := false, cfg.Client()
	p.notes = cfg.addSecrets(cfg.Suites)
	for _, s := range cfg.Suites {
		s.Prices = cfg.Prices
		one, err := planSuite(s, cfg.Seed, client, cfg.EndpointOptions)
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		hasReal = hasReal || one.hasReal
		p.suites = append(p.suites, one)
		p.notes = append(p.notes, one.warnings...)
	}
	p.notes = append(p.notes, cfg.allowNames(p.suites)...)
	err := cmp.Or(p.checkHTTPFlags(cfg.EndpointOptions), p.setTime(cfg.Clock, hasReal))
	if err == nil && !cfg.IsWorker {
		err = p.checkLimitFlags(cfg.EndpointOptions)
	}
	if err = cmp.Or(err, p.checkSize(), p.checkPriced()); err == nil {
		err = p.setGates()
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// Close closes what the suites have opened, such as programs. Call it after the last trial.
func (p *Plan) Close() (err error) {
	for _, one := range p.suites {
		err = errors.Join(err, suite.CloseConditions(one.conditions))
	}
	return err
}

// difficultyCases is the number of cases from which a simulated model estimates how often words are
// misleading. The estimate is precise to about a third of a percent.
const difficultyCases = 20_000

func planSuite(s suite.Suite, seed uint64, client *http.Client, o EndpointOptions) (suitePlan, error) {
	data, material, err := datasets.OpenForSuite(s, seed, func(spec string) error {
		_, err := backend.ParseFaults(spec, s.Systems()...)
		return err
	})
	if err != nil {
		return suitePlan{}, err
	}
	material.Context = o.Context
	p := suitePlan{
		suite:  s,
		data:   data,
		labels: namesOf(material.Labels),
		seed:   seed,
		cases:  data.SelectedCases,
	}
	material.Warn = func(message string) {
		if !slices.Contains(p.warnings, message) { // each variant reports it
			p.warnings = append(p.warnings, message)
		}
	}
	for _, part := range s.SplitByTarget() {
		b, err := backend.New(backend.Config{
			Suite:                      part,
			DatasetInfo:                material,
			HTTP:                       client,
			Middleware:                 o.Middleware,
			IsReplay:                   o.Replay != nil,
			OtherTargetHasRealEndpoint: slices.ContainsFunc(s.Variants, s.HasRealEndpoint),
			Secrets:                    o.Secrets,
			CasesNeedingHistory:        data.CasesNeedingHistory,
			Cases:                      data.StreamSpread(difficultyCases),
		})
		if err != nil {
			return suitePlan{}, errors.Join(s.AddPosition(err), suite.CloseConditions(p.conditions))
		}
		conditions, err := part.Conditions(b.Connect, material)
		if err != nil {
			return suitePlan{}, errors.Join(fmt.Errorf("suite %s: %w", s.Name, err),
				suite.CloseConditions(p.conditions))
		}
		p.conditions = append(p.conditions, conditions...)
		p.hasReal = p.hasReal || b.HasRealEndpoint()
		for _, note := range b.ModelNotes() {
			if note.Variants == nil && len(part.Variants) < len(s.Variants) {
				note.Variants = part.VariantNames()
			}
			p.notes = append(p.notes, note)
		}
	}
	p.sortConditions()
	if p.cases == 0 {
		return suitePlan{}, errors.Join(fmt.Errorf("dataset %s: no case of %d is left after %s", s.Dataset, data.Cases,
			filters(s)), suite.CloseConditions(p.conditions))
	}
	return p, nil
}

// sortConditions sorts the conditions by the order of the variants in the suite.
func (p suitePlan) sortConditions() {
	names := p.suite.VariantNames()
	slices.SortStableFunc(p.conditions, func(a, b *eval.Condition) int {
		return cmp.Compare(slices.Index(names, a.Variant), slices.Index(names, b.Variant))
	})
}

// filters describes in words how the cases of a suite are selected, for error messages.
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
	return p.data.Stream(datasets.FilterForSuite(p.suite, p.seed))
}

// setTime chooses the real or the simulated clock. Without a choice by the user, it uses the real
// clock if there is a real endpoint. It returns an error for flags that require the other clock.
func (p *Plan) setTime(time string, hasReal bool) error {
	if p.cache != nil && !hasReal {
		return errors.New("--cache: the run has no real endpoint")
	}
	if p.cassetteMode != "" && !hasReal {
		return fmt.Errorf("--%s: the run has no real endpoint",
			map[string]string{recorded: "record", replayed: "replay"}[p.cassetteMode])
	}
	hasReal = hasReal && p.replay == nil
	if time == "simulated" && hasReal {
		return errors.New("--clock: a real endpoint cannot be waited for in simulated time")
	}
	p.simulated = time == "simulated" || time == "" && !hasReal
	return nil
}

// shardTrials returns the trials of the plan's shard, suite by suite.
func (p *Plan) shardTrials() iter.Seq2[eval.Trial, error] { return p.ShardTrials(p.shard) }

// ShardTrials returns the trials of one shard of the run, suite by suite.
func (p *Plan) ShardTrials(of eval.Shard) iter.Seq2[eval.Trial, error] {
	return func(yield func(eval.Trial, error) bool) {
		var number int64
		for _, one := range p.suites {
			for t, err := range suite.Trials(one.conditions, inShard(one.stream(), of, &number),
				one.suite.Epochs, p.seed) {
				if !yield(t, err) {
					return
				}
			}
		}
	}
}

// inShard returns the cases of the shard. number is the number of the next case; inShard increments
// it.
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

// TotalTrials returns the number of trials of the whole run, over all shards.
func (p *Plan) TotalTrials() int64 { return p.totalOf(eval.Shard{}) }

// totalOfShard returns the number of trials of this plan's shard.
func (p *Plan) totalOfShard() int64 { return p.totalOf(p.shard) }

func (p *Plan) totalOf(shard eval.Shard) (n int64) {
	var first int64
	for _, one := range p.suites {
		n += shard.CaseCount(first, one.cases) * one.perCase()
		first += one.cases
	}
	return n
}

// perCase returns the number of trials of each case: conditions times epochs.
func (p suitePlan) perCase() int64 { return int64(len(p.conditions)) * int64(max(p.suite.Epochs, 1)) }

// checkSize returns an error if the run has too many trials, or more shards than cases.
func (p *Plan) checkSize() error {
	var cases int64
	for _, one := range p.suites {
		cases += one.cases
	}
	switch n := p.TotalTrials(); {
	case n > maxTrials:
		return fmt.Errorf("%d trials are more than %d: take a --sample of the cases, or fewer variants, faults or epochs", n, int64(maxTrials))
	case int64(p.shard.Count) > cases:
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

func (p *Plan) summaries() []eval.SuiteSummary {
	var list []eval.SuiteSummary
	for _, one := range p.suites {
		// only the file name, because directories differ between machines
		s := eval.SuiteSummary{
			Name:          one.suite.Name,
			Target:        one.suite.Target,
			Dataset:       filepath.Base(one.suite.Dataset),
			Split:         one.suite.Split,
			Cases:         one.cases,
			TrainingCases: one.data.TrainingCases,
			Epochs:        max(one.suite.Epochs, 1),
			Clock:         p.time(),
			Models:        one.notes,
			OOSLabel:      one.suite.OOSLabel,
			FaultMatrix:   one.suite.FaultMatrix,
		}
		c := one.suite.System().Contract
		// labels that have cases are removed from this list at the end of the run
		s.LabelsWithoutCases = slices.Clone(c.Labels)
		if c.HasDatasetLabels() {
			s.LabelsWithoutCases = slices.Clone(one.data.Labels())
		}
		s.LabelsDependOnState = c.LabelDependsOnState || c.DecisionPathField != ""
		s.Tags, s.BaselineVariant = one.suite.Tags, one.suite.BaselineVariant
		if s.Cases < one.data.MatchingCases {
			s.Limit = one.suite.Limit
			s.Sample = one.suite.Sample
			s.AvailableCases = one.data.MatchingCases
		}
		s.FailedInRun = one.suite.OnlyFailedIn
		if one.suite.DecisionOnly {
			s.DecisionOnly = true
		}
		for _, v := range one.suite.Variants {
			if prompts := one.suite.PromptHash(v); prompts != "" {
				if s.Prompts == nil {
					s.Prompts = map[string]string{}
				}
				s.Prompts[v.Name] = prompts
			}
		}
		for _, c := range one.conditions {
			i := slices.IndexFunc(one.suite.Variants, func(v suite.Variant) bool { return v.Name == c.Variant })
			of := one.suite.SystemOf(one.suite.Variants[i])
			s.Conditions = append(s.Conditions, eval.ConditionSummary{
				Variant:         c.Variant,
				Target:          one.suite.Variants[i].Target,
				Fault:           c.Fault,
				BaselineModel:   c.IsBaselineModel,
				OurDecision:     c.OurDecision,
				DecisionSources: of.DecisionSources,
				DeciderNode:     of.DecidingComponent().NodeName(),
			})
		}
		list = append(list, s)
	}
	return list
}

// prices returns the prices of a variant's models. The targets of a suite can have different models.
func (p *Plan) prices(name, variant string) eval.PriceFunc {
	for _, one := range p.suites {
		if one.suite.Name != name {
			continue
		}
		for _, c := range one.conditions {
			if c.Variant == variant {
				return c.Prices
			}
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

// checkPriced returns an error if the user set --max-cost and a real model has no price.
func (p *Plan) checkPriced() error {
	if p.budget.USD <= 0 {
		return nil
	}
	for _, one := range p.suites {
		for _, v := range one.suite.Variants {
			prices := p.prices(one.suite.Name, v.Name)
			for _, part := range one.suite.SystemOf(v).Components {
				if !one.suite.UsesComponent(v, part.Name) || !one.suite.UsesRealEndpoint(v, part.Name) {
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
