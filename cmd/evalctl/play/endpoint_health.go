package play

import (
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval"
)

// endpointHealth records which trials real endpoints failed to answer. An agent with fallback rules
// decides every case even if all its model calls fail. Such a run measures the rules, so it must
// not count as a success.
type endpointHealth struct {
	// real components of each suite and variant, by trace node; the fault in the key is empty
	real       map[conditionKey]map[string]realComponent
	conditions map[conditionKey]*endpointOutcomes
	cases      int                       // number of cases of all suites
	labels     map[string][]string       // permitted labels, by suite name
	streaks    map[string]*failureStreak // consecutive unanswered trials, by endpoint

	breaker
}

func newEndpointHealth(p *Plan) *endpointHealth {
	o := &endpointHealth{
		real:       map[conditionKey]map[string]realComponent{},
		conditions: map[conditionKey]*endpointOutcomes{},
		streaks:    map[string]*failureStreak{},
		labels:     map[string][]string{},
		breaker:    breaker{open: map[string]error{}},
	}
	for _, one := range p.suites {
		o.cases += int(one.cases)
		o.labels[one.suite.Name] = one.labels
		if p.replay != nil {
			continue // replayed calls do not reach an endpoint
		}
		for _, v := range one.suite.Variants {
			nodes := map[string]realComponent{}
			for _, part := range one.suite.SystemOf(v).Components {
				if at := one.suite.DescribeEndpoint(v, part.Name); at != "" && one.suite.UsesComponent(v, part.Name) {
					nodes[part.NodeName()] = realComponent{endpoint: at, decides: part.Role == system.RoleRouter,
						labels: one.suite.SystemOf(v).Contract.Labels}
				}
			}
			o.real[conditionKey{suite: one.suite.Name, variant: v.Name}] = nodes
		}
	}
	return o
}

// realComponents returns the real components of the variant that produced the result, by trace
// node.
func (o *endpointHealth) realComponents(r eval.Result) map[string]realComponent {
	return o.real[conditionKey{suite: r.Suite, variant: r.Variant}]
}

// calledEndpoints returns the real endpoints that the trial called. The value is the error kind of
// an unanswered call, or "" if all calls were answered. An error of the whole trial, such as a
// timeout, counts for all endpoints, unless a fault was injected.
func (o *endpointHealth) calledEndpoints(r eval.Result) map[string]llm.ErrorKind {
	parts := o.realComponents(r)
	if len(parts) == 0 {
		return nil
	}
	list := map[string]llm.ErrorKind{}
	lost := false
	for _, n := range r.Nodes {
		p, ok := parts[n.Node]
		if !ok {
			continue
		}
		before, called := list[p.endpoint]
		switch {
		case isUnanswered(n.CallError) && (before == "" || isRefusal(before)):
			lost, list[p.endpoint] = true, n.CallError
		case !called:
			list[p.endpoint] = ""
		}
	}
	if !lost && r.Fault == eval.NoFault && r.Error != nil &&
		(r.Error.Kind == eval.ProviderError || r.Error.Kind == eval.TimeoutError) {
		for _, p := range parts {
			list[p.endpoint] = llm.ErrorKind(r.Error.Kind)
		}
	}
	return list
}

// lost reports whether a real endpoint did not answer in this trial, even if a fallback did.
func (o *endpointHealth) lost(r eval.Result) bool {
	for _, why := range o.calledEndpoints(r) {
		if why != "" {
			return true
		}
	}
	return false
}

// add counts a result, of this process or of an earlier process of a resumed run.
func (o *endpointHealth) add(r eval.Result) {
	key := conditionKey{suite: r.Suite, variant: r.Variant, fault: r.Fault}
	c := o.conditions[key]
	if c == nil {
		c = &endpointOutcomes{nodes: map[string]*nodeCalls{}}
		o.conditions[key] = c
	}
	c.trials++
	lost := o.lost(r)
	if lost {
		c.lost++
	}
	if c.why == "" && (lost || r.Error != nil || r.ErrorReplyCause != "") {
		c.why = failure(r)
	}
	c.countDecision(r)
	c.unknown.add(r)
	for node, part := range o.realComponents(r) {
		c.count(node, part, r)
	}
}

// addLive counts a result of this process and opens the circuit of an endpoint that keeps failing.
// The circuit opens after minLosses lost trials in a row. They must include minLosses different
// cases, or all cases if there are fewer, because one bad case fails in every condition and epoch.
// With minLosses 0, no circuit opens. addLive returns an error, which ends the run, if every
// variant needs an endpoint with an open circuit.
func (o *endpointHealth) addLive(r eval.Result, minLosses int) error {
	o.add(r)
	if minLosses == 0 {
		return nil
	}
	list := o.calledEndpoints(r)
	for _, at := range slices.Sorted(maps.Keys(list)) {
		switch why := list[at]; {
		case why == "":
			delete(o.streaks, at)
			continue
		case isRefusal(why):
			continue
		}
		if o.streaks[at] == nil {
			o.streaks[at] = &failureStreak{cases: map[string]struct{}{}, message: failure(r)}
		}
		if n := o.streaks[at].add(r); n >= minLosses && len(o.streaks[at].cases) >= min(minLosses, o.cases) {
			o.openCircuit(at, fmt.Errorf("%s answered none of the last %d trials that called it%s", at, n,
				because(o.streaks[at].message)))
		}
	}
	if o.hasUsable(o.real) {
		return nil
	}
	return o.openError()
}

// verdict returns an error if a condition has too little data to be a result:
//
//   - no trial has an answer
//   - a real component that decides was never called, never answered, or decided nothing
//   - real endpoints did not answer in more than maxLostShare of the trials
//   - no decision was a valid label, and no fault was injected
func (o *endpointHealth) verdict(suite string, c eval.ConditionSummary, maxLostShare float64) error {
	name := conditionKey{suite: suite, variant: c.Variant, fault: c.Fault}
	seen := o.conditions[name]
	if seen == nil {
		seen = &endpointOutcomes{}
	}
	little := tooLittleData(suite, c, seen.why)
	if v := c.Metrics["missing.rate"].Value; v == nil || *v == 1 {
		return little
	}
	parts := o.real[conditionKey{suite: suite, variant: c.Variant}]
	for _, node := range slices.Sorted(maps.Keys(parts)) {
		if err := seen.judge(node, parts[node]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := seen.judgeDecisions(o.labels[suite]); err != nil && c.Fault == eval.NoFault {
		return fmt.Errorf("%s: %w", name, err)
	}
	if float64(seen.lost) > maxLostShare*float64(seen.trials) {
		return fmt.Errorf("%s: a real endpoint lost %d of %d trials, more than --max-missing %.6g%%%s", name, seen.lost,
			seen.trials, 100*maxLostShare, because(seen.why))
	}
	return little
}
