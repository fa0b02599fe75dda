package page

import (
	"cmp"
	"math"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// Collector collects the distributions of all suites of a run.
type Collector struct{ suites map[string]*SuiteDistribution }

// SuiteDistribution contains the distributions of a suite's variants, without faults.
type SuiteDistribution struct {
	Variants []*Variant // in the order of the summary

	byName   map[string]*Variant
	cases    epochs
	turns    repeatedTurns
	examples examples
}

// Variant contains the distributions of a variant without a fault.
type Variant struct {
	Name      string
	Latencies LatencyHistogram    // latencies of all answered turns
	Classes   []Class             // latencies of each expected label, in the order of the confusion matrix
	Loops     []LoopRound         // rounds of the Critic loop, first round first
	Paths     Paths               // paths of turns with several decisions
	Epochs    EpochCounts         // cases by the number of right epochs
	Errors    map[string]int64    // number of failed calls of each node
	Costs     map[string]NodeCost // cost of each node's calls

	index   int                          // index in SuiteDistribution.Variants
	classes map[string]*LatencyHistogram // latencies by expected label; nil: there are too many labels
}

// NodeCost is the cost of a node's calls.
type NodeCost struct {
	Nanos   int64 // in billionths of a US dollar, so that the order of the sum has no effect
	Unknown bool  // a call has no price
}

func (c NodeCost) add(usd *float64) NodeCost {
	if usd == nil {
		return NodeCost{Unknown: true}
	}
	return NodeCost{Nanos: c.Nanos + int64(math.Round(*usd*1e9)), Unknown: c.Unknown}
}

// maxLatencyClasses is the maximum number of labels for which latencies are collected. Confusion matrices
// have fewer.
const maxLatencyClasses = 1000

// Class contains the latencies of the turns with one expected label.
type Class struct {
	Label     string
	Latencies *LatencyHistogram
}

// NewCollector returns an empty collector for the given suites.
func NewCollector(suites []eval.SuiteSummary) *Collector {
	s := &Collector{suites: map[string]*SuiteDistribution{}}
	for _, of := range suites {
		one := &SuiteDistribution{byName: map[string]*Variant{}, turns: repeatedTurns{}, examples: examples{}}
		for _, c := range of.Conditions {
			if cmp.Or(c.Fault, eval.NoFault) != eval.NoFault {
				continue
			}
			v := &Variant{
				Name:    c.Variant,
				index:   len(one.Variants),
				classes: map[string]*LatencyHistogram{},
				Errors:  map[string]int64{},
				Costs:   map[string]NodeCost{},
			}
			one.Variants, one.byName[c.Variant] = append(one.Variants, v), v
		}
		one.cases = epochs{of: of.Epochs, variants: len(one.Variants)}
		s.suites[of.Name] = one
	}
	return s
}

// Add adds the result of a trial. It ignores unknown suites and variants. Results with a fault are
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
	v.addLoops(r.LoopRounds)
	v.Paths.add(r)
	for _, n := range r.Nodes {
		v.Errors[n.Node] += n.Errors()
		v.Costs[n.Node] = v.Costs[n.Node].add(n.Cost)
	}
	of.cases.add(v.index, r)
	of.examples.add(r)
}

// Finish returns the distributions of a suite, after all results were added. It returns nil for an
// unknown suite.
func (s *Collector) Finish(sum eval.SuiteSummary) *SuiteDistribution {
	of := s.suites[sum.Name]
	if of == nil {
		return nil
	}
	for _, c := range sum.Conditions {
		if v := of.byName[c.Variant]; v != nil && cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
			v.selectClasses(c.Confusion)
		}
	}
	for _, v := range of.Variants {
		v.Epochs = of.cases.spread(v.index)
	}
	of.examples.limit()
	return of
}

// selectClasses selects the latencies of those labels that are expected labels in the confusion
// matrix.
func (v *Variant) selectClasses(m *eval.Confusion) {
	v.Classes = nil
	if m == nil {
		return
	}
	for _, l := range m.Labels[:min(cmp.Or(m.ExpectedLabels, len(m.Labels)), len(m.Labels))] {
		if of := v.classes[l]; of != nil {
			v.Classes = append(v.Classes, Class{Label: l, Latencies: of})
		}
	}
}

