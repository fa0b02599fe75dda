package stats

import (
	"cmp"
	"math"
	"slices"
)

// PairedF1 is the difference B − A of macro-F1, as [F1] defines it, over the same cases.
//
// Cases with the same answers on both sides are counted together. Once more than
// 65,536 differ, there is no interval any more. The state depends only on what was
// added, not on its order. The zero value has no case.
type PairedF1 struct {
	a, b    F1
	kinds   map[kind]int64 // cases; nil once there are too many
	n       int64
	tooMany bool
}

// kind is how a case came out under A and under B, as signatures.
type kind struct{ a, b string }

// Add counts a case with its rows under A and under B; one without a row on either
// side is left out.
func (p *PairedF1) Add(a, b []Row) {
	some := func(r Row) bool { return r.N > 0 }
	if !slices.ContainsFunc(a, some) || !slices.ContainsFunc(b, some) {
		return
	}
	// Both number their labels in the order in which they meet them: the same.
	of := kind{a: signature(p.a.cells(a)), b: signature(p.a.cells(b))}
	p.b.cells(a)
	p.a.Add(a...)
	p.b.Add(b...)
	p.n++
	p.group(of)
}

func (p *PairedF1) group(of kind) {
	if p.tooMany {
		return
	}
	if p.kinds == nil {
		p.kinds = make(map[kind]int64)
	}
	p.kinds[of]++
	if len(p.kinds) > maxSignatures {
		p.kinds, p.tooMany = nil, true
	}
}

// N is how many cases are paired.
func (p *PairedF1) N() int64 { return p.n }

// Value is the difference; false without a case.
func (p *PairedF1) Value() (float64, bool) {
	a, okA := p.a.Macro()
	b, okB := p.b.Macro()
	return b - a, okA && okB
}

// Interval is the normal interval of a jackknife that leaves out one case at a time,
// with two cases added that differ as much as those do whose answers differ, so that
// it has a width where none does. ok is false with fewer than two cases, and where too
// many differ from each other.
//
// Source of the jackknife: Efron & Stein, «The Jackknife Estimate of Variance», Annals
// of Statistics 9 (1981); the added cases follow Bonett & Price (see
// [Paired.Interval]), and are ours, chosen by simulation.
func (p *PairedF1) Interval(level float64) (lo, hi float64, ok bool) {
	value, ok := p.Value()
	if !ok || p.n < 2 || p.tooMany || !isLevel(level) {
		return 0, 0, false
	}
	variance, typical := p.jackknife()
	half := normalScore(level) * math.Sqrt(variance+2*typical)
	return max(value-half, -1), min(value+half, 1), true
}

// jackknife returns the variance of the difference, and the mean square by which those
// cases move it whose answers differ, drawn by one case to what a flip would.
func (p *PairedF1) jackknife() (variance, typical float64) {
	n, mean := float64(p.n), 0.0
	list := p.leftOut()
	for _, l := range list {
		mean += l.value * l.n / n
	}
	typical, differing := p.flip(), 1.0
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

// pairLeftOut is the difference without one case of n that are alike.
type pairLeftOut struct {
	value, n float64
	differs  bool // its answers, between A and B
}

func (p *PairedF1) leftOut() []pairLeftOut {
	a, b := p.a.totals(), p.b.totals()
	list := make([]pairLeftOut, 0, len(p.kinds))
	for of, n := range p.kinds {
		conditionsA, conditionsB := conditionsOf(of.a, nil), conditionsOf(of.b, nil)
		withoutA, _ := a.without(group{tallies: talliesOf(conditionsA)})
		withoutB, _ := b.without(group{tallies: talliesOf(conditionsB)})
		list = append(list, pairLeftOut{value: withoutB - withoutA, n: float64(n), differs: !sameAnswers(conditionsA, conditionsB)})
	}
	// One order, so that sums are bit-equal.
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

// sameAnswers tells whether merged cells hold the same answers in the same proportions.
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

// flip is the mean square by which one case of a class moves macro-F1, about
// Σ_c (1/n_c) / (n·C²), n_c the cases of class c.
func (p *PairedF1) flip() float64 {
	var shares []float64
	for _, l := range p.a.labels {
		if cases := l.recall.Cases(); cases > 0 {
			shares = append(shares, 1/float64(cases))
		}
	}
	classes := float64(len(shares))
	return sumSorted(shares) / float64(p.n) / classes / classes
}
