// Package spread is what a run's means and quantiles do not show: how the times of a
// suite's variants lie, what their critics pass and send back, the paths that episodes
// take, and in how many of its epochs each case is right. It takes results one by one, in
// any order, and keeps counts of them; of faults only how many turns their trials have.
package spread

import (
	"cmp"

	"evalctl/eval"
)

// Collector is of a run's suites, in the making.
type Collector struct{ suites map[string]*SuiteDistribution }

// SuiteDistribution has a part for each variant without a fault.
type SuiteDistribution struct {
	Variants []*Variant // as the summary has them

	byName map[string]*Variant
	cases  epochs
	turns  turns
}

// Variant is what was seen of one.
type Variant struct {
	Name    string
	Times   Times
	Classes []Class // by the label that is expected, as the confusion has them; only those with times
	Loops   []Flow  // of the critic, the first round first
	Paths   Paths
	Epochs  EpochCounts
	Errors  map[string]int64 // failed calls by node

	place   int               // among the variants
	classes map[string]*Times // by whatever label is expected; nil: too many
}

// maxClasses is more labels than a confusion has.
const maxClasses = 1000

// Class is how long turns take that expect a label.
type Class struct {
	Label string
	Times *Times
}

// NewCollector makes ready for the results of suites.
func NewCollector(suites []eval.SuiteSummary) *Collector {
	s := &Collector{suites: map[string]*SuiteDistribution{}}
	for _, of := range suites {
		one := &SuiteDistribution{byName: map[string]*Variant{}, turns: turns{}}
		for _, c := range of.Conditions {
			if cmp.Or(c.Fault, eval.NoFault) != eval.NoFault {
				continue
			}
			v := &Variant{Name: c.Name, place: len(one.Variants), classes: map[string]*Times{}, Errors: map[string]int64{}}
			one.Variants, one.byName[c.Name] = append(one.Variants, v), v
		}
		one.cases = epochs{of: of.Epochs, variants: len(one.Variants)}
		s.suites[of.Name] = one
	}
	return s
}

// Add counts a result; one of another suite or an unknown variant is none of it, and one of
// a fault only where turns are told from trials.
func (s *Collector) Add(r eval.Result) {
	of := s.suites[r.Suite]
	if of == nil {
		return
	}
	of.turns.add(r)
	if cmp.Or(r.Fault, eval.NoFault) != eval.NoFault {
		return
	}
	v := of.byName[r.Variant]
	if v == nil {
		return
	}
	v.time(r)
	v.review(r.Loops)
	v.Paths.add(r)
	for _, n := range r.Nodes {
		v.Errors[n.Node] += n.Errors()
	}
	of.cases.add(v.place, r)
}

// Close has what was found of a suite, by the classes that its summary has; nil of one that
// is not known.
func (s *Collector) Close(sum eval.SuiteSummary) *SuiteDistribution {
	of := s.suites[sum.Name]
	if of == nil {
		return nil
	}
	for _, c := range sum.Conditions {
		if v := of.byName[c.Name]; v != nil && cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
			v.classify(c.Confusion)
		}
	}
	for _, v := range of.Variants {
		v.Epochs = of.cases.spread(v.place)
	}
	return of
}

// classify keeps the classes of a confusion.
func (v *Variant) classify(m *eval.Confusion) {
	all := v.classes
	v.Classes, v.classes = nil, map[string]*Times{}
	if m == nil {
		return
	}
	for _, l := range m.Labels[:min(cmp.Or(m.ExpectedLabels, len(m.Labels)), len(m.Labels))] {
		if of := all[l]; of != nil {
			v.classes[l], v.Classes = of, append(v.Classes, Class{Label: l, Times: of})
		}
	}
}

// Of is a variant's part; an empty one of a variant that is not known.
func (s *SuiteDistribution) Of(name string) *Variant {
	if s == nil || s.byName[name] == nil {
		return &Variant{Name: name}
	}
	return s.byName[name]
}

// Class are the times of turns that expect a label.
func (v *Variant) Class(label string) *Times {
	if v.classes[label] == nil {
		return &Times{}
	}
	return v.classes[label]
}
