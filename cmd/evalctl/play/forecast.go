package play

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"runtime"
	"slices"
	"time"

	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/suite"
)

// RunEstimate is the estimated size, cost and duration of running a suite. It is extrapolated from
// simulated trials of a few cases.
type RunEstimate struct {
	Suite string `json:"suite"`
	Cases int64  `json:"cases"` // cases that the suite selects
	// number of variants times faults, without baseline models, which cost nothing, and without
	// your own agents, whose calls are unknown
	Conditions int64 `json:"conditions"`
	Trials     int64 `json:"trials"`     // cases times conditions times epochs
	Calls      int64 `json:"calls"`      // calls of all trials
	TokensIn   int64 `json:"tokens_in"`  // input tokens of all trials
	TokensOut  int64 `json:"tokens_out"` // output tokens of all trials
	// cost in US dollars; nil: unknown, because a model has no price
	USD            *float64      `json:"usd"`
	TotalTrialTime time.Duration `json:"-"`                // sum of the durations of all trials
	Prices         []ModelPrice  `json:"prices,omitempty"` // prices of the real models
}

// ModelPrice is the price of a real model.
type ModelPrice struct {
	Model string `json:"model"`
	Price string `json:"price"` // with its source and date; "": unknown
}

// modelPrices lists the prices of the real models of a suite.
func modelPrices(s suite.Suite) (list []ModelPrice) {
	for _, v := range s.Variants {
		for _, part := range s.SystemOf(v).Components {
			m := s.ModelFor(v, part.Name)
			if m.BaseURL == "" || !s.UsesComponent(v, part.Name) {
				continue
			}
			one := ModelPrice{Model: cmp.Or(m.Model, part.Name)}
			if entry, ok := s.PriceOf(m); ok {
				one.Price = entry.String()
			}
			if !slices.Contains(list, one) {
				list = append(list, one)
			}
		}
	}
	return list
}

// Duration returns the estimated duration of the run if this number of trials runs at once.
func (f RunEstimate) Duration(parallel int) time.Duration {
	return f.TotalTrialTime / time.Duration(max(1, min(int64(parallel), f.Trials)))
}

// estimateCases is the number of cases that are run to estimate the cost of all.
const estimateCases = 20

// ErrNoEstimate means that all variants of a suite are agents over HTTP or commands. Their calls are
// unknown.
var ErrNoEstimate = errors.New("the calls of agents over HTTP and of commands are unknown")

// EstimateRun estimates the cost of a suite. It runs a few cases with simulated models and a
// simulated clock, and writes no files. It runs no agents over HTTP and no commands: it checks that
// they can run on the cases. If there are no other variants, it returns ErrNoEstimate.
func EstimateRun(ctx context.Context, s suite.Suite, seed uint64) (RunEstimate, error) {
	isExternal := func(v suite.Variant) bool { return s.SystemOf(v).IsExternal() }
	if agents := withVariants(s, isExternal); len(agents.Variants) > 0 {
		p, err := NewPlan(Config{Suites: []suite.Suite{agents}, Seed: seed,
			EndpointOptions: EndpointOptions{Context: ctx}})
		if err != nil {
			return RunEstimate{}, err
		}
		if err := p.Close(); err != nil {
			return RunEstimate{}, err
		}
		s = withVariants(s, func(v suite.Variant) bool { return !isExternal(v) })
		if !slices.ContainsFunc(s.Variants, func(v suite.Variant) bool { return !suite.IsBaselineModel(v.Model) }) {
			return RunEstimate{}, ErrNoEstimate
		}
	}
	limit, original := max(s.Limit, s.Sample), s
	s = simulated(s)
	s.Limit, s.Sample = 0, estimateCases
	p, err := NewPlan(Config{
		Suites:          []suite.Suite{s},
		Seed:            seed,
		Clock:           "simulated",
		EndpointOptions: EndpointOptions{Context: ctx},
	})
	if err != nil {
		return RunEstimate{}, err
	}
	one := p.suites[0]
	f := RunEstimate{
		Suite:      s.Name,
		Cases:      one.data.MatchingCases,
		Conditions: int64(len(one.conditions)),
		Prices:     modelPrices(original),
	}
	if limit > 0 {
		f.Cases = min(f.Cases, limit)
	}
	sum := expense{
		prices:    realPrices(original),
		simulated: func(variant string) eval.PriceFunc { return p.prices(s.Name, variant) },
	}
	runner := eval.Runner{Parallel: runtime.GOMAXPROCS(0), Timeout: turnTimeout, SimulatedClock: true}
	err = errors.Join(runner.Run(ctx, p.shardTrials(), eval.SinkFunc(sum.add)), p.Close())
	f.Trials = f.Cases * f.Conditions * int64(max(one.suite.Epochs, 1))
	sum.scale(&f)
	return f, err
}

