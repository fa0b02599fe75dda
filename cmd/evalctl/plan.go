package main

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/suite"
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
	world *world
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
		part, err := newPart(s)
		if err != nil {
			return nil, err
		}
		real = real || part.world.real
		p.parts = append(p.parts, part)
	}
	if err := p.setTime(time, real); err != nil {
		return nil, err
	}
	return p, p.setGates(gates)
}

func newPart(s suite.Suite) (part, error) {
	schema, err := targetSchema(s.Target)
	if err != nil {
		return part{}, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	if slices.ContainsFunc(s.Variants, func(v suite.Variant) bool { return v.Library != "" }) {
		schema.Style = nil // other libraries have other styles
	}
	data, err := openDataset(s.Dataset, schema)
	if err != nil {
		return part{}, err
	}
	w, err := newWorld(s, labelsOf(schema), outside())
	if err != nil {
		return part{}, s.Locate(err)
	}
	cells, err := s.Cells(w.connect)
	if err != nil {
		return part{}, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	p := part{suite: s, world: w, data: data, cells: cells, notes: w.notes()}
	for _, err := range p.stream() {
		if err != nil {
			return part{}, err
		}
		p.cases++
	}
	if p.cases == 0 {
		return part{}, fmt.Errorf("dataset %s: no case of %d is left after %s", s.Dataset, data.Cases, filters(s))
	}
	return p, nil
}

// outside is the way to what is real.
func outside() *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 1024, ForceAttemptHTTP2: true,
	}}
}

// filters says what a suite's cases are picked by.
func filters(s suite.Suite) string {
	var list []string
	if s.Split != "" {
		list = append(list, "split "+s.Split)
	}
	if len(s.Tags) > 0 {
		list = append(list, "tags "+join(s.Tags))
	}
	return strings.Join(list, " and ")
}

// openDataset reads a shipped set or a file, as strictly as can be.
func openDataset(name string, schema datasets.Schema) (*datasets.Dataset, error) {
	d, err := datasets.Open(name, schema)
	if near, ok := closest(name, datasets.Shipped()); ok && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w, did you mean %q?", err, near)
	}
	return d, err
}

func checkFault(spec string) error {
	_, err := parseFaults(spec)
	return err
}

func isShipped(name string) bool { return slices.Contains(datasets.Shipped(), name) }

// shownName is a dataset's name without the folders, which differ from machine
// to machine.
func shownName(dataset string) string { return filepath.Base(dataset) }

func (p part) stream() iter.Seq2[eval.Case, error] {
	return p.data.Stream(datasets.Filter{Split: p.suite.Split, Tags: p.suite.Tags, Limit: p.suite.Limit})
}

// setTime takes simulated time unless something real is waited for.
func (p *plan) setTime(time string, real bool) error {
	if time == "simulated" && real {
		return errors.New("--time: a real endpoint cannot be waited for in simulated time")
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
		if err == nil {
			err = gate.Validate([]gate.Rule{rule}, cells)
		}
		if err != nil {
			return flagError("gate", explainRule(err))
		}
		p.gates = append(p.gates, rule)
	}
	return nil
}

// explainRule puts the place of a gate's error into words.
func explainRule(err error) error {
	var at *gate.SyntaxError
	if !errors.As(err, &at) {
		return err
	}
	column := utf8.RuneCountInString(at.Rule[:min(max(at.Offset, 0), len(at.Rule))]) + 1
	return fmt.Errorf("%q, column %d: %s", at.Rule, column, at.Problem)
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
		s := eval.SuiteSummary{Name: part.suite.Name, Target: part.suite.Target, Dataset: shownName(part.suite.Dataset),
			Split: part.suite.Split, Cases: part.cases, Epochs: max(part.suite.Epochs, 1), Time: time, Models: part.notes}
		for _, c := range part.cells {
			s.Variants = append(s.Variants, eval.CellSummary{Name: c.Variant, Fault: c.Fault})
		}
		list = append(list, s)
	}
	return list
}
