package main

import (
	"fmt"
	"iter"
	"net/http"

	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/suite"
	"evalctl/mocks"
)

// plan is a run before it begins: everything read and checked.
type plan struct {
	parts     []part
	seed      uint64
	simulated bool // time
	gates     []gate.Rule
}

// part is one suite of the plan.
type part struct {
	suite suite.Suite
	data  *datasets.Dataset
	cells []*eval.Cell
	cases int64
	notes []eval.ModelNote
}

// newPlan reads and checks all that the suites name.
func newPlan(suites []suite.Suite, seed uint64, time string, gates []string) (*plan, error) {
	p := &plan{seed: seed}
	real := false
	for _, s := range suites {
		part, isReal, err := newPart(s)
		if err != nil {
			return nil, err
		}
		real = real || isReal
		p.parts = append(p.parts, part)
	}
	if err := p.setTime(time, real); err != nil {
		return nil, err
	}
	return p, p.setGates(gates)
}

func newPart(s suite.Suite) (part, bool, error) {
	schema := datasets.ToolRouter(checkFault)
	// A dataset's path stands as the user typed it; a suite file's starts there.
	name := s.Dataset
	if s.Dir != "" && !isShipped(name) {
		name = s.Path(name)
	}
	data, err := datasets.Open(name, schema)
	if err != nil {
		return part{}, false, err
	}
	w, err := newWorld(s, schema.Labels, &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 1024, ForceAttemptHTTP2: true,
	}})
	if err != nil {
		return part{}, false, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	cells, err := s.Cells(w.connect)
	if err != nil {
		return part{}, false, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	p := part{suite: s, data: data, cells: cells, notes: w.notes()}
	for _, err := range p.stream() {
		if err != nil {
			return part{}, false, err
		}
		p.cases++
	}
	if p.cases == 0 {
		return part{}, false, fmt.Errorf("dataset %s: no case of %d is left after split %q and tags %v", name, data.Cases, s.Split, s.Tags)
	}
	return p, w.real, nil
}

func checkFault(spec string) error {
	_, err := mocks.ParseFaults(spec)
	return err
}

func isShipped(name string) bool {
	for _, s := range datasets.Shipped() {
		if s == name {
			return true
		}
	}
	return false
}

func (p part) stream() iter.Seq2[eval.Case, error] {
	return p.data.Stream(datasets.Filter{Split: p.suite.Split, Tags: p.suite.Tags, Limit: p.suite.Limit})
}

// setTime takes simulated time unless something real is waited for.
func (p *plan) setTime(time string, real bool) error {
	switch {
	case time != "" && time != "real" && time != "simulated":
		return fmt.Errorf("--time: %q is neither real nor simulated", time)
	case time == "simulated" && real:
		return fmt.Errorf("--time: a real endpoint cannot be waited for in simulated time")
	}
	p.simulated = time == "simulated" || time == "" && !real
	return nil
}

func (p *plan) setGates(rules []string) error {
	var cells []gate.Cell
	for _, part := range p.parts {
		for _, c := range part.cells {
			cells = append(cells, gate.Cell{Suite: c.Suite, Variant: c.Variant, Fault: c.Fault})
		}
	}
	for _, text := range rules {
		rule, err := gate.Parse(text)
		if err != nil {
			return flagError("gate", err)
		}
		p.gates = append(p.gates, rule)
	}
	if err := gate.Validate(p.gates, cells); err != nil {
		return flagError("gate", err)
	}
	return nil
}

// trials are all of the run, suite by suite.
func (p *plan) trials() iter.Seq2[eval.Trial, error] {
	return func(yield func(eval.Trial, error) bool) {
		for _, part := range p.parts {
			for t, err := range suite.Trials(part.cells, part.stream(), part.suite.Epochs, p.seed) {
				if !yield(t, err) {
					return
				}
			}
		}
	}
}

func (p *plan) total() (n int64) {
	for _, part := range p.parts {
		n += part.cases * int64(len(part.cells)) * int64(max(part.suite.Epochs, 1))
	}
	return n
}

// summaries are the suites as a report shows them, still without figures.
func (p *plan) summaries() []eval.SuiteSummary {
	time := "real"
	if p.simulated {
		time = "simulated"
	}
	var list []eval.SuiteSummary
	for _, part := range p.parts {
		s := eval.SuiteSummary{Name: part.suite.Name, Target: part.suite.Target, Dataset: part.suite.Dataset,
			Split: part.suite.Split, Cases: part.cases, Time: time, Models: part.notes}
		for _, c := range part.cells {
			s.Variants = append(s.Variants, eval.CellSummary{Name: c.Variant, Fault: c.Fault})
		}
		list = append(list, s)
	}
	return list
}
