package play

import (
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// outage tells which trials real endpoints lost. With rules behind it an agent
// answers every case also when every call fails: such a run measures the rules,
// and must not pass for a success.
type outage struct {
	real    map[string]map[string]realPart // SUITE/VARIANT: what is real, by the node of its calls
	cells   map[string]*reached
	streaks map[string]int // losses in a row, by endpoint
	first   map[string]string
}

// realPart is a part behind which an endpoint stands.
type realPart struct {
	endpoint string
	decides  bool
}

// reached counts what came of a cell's real parts.
type reached struct {
	trials, lost int64
	nodes        map[string]*calls // by node
	why          string            // of the first failure
}

// calls counts the trials that asked a node, and those that it gave no answer.
type calls struct{ asked, missed int64 }

func newOutage(p *Plan) *outage {
	o := &outage{real: map[string]map[string]realPart{}, cells: map[string]*reached{}, streaks: map[string]int{}, first: map[string]string{}}
	for _, one := range p.suites {
		for _, v := range one.suite.Variants {
			nodes := map[string]realPart{}
			for _, part := range one.suite.System().Parts {
				if at := one.backend.Endpoint(v, part.Name); at != "" && one.suite.Reaches(v, part.Name) {
					nodes[part.In()] = realPart{endpoint: at, decides: part.Work == system.Decides}
				}
			}
			o.real[one.suite.Name+"/"+v.Name] = nodes
		}
	}
	return o
}

func cellName(suite, variant, fault string) string {
	return fmt.Sprintf("suite %s, variant %s, fault %s", suite, variant, fault)
}

// parts are what is real in a result's variant.
func (o *outage) parts(r eval.Result) map[string]realPart { return o.real[r.Suite+"/"+r.Variant] }

// answered tells of each real endpoint that a trial asked whether it answered in
// every node. A trial whose error is no call's, as when its time was over, lies at
// the door of all, unless a fault was injected beside them.
func (o *outage) answered(r eval.Result) map[string]bool {
	list, real := map[string]bool{}, o.parts(r)
	lost := false
	for _, n := range r.Nodes {
		p, ok := real[n.Node]
		if !ok {
			continue
		}
		missed := n.Lost == n.Calls
		lost = lost || missed
		if _, asked := list[p.endpoint]; missed || !asked {
			list[p.endpoint] = !missed
		}
	}
	if !lost && r.Fault == eval.NoFault && r.Error != nil && (r.Error.Kind == eval.ProviderError || r.Error.Kind == eval.TimeoutError) {
		for _, p := range real {
			list[p.endpoint] = false
		}
	}
	return list
}

// lost tells a trial in which a real endpoint gave no answer, with or without
// something to take over.
func (o *outage) lost(r eval.Result) bool {
	for _, ok := range o.answered(r) {
		if !ok {
			return true
		}
	}
	return false
}

// add counts a result, also of a resumed run.
func (o *outage) add(r eval.Result) {
	name := cellName(r.Suite, r.Variant, r.Fault)
	c := o.cells[name]
	if c == nil {
		c = &reached{nodes: map[string]*calls{}}
		o.cells[name] = c
	}
	c.trials++
	lost := o.lost(r)
	if lost {
		c.lost++
	}
	if c.why == "" && (lost || r.Error != nil) {
		c.why = failure(r)
	}
	for _, n := range r.Nodes {
		if _, real := o.parts(r)[n.Node]; !real {
			continue
		}
		if c.nodes[n.Node] == nil {
			c.nodes[n.Node] = &calls{}
		}
		c.nodes[n.Node].asked++
		if n.Lost == n.Calls {
			c.nodes[n.Node].missed++
		}
	}
}

// play counts a result of this process. Its error ends the run: an endpoint has
// lost so many trials in a row.
func (o *outage) play(r eval.Result, most int) error {
	o.add(r)
	list := o.answered(r)
	for _, at := range slices.Sorted(maps.Keys(list)) {
		if list[at] {
			o.streaks[at] = 0
			continue
		}
		if o.streaks[at]++; o.streaks[at] == 1 {
			o.first[at] = failure(r)
		}
		if o.streaks[at] == most {
			return fmt.Errorf("gave up: %s answered none of the last %d trials that asked it%s", at, most, because(o.first[at]))
		}
	}
	return nil
}

// failure is what the first failed call said, else why the trial has no answer.
func failure(r eval.Result) string {
	if r.Error != nil {
		return r.Error.Error()
	}
	for _, turn := range r.Outcome.Turns {
		for _, e := range turn.Events {
			if e.Kind == trace.KindSpan && e.Span.Error != "" {
				return e.Node + ": " + e.Span.Error + ": " + e.Span.Message
			}
		}
	}
	return "" // no trace is left
}

// verdict says which cell measured too little: without an answer, of a real
// endpoint that was never asked to decide or never answered, or of one that lost
// more than a share of the trials.
func (o *outage) verdict(suite string, c eval.CellSummary, most float64) error {
	name := cellName(suite, c.Name, c.Fault)
	seen := o.cells[name]
	if seen == nil {
		seen = &reached{}
	}
	if v := c.Metrics["missing.rate"].Value; v == nil || *v == 1 {
		return fmt.Errorf("%s: no trial of %d has an answer%s", name, c.Trials, because(seen.why))
	}
	real := o.real[suite+"/"+c.Name]
	for _, node := range slices.Sorted(maps.Keys(real)) {
		switch n := seen.nodes[node]; {
		case n == nil && real[node].decides:
			return fmt.Errorf("%s: the model was asked in none of %d trials: no call stands under the node %s", name, c.Trials, node)
		case n != nil && n.missed == n.asked:
			return fmt.Errorf("%s: %s answered none of %d trials%s", name, node, n.asked, because(seen.why))
		}
	}
	if float64(seen.lost) > most*float64(seen.trials) {
		return fmt.Errorf("%s: a real endpoint lost %d of %d trials, more than --max-missing %.6g%%%s", name, seen.lost, seen.trials, 100*most, because(seen.why))
	}
	return nil
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return "; the first: " + why
}
