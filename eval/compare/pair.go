// Package compare compares variants over the same cases, within one run or between runs. Shared
// cases make the comparison paired: only cases in which two variants differ count as evidence.
package compare

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/stats"
)

const (
	level = stats.Level // of intervals
	alpha = 0.05        // of tests
	power = 0.8         // for detectable differences

	maxIDs = 5 // case ids of each kind in a difference
)

// pair compares variant B with variant A, case by case, in any order.
type pair struct {
	accuracy     stats.Paired
	f1           stats.PairedF1
	a, b         coverage
	differs      bool // a predicted label differs
	accuracyOnly bool // compare only accuracy

	both, fixed, broken, neither, unpaired int64
	fixedIDs, brokenIDs                    firstIDs
}

// Add counts a case: its results in A and in B, all epochs.
func (p *pair) Add(a, b []eval.Result) { p.add(tallyOf(a), tallyOf(b)) }

func (p *pair) add(was, is tally) {
	if !p.accuracyOnly {
		p.f1.Add(was.rows, is.rows) // also if another turn of the conversation was lost
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

// leaveOut counts a case as not compared.
func (p *pair) leaveOut(was, is tally) {
	if was.labeled+is.labeled > 0 {
		p.unpaired++
	}
	p.a.add(was)
	p.b.add(is)
}

// Difference returns the result so far. Its family decides significance and detectability.
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
		d.Accuracy.P = new(p.accuracy.P())
	}
	if by := p.accuracy.Discordance(); by.SumSquares != float64(by.Differing) {
		d.MeanSquaredDifference = new(by.SumSquares / float64(by.Cases))
	}
	return d
}

func (p *pair) cases() int64 { return p.both + p.fixed + p.broken + p.neither }

// state is the state before any test.
func (p *pair) state() eval.State {
	switch {
	case p.cases() == 0 || p.a.isMostlyUnscored() || p.b.isMostlyUnscored():
		return eval.InsufficientData
	case !p.differs:
		return eval.Identical
	}
	return eval.NotSignificant
}

// difference is an estimate of a difference.
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

// firstIDs stores the ids with the largest changes, ties sorted by id, so the order of cases does
// not matter.
type firstIDs []change

// change is the change in a case's share of right epochs.
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
