package play

import (
	"fmt"
	"slices"

	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// patience is how many trials may lose a real model, with none that has
// reached it, before a run is given up.
const patience = 32

// outage tells whether a run's real models were reached at all. With rules
// behind it an agent answers every case also when every call fails: such a run
// measures the rules, and must not pass for a success.
type outage struct {
	suites   map[string]bool     // that have a real endpoint
	deciders map[string][]string // SUITE/VARIANT: the nodes in which a real model decides
	cells    map[string]*reached
	asked    int64 // by this process
	missed   int64
}

// reached counts the trials of a cell that asked a real decider, and those that
// it gave no answer.
type reached struct {
	asked, missed int64
	why           string // of the first
}

func newOutage(p *Plan) *outage {
	o := &outage{suites: map[string]bool{}, deciders: map[string][]string{}, cells: map[string]*reached{}}
	for _, one := range p.suites {
		o.suites[one.suite.Name] = one.backend.HasReal()
		for _, v := range one.suite.Variants {
			for _, part := range one.suite.System().Parts {
				if part.Work == system.Decides && one.backend.IsReal(v, part.Name) {
					name := one.suite.Name + "/" + v.Name
					o.deciders[name] = append(o.deciders[name], part.In())
				}
			}
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
		c = &reached{}
		o.cells[name] = c
	}
	if c.why == "" && r.Error != nil {
		c.why = r.Error.Error()
	}
	if !o.asksDecider(r) {
		return
	}
	c.asked++
	if o.lost(r) {
		c.missed++
		if c.why == "" {
			c.why = firstFailure(r)
		}
	}
}

// play counts a result of this process; its error ends the run.
func (o *outage) play(r eval.Result) error {
	o.add(r)
	if !o.asksDecider(r) {
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

// lost tells a trial that a real endpoint failed, with or without something to
// take over.
func (o *outage) lost(r eval.Result) bool {
	if !o.suites[r.Suite] {
		return false
	}
	if r.Error != nil {
		return r.Error.Kind == eval.ProviderError || r.Error.Kind == eval.TimeoutError
	}
	return slices.ContainsFunc(r.Nodes, func(n eval.NodeTime) bool { return o.decides(r, n) && n.Lost == n.Calls })
}

// decides tells a node in which a real model decides.
func (o *outage) decides(r eval.Result, n eval.NodeTime) bool {
	return slices.Contains(o.deciders[r.Suite+"/"+r.Variant], n.Node)
}

// asksDecider tells a trial in which a real decider was asked.
func (o *outage) asksDecider(r eval.Result) bool {
	return slices.ContainsFunc(r.Nodes, func(n eval.NodeTime) bool { return o.decides(r, n) })
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

// verdict says which cell measured nothing.
func (o *outage) verdict(suite string, c eval.CellSummary) error {
	name := cellName(suite, c.Name, c.Fault)
	seen := o.cells[name]
	if seen == nil {
		seen = &reached{}
	}
	switch v := c.Metrics["missing.rate"].Value; {
	case v == nil || *v == 1:
		return fmt.Errorf("%s: no trial of %d has an answer%s", name, c.Trials, because(seen.why))
	case seen.asked > 0 && seen.missed == seen.asked:
		return fmt.Errorf("%s: the model answered none of %d trials%s", name, seen.asked, because(seen.why))
	}
	return nil
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return "; the first: " + why
}
