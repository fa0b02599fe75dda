package stats

import (
	"cmp"
	"math"
	"slices"
)

// PairedF1 accumulates the difference B − A in macro-F1, as defined by [F1], of two variants over
// the same cases.
//
// Cases with the same answers on both sides are counted together. Beyond 65,536 different ones
// there is no interval. The state does not depend on the order of additions. The zero value is
// empty.
type PairedF1 struct {
	a, b       F1
	signatures map[pairedSignature]int64 // number of cases by signature; nil if there are too many
	n          int64
	tooMany    bool
}

// pairedSignature encodes the results of a case under A and under B. Cases with equal results have
// equal signatures.
type pairedSignature struct{ a, b string }

// Add adds a case with its results under A and under B. A case without trials on either side is
// ignored.
func (p *PairedF1) Add(a, b []ConfusionRow) {
	some := func(r ConfusionRow) bool { return r.Trials > 0 }
	if !slices.ContainsFunc(a, some) || !slices.ContainsFunc(b, some) {
		return
	}
	// Both sides must number their labels in the same order.
	of := pairedSignature{a: signature(p.a.cells(a)), b: signature(p.a.cells(b))}
	p.b.cells(a)
	p.a.Add(a...)
	p.b.Add(b...)
	p.n++
	p.countKind(of)
}

func (p *PairedF1) countKind(of pairedSignature) {
	if p.tooMany {
		return
	}
	if p.signatures == nil {
		p.signatures = make(map[pairedSignature]int64)
	}
	p.signatures[of]++
	if len(p.signatures) > maxSignatures {
		p.signatures, p.tooMany = nil, true
	}
}

// N returns the number of paired cases.
func (p *PairedF1) N() int64 { return p.n }

// Value returns macro-F1 of B less that of A; false without cases.
func (p *PairedF1) Value() (float64, bool) {
	a, okA := p.a.MacroF1()
	b, okB := p.b.MacroF1()
	return b - a, okA && okB
}

// Interval returns a confidence interval of the difference: the normal interval of a
// delete-one-case jackknife. Two cases are added so that it has a width if no case differs. They
// differ as much as the cases with different answers. ok is false with fewer than two cases, or
// with more than 65,536 different ones.
//
// Source of the jackknife: Efron & Stein, "The Jackknife Estimate of Variance", Annals of
// Statistics 9 (1981). The added cases follow Bonett & Price (see [Paired.Interval]); their size is
// ours, selected by simulation.
func (p *PairedF1) Interval(level float64) (lo, hi float64, ok bool) {
	value, ok := p.Value()
	if !ok || p.n < 2 || p.tooMany || !isLevel(level) {
		return 0, 0, false
	}
	variance, typical := p.jackknife()
	half := normalScore(level) * math.Sqrt(variance+2*typical)
	return max(value-half, -1), min(value+half, 1), true
}

// jackknife returns the variance of the difference, and the mean square of the change that a case
// with different answers makes. The mean square is shrunk by one case to that of
// [PairedF1.flipMeanSquare].
func (p *PairedF1) jackknife() (variance, typical float64) {
	n, mean := float64(p.n), 0.0
	list := p.leftOut()
	for _, l := range list {
		mean += l.value * l.n / n
	}
	typical, differing := p.flipMeanSquare(), 1.0
	for _, l := range list {
		square := (l.value - mean) * (l.value - mean) * l.n
		variance += (n - 1) / n * square
		if l.differs {
			typical += square
			differing += l.n
		}
	}
	return variance, typical / differing
}

// pairLeftOut is the difference in macro-F1 if one of n equal cases is left out.
type pairLeftOut struct {
	value, n float64
	differs  bool // A and B have different answers
}

func (p *PairedF1) leftOut() []pairLeftOut {
	a, b := p.a.totals(), p.b.totals()
	list := make([]pairLeftOut, 0, len(p.signatures))
	for of, n := range p.signatures {
		conditionsA, conditionsB := decodeCells(of.a, nil), decodeCells(of.b, nil)
		withoutA, _ := a.without(group{tallies: talliesOf(conditionsA)})
		withoutB, _ := b.without(group{tallies: talliesOf(conditionsB)})
		list = append(list, pairLeftOut{value: withoutB - withoutA, n: float64(n),
			differs: !sameAnswers(conditionsA, conditionsB)})
	}
	// A fixed order makes sums bit-identical.
	slices.SortFunc(list, func(x, y pairLeftOut) int {
		switch {
		case x.differs && !y.differs:
			return -1
		case y.differs && !x.differs:
			return 1
		}
		return cmp.Or(cmp.Compare(x.value, y.value), cmp.Compare(x.n, y.n))
	})
	return list
}

// sameAnswers reports whether A and B give the same answers to a case in the same proportions. a
// and b are merged cells.
func sameAnswers(a, b []cell) bool {
	rowsA, rowsB := rowsIn(a), rowsIn(b)
	return slices.EqualFunc(a, b, func(x, y cell) bool { return x.pair == y.pair && x.n*rowsB == y.n*rowsA })
}

func rowsIn(cells []cell) (n int64) {
	for _, c := range cells {
		n += c.n
	}
	return n
}

// flipMeanSquare returns the mean square by which one wrong case changes macro-F1, about Σ_c
// (1/n_c) / (n·C²), where n_c is the number of cases of class c, and C that of classes.
func (p *PairedF1) flipMeanSquare() float64 {
	var shares []float64
	for _, l := range p.a.labels {
		if cases := l.recall.Cases(); cases > 0 {
			shares = append(shares, 1/float64(cases))
		}
	}
	classes := float64(len(shares))
	return sumSorted(shares) / float64(p.n) / classes / classes
}
