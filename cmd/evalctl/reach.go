package main

import (
	"fmt"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// patience is how many trials may lose a real model, with none that has
// reached it, before a run is given up.
const patience = 32

// reach tells whether a run's real models were reached at all. With the rules
// behind it an agent answers every case also when every call fails: such a run
// measures the rules, and must not pass for a success.
type reach struct {
	suites  map[string]bool // that have a real endpoint
	routers map[string]bool // SUITE/VARIANT whose router is real
	cells   map[string]*reached
	asked   int64 // by this process
	missed  int64
}

// reached counts the trials of a cell that asked the router's model, and those
// that it gave no answer.
type reached struct {
	asked, missed int64
	why           string // of the first
}

func newReach(p *plan) *reach {
	r := &reach{suites: map[string]bool{}, routers: map[string]bool{}, cells: map[string]*reached{}}
	for _, part := range p.parts {
		r.suites[part.suite.Name] = part.world.real
		for _, v := range part.suite.Variants {
			r.routers[part.suite.Name+"/"+v.Name] = part.world.isReal(v, "router")
		}
	}
	return r
}

func cellName(suite, variant, fault string) string {
	return fmt.Sprintf("suite %s, variant %s, fault %s", suite, variant, fault)
}

// add counts a result, also of a resumed run.
func (h *reach) add(r eval.Result) {
	name := cellName(r.Suite, r.Variant, r.Fault)
	c := h.cells[name]
	if c == nil {
		c = &reached{}
		h.cells[name] = c
	}
	if c.why == "" && r.Error != nil {
		c.why = r.Error.Error()
	}
	if !h.asksRouter(r) {
		return
	}
	c.asked++
	if h.lost(r) {
		c.missed++
		if c.why == "" {
			c.why = firstFailure(r)
		}
	}
}

// play counts a result of this process; its error ends the run.
func (h *reach) play(r eval.Result) error {
	h.add(r)
	if !h.asksRouter(r) {
		return nil
	}
	h.asked++
	if h.lost(r) {
		h.missed++
	}
	if h.missed < patience || h.missed < h.asked {
		return nil
	}
	return fmt.Errorf("gave up: none of the first %d trials had an answer of the model: %s",
		h.asked, h.cells[cellName(r.Suite, r.Variant, r.Fault)].why)
}

// lost tells a trial that a real endpoint failed, with or without rules to
// take over.
func (h *reach) lost(r eval.Result) bool {
	if !h.suites[r.Suite] {
		return false
	}
	if r.Error != nil {
		return r.Error.Kind == eval.ProviderError || r.Error.Kind == eval.TimeoutError
	}
	return h.routers[r.Suite+"/"+r.Variant] && slices.ContainsFunc(r.Fallbacks, func(f eval.Fallback) bool {
		return decides(f.From) && slices.Contains(unanswered(), llm.Kind(f.Reason))
	})
}

// decides tells the nodes in which the model decides that stands behind the
// component router.
func decides(node string) bool { return node == "router" || node == "planner" }

// unanswered are the failures of a call that brought no answer, good or bad.
func unanswered() []llm.Kind {
	return []llm.Kind{llm.KindTimeout, llm.KindRateLimited, llm.KindServer, llm.KindReset, llm.KindTransport,
		llm.KindAuth, llm.KindBalance, llm.KindBadRequest, llm.KindMalformed, llm.KindTruncated}
}

// asksRouter tells a trial whose router is a real model that was asked.
func (h *reach) asksRouter(r eval.Result) bool {
	return h.routers[r.Suite+"/"+r.Variant] && slices.ContainsFunc(r.Nodes, func(n eval.NodeTime) bool { return decides(n.Node) })
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
func (h *reach) verdict(suite string, c eval.CellSummary) error {
	name := cellName(suite, c.Name, c.Fault)
	seen := h.cells[name]
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
