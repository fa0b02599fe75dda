// Package compare compares variants on the same cases, within one run or between runs. The
// comparison is paired: only cases in which two variants differ count as evidence.
package compare

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/stats"
)

const (
	level = stats.ConfidenceLevel // confidence level of the intervals
	alpha = 0.05                  // significance level of the tests
	power = 0.8                   // power of the minimum detectable difference

	maxIDs = 5 // maximum number of fixed and of broken case IDs in a difference
)

// pair compares variant B with variant A, case by case. The order of the cases has no effect.
type pair struct {
	accuracy     stats.PairedAccuracy
	f1           stats.PairedF1
	a, b         coverage
	differs      bool // the variants predicted different labels in some case
	accuracyOnly bool // compare only the accuracy, not the F1

	both, fixed, broken, neither, unpaired int64
	fixedIDs, brokenIDs                    firstIDs
}

// Add adds a case: its results in A and in B, in all epochs.
func (p *pair) Add(a, b []eval.Result) { p.add(tallyCases(a), tallyCases(b)) }

func (p *pair) add(was, is tally) {
	if !p.accuracyOnly {
		// F1 counts the scored turns, even if another turn leaves the conversation unscored
		p.f1.Add(was.rows, is.rows)
	}
	if was.scored == 0 || is.scored == 0 {
		p.differs = p.differs || was.scored+is.scored > 0
		p.leaveOut(was, is)
		return
	}
	p.a.add(was)
	p.b.add(is)
	p.differs = p.differs || was.differs(is)
	p.accuracy.Add(was.right, was.scored, is.right, is.scored)
	switch above := is.compareShare(was); {
	case above > 0:
		p.fixed++
		p.fixedIDs.add(is.id, is.share()-was.share())
	case above < 0:
		p.broken++
		p.brokenIDs.add(is.id, was.share()-is.share())
	case is.right == is.scored:
		p.both++
	default:
		p.neither++
	}
}

// leaveOut counts a case as not compared, because one side has no score for it.
func (p *pair) leaveOut(was, is tally) {
	if was.labeled+is.labeled > 0 {
		p.unpaired++
	}
	p.a.add(was)
	p.b.add(is)
}

// Difference returns the comparison of all cases so far. Significance and detectable differences
// are set later, when the family of tests is complete.
func (p *pair) Difference() eval.Difference {
	d := eval.Difference{
		Cases:       p.cases(),
		Unpaired:    p.unpaired,
		BothCorrect: p.both,
		Fixed:       p.fixed,
		Broken:      p.broken,
		BothWrong:   p.neither,
		FixedCases:  p.fixedIDs.names(),
		BrokenCases: p.brokenIDs.names(),
		State:       p.state(),
	}
	d.Accuracy, d.MacroF1 = contrast(&p.accuracy, d.Cases), contrast(&p.f1, p.f1.N())
	if d.Cases > 0 {
		d.Accuracy.P = new(p.accuracy.MidP())
	}
	if by := p.accuracy.Discordance(); by.SumSquaredDifferences != float64(by.DifferingCases) {
		d.MeanSquaredDifference = new(by.SumSquaredDifferences / float64(by.Cases))
	}
	return d
}

func (p *pair) cases() int64 { return p.both + p.fixed + p.broken + p.neither }

// state returns the state of the comparison before any significance test.
func (p *pair) state() eval.ComparisonState {
	switch {
	case p.cases() == 0 || p.a.isMostlyUnscored() || p.b.isMostlyUnscored():
		return eval.InsufficientData
	case !p.differs:
		return eval.Identical
	}
	return eval.NotSignificant
}

// difference is an estimated difference of two values, with a confidence interval.
type difference interface {
	Value() (float64, bool)
	Interval(level float64) (lo, hi float64, ok bool)
}

func contrast(of difference, n int64) eval.Contrast {
	c := eval.Contrast{N: n}
	if v, ok := of.Value(); ok {
		c.Value = &v
	}
	if lo, hi, ok := of.Interval(level); ok {
		c.Lo, c.Hi = &lo, &hi
	}
	return c
}

// firstIDs lists the IDs of the cases with the largest changes, at most maxIDs. Ties are sorted by
// ID, so the order of the cases has no effect.
type firstIDs []change

// change is a case with the change in its share of correct epochs.
type change struct {
	id   string
	size float64
}

func (f *firstIDs) add(id string, size float64) {
	one := change{id: id, size: size}
	at, there := slices.BinarySearchFunc(*f, one, func(x, y change) int {
		return cmp.Or(cmp.Compare(y.size, x.size), cmp.Compare(x.id, y.id))
	})
	if there || at == maxIDs {
		return
	}
	list := slices.Insert(*f, at, one)
	*f = list[:min(len(list), maxIDs)]
}

func (f firstIDs) names() (ids []string) {
	for _, c := range f {
		ids = append(ids, c.id)
	}
	return ids
}