// withVariants returns a copy of the suite that has only the variants for which keep returns true,
// and no gates.
func withVariants(s suite.Suite, keep func(suite.Variant) bool) suite.Suite {
	s.Variants = slices.DeleteFunc(slices.Clone(s.Variants), func(v suite.Variant) bool { return !keep(v) })
	s.BaselineVariant, s.Gates = "", nil
	return s
}

// simulated returns a copy of the suite that calls no real endpoint and has no baseline models.
func simulated(s suite.Suite) suite.Suite {
	s.Variants = slices.Clone(s.WithoutBaselineModels())
	for i := range s.Variants {
		v := &s.Variants[i]
		if !suite.IsBaselineModel(v.Model) {
			v.Model = ""
			v.BaseURL = ""
			v.KeyEnv = ""
		}
		v.Settings = maps.Clone(v.Settings)
		for _, set := range s.SystemOf(*v).Settings {
			if slices.ContainsFunc(set.Elements(v.Settings[set.Name]), isReal) {
				delete(v.Settings, set.Name)
			}
		}
	}
	s.Models = maps.Clone(s.Models)
	for name, m := range s.Models {
		m.BaseURL, m.APIKeyEnv = "", ""
		s.Models[name] = m
	}
	s.RejudgeFirstAttempts = false
	s.GradeFacts = false
	s.Gates = nil
	return s
}

// isReal reports whether an element of a setting is a URL or a command.
func isReal(e system.SettingElement) bool {
	return e.Kind == system.ElementURL || e.Kind == system.ElementCommand
}

// expense adds up what trials used. The sums are integers, so the order of the trials has no
// effect.
type expense struct {
	prices                        map[variantNode]eval.PriceFunc      // of the nodes that call real models
	simulated                     func(variant string) eval.PriceFunc // of all other nodes
	trials, calls, in, out, nanos int64
	unknown                       bool
	duration                      time.Duration
}

func (e *expense) add(r eval.Result) error {
	e.trials++
	e.calls += r.Calls
	e.in += r.Tokens.In
	e.out += r.Tokens.Out
	e.duration += time.Duration(r.Duration)
	e.addCost(r)
	return nil
}

// addCost adds the cost of a trial. Nodes that will call a real model have the price of that model.
func (e *expense) addCost(r eval.Result) {
	nodes := map[string]bool{}
	for _, turn := range r.Outcome.Turns {
		for _, event := range turn.Events {
			if event.Kind == trace.KindSpan {
				nodes[event.Node] = true
			}
		}
	}
	for node := range nodes {
		prices, ok := e.prices[variantNode{r.Variant, node}]
		if !ok {
			prices = e.simulated(r.Variant)
		}
		nanos, known := prices.Cost(r, func(n string) bool { return n == node })
		e.nanos += nanos
		e.unknown = e.unknown || !known
	}
}

// variantNode is a node of a variant.
type variantNode struct{ variant, node string }

// realPrices returns the prices of the nodes of a suite that call real models.
func realPrices(s suite.Suite) map[variantNode]eval.PriceFunc {
	prices := map[variantNode]eval.PriceFunc{}
	for _, v := range s.Variants {
		for _, part := range s.SystemOf(v).Components {
			m := s.ModelFor(v, part.Name)
			if m.BaseURL == "" || !s.UsesComponent(v, part.Name) {
				continue
			}
			entry, ok := s.PriceOf(m)
			prices[variantNode{v.Name, part.NodeName()}] = func(string, string) (eval.Price,
				bool) {
				return entry.Price, ok
			}
		}
	}
	return prices
}

// scale extrapolates the sums from the counted trials to all trials and stores them in f.
func (e *expense) scale(f *RunEstimate) {
	if e.trials == 0 {
		return
	}
	share := float64(f.Trials) / float64(e.trials)
	times := func(n int64) int64 { return int64(math.Round(float64(n) * share)) }
	f.Calls, f.TokensIn, f.TokensOut, f.TotalTrialTime = times(e.calls), times(e.in), times(e.out),
		time.Duration(times(int64(e.duration)))
	if !e.unknown {
		usd := float64(times(e.nanos)) / 1e9
		f.USD = &usd
	}
}
