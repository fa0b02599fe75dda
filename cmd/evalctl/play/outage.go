package play

import (
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval"
)

// endpointHealth tells which trials real endpoints lost. With rules behind it an agent
// answers every case also when every call fails: such a run measures the rules,
// and must not pass for a success.
type endpointHealth struct {
	real       map[conditionKey]map[string]realPart // without a fault: what is real, by the node of its calls
	conditions map[conditionKey]*endpointsUsed
	cases      int                       // of all suites
	labels     map[string][]string       // by suite: to choose from
	streaks    map[string]*failureStreak // by endpoint

	breaker
}

func newOutage(p *Plan) *endpointHealth {
	o := &endpointHealth{real: map[conditionKey]map[string]realPart{}, conditions: map[conditionKey]*endpointsUsed{}, streaks: map[string]*failureStreak{}, labels: map[string][]string{},
		breaker: breaker{dead: map[string]error{}}}
	for _, one := range p.suites {
		o.cases += int(one.cases)
		o.labels[one.suite.Name] = one.labels
		if p.replay != nil {
			continue // nobody can be out of reach
		}
		for _, v := range one.suite.Variants {
			nodes := map[string]realPart{}
			for _, part := range one.suite.System().Parts {
				if at := one.backend.Endpoint(v, part.Name); at != "" && one.suite.UsesComponent(v, part.Name) {
					nodes[part.NodeName()] = realPart{endpoint: at, decides: part.Role == system.RoleRouter, labels: one.suite.System().Contract.Labels}
				}
			}
			o.real[conditionKey{suite: one.suite.Name, variant: v.Name}] = nodes
		}
	}
	return o
}

// parts are what is real in a result's variant.
func (o *endpointHealth) parts(r eval.Result) map[string]realPart {
	return o.real[conditionKey{suite: r.Suite, variant: r.Variant}]
}

// losses tells of each real endpoint that a trial asked why it was lost in some
// node, "" where it answered in every one. A trial whose error is no call's, as
// when its time was over, lies at the door of all, unless a fault was injected
// beside them.
func (o *endpointHealth) losses(r eval.Result) map[string]llm.ErrorKind {
	parts := o.parts(r)
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
		before, asked := list[p.endpoint]
		switch {
		case isLost(n.CallError) && (before == "" || isRefusal(before)):
			lost, list[p.endpoint] = true, n.CallError
		case !asked:
			list[p.endpoint] = ""
		}
	}
	if !lost && r.Fault == eval.NoFault && r.Error != nil && (r.Error.Kind == eval.ProviderError || r.Error.Kind == eval.TimeoutError) {
		for _, p := range parts {
			list[p.endpoint] = llm.ErrorKind(r.Error.Kind)
		}
	}
	return list
}

// lost tells a trial in which a real endpoint gave no answer, with or without
// something to take over.
func (o *endpointHealth) lost(r eval.Result) bool {
	for _, why := range o.losses(r) {
		if why != "" {
			return true
		}
	}
	return false
}

// add counts a result, also of a resumed run.
func (o *endpointHealth) add(r eval.Result) {
	key := conditionKey{suite: r.Suite, variant: r.Variant, fault: r.Fault}
	c := o.conditions[key]
	if c == nil {
		c = &endpointsUsed{nodes: map[string]*calls{}}
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
	c.decides(r)
	for node, part := range o.parts(r) {
		c.count(node, part, r)
	}
}

// play counts a result of this process, and gives up an endpoint that has lost so many
// cases in a row (0: however many), or all that there are in as many trials: a case is
// played in many cells and epochs, and one that is bad is lost in all of them. Trials that
// want it are played no more. Its error ends the run: no other are left.
func (o *endpointHealth) play(r eval.Result, most int) error {
	o.add(r)
	if most == 0 {
		return nil
	}
	list := o.losses(r)
	for _, at := range slices.Sorted(maps.Keys(list)) {
		switch why := list[at]; {
		case why == "":
			delete(o.streaks, at)
			continue
		case isRefusal(why):
			continue
		}
		if o.streaks[at] == nil {
			o.streaks[at] = &failureStreak{cases: map[string]struct{}{}, why: failure(r)}
		}
		if n := o.streaks[at].add(r); n >= most && len(o.streaks[at].cases) >= min(most, o.cases) {
			o.giveUp(at, fmt.Errorf("%s answered none of the last %d trials that called it%s", at, n, because(o.streaks[at].why)))
		}
	}
	if o.livesSome(o.real) {
		return nil
	}
	return o.gaveUp()
}

// verdict says which cell measured too little: without an answer, of a real
// endpoint that was never asked to decide, never answered or decided nothing, or
// of one that lost more than a share of the trials; or without a decision to
// judge, unless an injected fault saw to that: then what takes over was measured.
func (o *endpointHealth) verdict(suite string, c eval.ConditionSummary, most float64) error {
	name := conditionKey{suite: suite, variant: c.Name, fault: c.Fault}
	seen := o.conditions[name]
	if seen == nil {
		seen = &endpointsUsed{}
	}
	little := tooLittle(suite, c, seen.why)
	if v := c.Metrics["missing.rate"].Value; v == nil || *v == 1 {
		return little
	}
	parts := o.real[conditionKey{suite: suite, variant: c.Name}]
	for _, node := range slices.Sorted(maps.Keys(parts)) {
		if err := seen.judge(node, parts[node]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := seen.judgeDecisions(o.labels[suite]); err != nil && c.Fault == eval.NoFault {
		return fmt.Errorf("%s: %w", name, err)
	}
	if float64(seen.lost) > most*float64(seen.trials) {
		return fmt.Errorf("%s: a real endpoint lost %d of %d trials, more than --max-missing %.6g%%%s", name, seen.lost, seen.trials, 100*most, because(seen.why))
	}
	return little
}