// Variant returns the distributions of a variant by its name. It returns an empty Variant for an
// unknown name.
func (s *SuiteDistribution) Variant(name string) *Variant {
	if s == nil || s.byName[name] == nil {
		return &Variant{Name: name}
	}
	return s.byName[name]
}

// EpochCounts counts the cases of a variant by the number of epochs in which they are right. It is
// empty for runs with one epoch.
type EpochCounts struct {
	Epochs int // number of epochs
	// CasesByRightEpochs[k]: number of cases that are right in k epochs and scored in all
	CasesByRightEpochs []int64
	UnscoredCases      int64 // labeled cases that are unscored in at least one epoch
}

// Cases returns the number of cases that are scored in every epoch.
func (e EpochCounts) Cases() (n int64) {
	for _, k := range e.CasesByRightEpochs {
		n += k
	}
	return n
}

// epochs counts for each case in how many epochs it is right, scored and labeled.
type epochs struct {
	of, variants int
	cases        map[string][]count // key: case id; the values are indexed by variant
}

type count struct{ right, scored, labeled uint16 }

func (e *epochs) add(variant int, r eval.Result) {
	d, labeled := r.Decision()
	if e.of < 2 || !labeled {
		return
	}
	if e.cases == nil {
		e.cases = map[string][]count{}
	}
	if e.cases[r.Case] == nil {
		e.cases[r.Case] = make([]count, e.variants)
	}
	c := &e.cases[r.Case][variant]
	c.labeled++
	if d.Verdict != eval.Unscored {
		c.scored++
	}
	if d.Verdict == eval.Pass {
		c.right++
	}
}

func (e *epochs) spread(variant int) EpochCounts {
	all := EpochCounts{}
	if e.of < 2 || len(e.cases) == 0 {
		return all
	}
	all = EpochCounts{Epochs: e.of, CasesByRightEpochs: make([]int64, e.of+1)}
	for _, counts := range e.cases {
		switch c := counts[variant]; {
		case c.labeled == 0:
		case int(c.scored) < e.of || int(c.right) > e.of:
			all.UnscoredCases++
		default:
			all.CasesByRightEpochs[c.right]++
		}
	}
	return all
}

// maxRounds is the maximum number of rounds of a Critic loop that are counted separately. Later
// rounds are added to the last one.
const maxRounds = 12

// LoopRound counts the attempts in one round of a Critic loop by what happened to them: sent back
// by the critic, passed, or exhausted (not passed in the last round).
type LoopRound struct {
	SentBack, Passed, Exhausted Attempts // attempts by outcome

	CriticFailed int64 // attempts that passed only because the critic failed
}

// Attempts counts attempts by their label. An attempt is unlabeled if it has no label, if the
// critic was not shown what the label refers to, or if the critic failed.
type Attempts struct{ Good, Bad, Unlabeled int64 }

// Total returns the total number of attempts.
func (a Attempts) Total() int64 { return a.Good + a.Bad + a.Unlabeled }

// Total returns the total number of attempts in the round.
func (f LoopRound) Total() int64 { return f.SentBack.Total() + f.Passed.Total() + f.Exhausted.Total() }

func (v *Variant) addLoops(loops []eval.LoopRound) {
	round, turn := 0, 0
	for _, l := range loops {
		if l.Turn != turn {
			round, turn = 0, l.Turn
		}
		if round == len(v.Loops) {
			v.Loops = append(v.Loops, LoopRound{})
		}
		v.Loops[round].add(l)
		round = min(round+1, maxRounds-1)
	}
}

func (f *LoopRound) add(l eval.LoopRound) {
	outcome := &f.SentBack
	switch {
	case l.Passed:
		outcome = &f.Passed
	case l.Exhausted:
		outcome = &f.Exhausted
	}
	hasJudgment := l.Reviewer != trace.NoReviewer
	if !hasJudgment && l.Passed {
		f.CriticFailed++
	}
	switch {
	case l.Acceptable == nil || !l.SawLabeledImage() || !hasJudgment:
		outcome.Unlabeled++
	case *l.Acceptable:
		outcome.Good++
	default:
		outcome.Bad++
	}
}
