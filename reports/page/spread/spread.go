// Package spread collects distributions that means and quantiles hide: latency of a suite's
// variants, outcomes of their critics, paths of episodes, and the number of right epochs of each
// case. Results can be added in any order. Results with a fault are only used to count turns.
package spread

import (
	"cmp"

	"evalctl/eval"
)

// Collector collects the distributions of a run's suites.
type Collector struct{ suites map[string]*SuiteDistribution }

// SuiteDistribution contains the variants of a suite without a fault.
type SuiteDistribution struct {
	Variants []*Variant // in the order of the summary

	byName map[string]*Variant
	cases  epochs
	turns  repeatedTurns
}

// Variant contains the distributions of a variant.
type Variant struct {
	Name    string
	Times   Times
	Classes []Class // by expected label, in the order of the confusion matrix; only labels with times
	Loops   []Flow  // of the critic, first round first
	Paths   Paths
	Epochs  EpochCounts
	Errors  map[string]int64 // failed calls by node

	index   int               // index of the variant
	classes map[string]*Times // by expected label; nil: too many labels
}

// maxClasses limits the number of labels. A confusion matrix has fewer.
const maxClasses = 1000

// Class contains the latencies of turns with an expected label.
type Class struct {
	Label string
	Times *Times
}

// NewCollector returns a collector for the results of suites.
func NewCollector(suites []eval.SuiteSummary) *Collector {
	s := &Collector{suites: map[string]*SuiteDistribution{}}
	for _, of := range suites {
		one := &SuiteDistribution{byName: map[string]*Variant{}, turns: repeatedTurns{}}
		for _, c := range of.Conditions {
			if cmp.Or(c.Fault, eval.NoFault) != eval.NoFault {
				continue
			}
			v := &Variant{
				Name:    c.Name,
				index:   len(one.Variants),
				classes: map[string]*Times{},
				Errors:  map[string]int64{},
			}
			one.Variants, one.byName[c.Name] = append(one.Variants, v), v
		}
		one.cases = epochs{of: of.Epochs, variants: len(one.Variants)}
		s.suites[of.Name] = one
	}
	return s
}

// Add adds a result. Results of unknown suites or variants are ignored. Results with a fault are
// only used to count turns.
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
	v.addTimes(r)
	v.addLoops(r.Loops)
	v.Paths.add(r)
	for _, n := range r.Nodes {
		v.Errors[n.Node] += n.Errors()
	}
	of.cases.add(v.index, r)
}

// Close returns the distributions of a suite, with the classes of its summary; nil if the suite is
// unknown.
func (s *Collector) Close(sum eval.SuiteSummary) *SuiteDistribution {
	of := s.suites[sum.Name]
	if of == nil {
		return nil
	}
	for _, c := range sum.Conditions {
		if v := of.byName[c.Name]; v != nil && cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
			v.selectClasses(c.Confusion)
		}
	}
	for _, v := range of.Variants {
		v.Epochs = of.cases.spread(v.index)
	}
	return of
}

// selectClasses selects the classes of a confusion matrix.
func (v *Variant) selectClasses(m *eval.Confusion) {
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

// Of returns a variant; an empty one if it is unknown.
func (s *SuiteDistribution) Of(name string) *Variant {
	if s == nil || s.byName[name] == nil {
		return &Variant{Name: name}
	}
	return s.byName[name]
}

// Class returns the latencies of turns with an expected label.
func (v *Variant) Class(label string) *Times {
	if v.classes[label] == nil {
		return &Times{}
	}
	return v.classes[label]
}
