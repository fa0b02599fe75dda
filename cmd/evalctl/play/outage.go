package play

import (
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// patience is how many trials may lose a real model, with none that has
// reached it, before a run is given up.
const patience = 32

// outage tells whether a run's real endpoints were reached at all. With rules
// behind it an agent answers every case also when every call fails: such a run
// measures the rules, and must not pass for a success.
type outage struct {
	suites map[string]bool            // that have a real endpoint
	real   map[string]map[string]bool // SUITE/VARIANT: the nodes whose calls go to real parts, true where one decides
	cells  map[string]*reached
	asked  int64 // trials of this process in which a decider was asked
	missed int64
}

// reached counts what came of a cell's real parts.
type reached struct {
	nodes map[string]*calls // by node
	why   string            // of the first failure
}

// calls counts the trials that asked a node, and those that it gave no answer.
type calls struct{ asked, missed int64 }

func newOutage(p *Plan) *outage {
	o := &outage{suites: map[string]bool{}, real: map[string]map[string]bool{}, cells: map[string]*reached{}}
	for _, one := range p.suites {
		o.suites[one.suite.Name] = one.backend.HasReal()
		for _, v := range one.suite.Variants {
			nodes := map[string]bool{}
			for _, part := range one.suite.System().Parts {
				if one.suite.Reaches(v, part.Name) && one.backend.IsReal(v, part.Name) {
					nodes[part.In()] = part.Work == system.Decides
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

// add counts a result, also of a resumed run.
func (o *outage) add(r eval.Result) {
	name := cellName(r.Suite, r.Variant, r.Fault)
	c := o.cells[name]
	if c == nil {
		c = &reached{nodes: map[string]*calls{}}
		o.cells[name] = c
	}
	if c.why == "" && r.Error != nil {
		c.why = r.Error.Error()
	}
	for _, n := range r.Nodes {
		if _, real := o.nodes(r)[n.Node]; !real {
			continue
		}
		if c.nodes[n.Node] == nil {
			c.nodes[n.Node] = &calls{}
		}
		c.nodes[n.Node].asked++
		if n.Lost == n.Calls {
			c.nodes[n.Node].missed++
			if c.why == "" {
				c.why = firstFailure(r)
			}
		}
	}
}

func (o *outage) nodes(r eval.Result) map[string]bool { return o.real[r.Suite+"/"+r.Variant] }

// play counts a result of this process; its error ends the run.
func (o *outage) play(r eval.Result) error {
	o.add(r)
	if !slices.ContainsFunc(r.Nodes, func(n eval.NodeTime) bool { return o.nodes(r)[n.Node] }) {
		return nil
	}
	o.asked++
	if o.lost(r) {
		o.missed++
	}
	if o.missed < patience || o.missed < o.asked {
		return nil
	}
	return fmt.Errorf("gave up: none of the first %d trials had an answer of the model: %s",
		o.asked, o.cells[cellName(r.Suite, r.Variant, r.Fault)].why)
}

// lost tells a trial in which a real endpoint gave no decision, with or without
// something to take over.
func (o *outage) lost(r eval.Result) bool {
	if !o.suites[r.Suite] {
		return false
	}
	if r.Error != nil {
		return r.Error.Kind == eval.ProviderError || r.Error.Kind == eval.TimeoutError
	}
	return slices.ContainsFunc(r.Nodes, func(n eval.NodeTime) bool { return o.nodes(r)[n.Node] && n.Lost == n.Calls })
}

// firstFailure is what the first failed call said; "" where no trace is left.
func firstFailure(r eval.Result) string {
	for _, turn := range r.Outcome.Turns {
		for _, e := range turn.Events {
			if e.Kind == trace.KindSpan && e.Span.Error != "" {
				return e.Node + ": " + e.Span.Error + ": " + e.Span.Message
			}
		}
	}
	return ""
}

// verdict says which cell measured nothing: without an answer, or of a real
// endpoint that was never asked to decide or never answered.
func (o *outage) verdict(suite string, c eval.CellSummary) error {
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
		case n == nil && real[node]:
			return fmt.Errorf("%s: the model was asked in none of %d trials: no call stands under the node %s", name, c.Trials, node)
		case n != nil && n.missed == n.asked:
			return fmt.Errorf("%s: %s answered none of %d trials%s", name, node, n.asked, because(seen.why))
		}
	}
	return nil
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return "; the first: " + why
}
