// Package compare holds variants against each other over the same cases: those
// of a run, and those of several runs. What shares its cases shares their luck,
// so that a difference is told from chance by the cases in which two differ.
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
	power = 0.8         // that a detectable difference is found with

	someIDs = 5 // that a difference names of each kind
)

// pair holds variant B against variant A, case after case, in any order.
type pair struct {
	accuracy stats.Paired
	f1       stats.PairedF1
	a, b     coverage
	differs  bool // some label that was predicted
	short    bool // accuracy alone is compared

	both, gained, lost, neither, unpaired int64
	gainedIDs, lostIDs                    firstIDs
}

// Add counts a case: its results in A and in B, all epochs.
func (p *pair) Add(a, b []eval.Result) { p.add(tallyOf(a), tallyOf(b)) }

func (p *pair) add(was, is tally) {
	if !p.short {
		p.f1.Add(was.rows, is.rows) // also of a conversation that lost another turn
	}
	if was.judged == 0 || is.judged == 0 {
		p.differs = p.differs || was.judged+is.judged > 0
		p.leaveOut(was, is)
		return
	}
	p.a.add(was)
	p.b.add(is)
	p.differs = p.differs || was.differs(is)
	p.accuracy.Add(was.right, was.judged, is.right, is.judged)
	switch above := is.above(was); {
	case above > 0:
		p.gained++
		p.gainedIDs.add(is.id, is.share()-was.share())
	case above < 0:
		p.lost++
		p.lostIDs.add(is.id, was.share()-is.share())
	case is.right == is.judged:
		p.both++
	default:
		p.neither++
	}
}

// leaveOut counts a case only as one that is not compared.
func (p *pair) leaveOut(was, is tally) {
	if was.labeled+is.labeled > 0 {
		p.unpaired++
	}
	p.a.add(was)
	p.b.add(is)
}

// Difference is what was found so far. Whether it is proven, and what could have
// been, its family decides.
func (p *pair) Difference() eval.Difference {
	d := eval.Difference{
		Cases: p.cases(), Unpaired: p.unpaired, BothCorrect: p.both, Fixed: p.gained, Broken: p.lost, BothWrong: p.neither,
		FixedCases: p.gainedIDs.names(), BrokenCases: p.lostIDs.names(), State: p.state(),
	}
	d.Accuracy, d.MacroF1 = contrast(&p.accuracy, d.Cases), contrast(&p.f1, p.f1.N())
	if d.Cases > 0 {
		d.Accuracy.P = new(p.accuracy.P())
	}
	if by := p.accuracy.Discordance(); by.Squares != float64(by.Differing) {
		d.MeanSquaredDifference = new(by.Squares / float64(by.Cases))
	}
	return d
}

func (p *pair) cases() int64 { return p.both + p.gained + p.lost + p.neither }

// state is what is known without a test.
func (p *pair) state() eval.State {
	switch {
	case p.cases() == 0 || p.a.poor() || p.b.poor():
		return eval.InsufficientData
	case !p.differs:
		return eval.Identical
	}
	return eval.NotSignificant
}

// difference of two estimates.
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

// firstIDs keeps those of the largest changes, equal ones in their own order, so
// that the order in which they come does not matter.
type firstIDs []change

// change is by how much a case is right more often, or less.
type change struct {
	id   string
	size float64
}

func (f *firstIDs) add(id string, size float64) {
	one := change{id: id, size: size}
	at, there := slices.BinarySearchFunc(*f, one, func(x, y change) int {
		return cmp.Or(cmp.Compare(y.size, x.size), cmp.Compare(x.id, y.id))
	})
	if there || at == someIDs {
		return
	}
	list := slices.Insert(*f, at, one)
	*f = list[:min(len(list), someIDs)]
}

func (f firstIDs) names() (ids []string) {
	for _, c := range f {
		ids = append(ids, c.id)
	}
	return ids
}
