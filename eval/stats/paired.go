package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// maxScale bounds the common denominator of the differences in a sign-flip test: all
// numbers of epochs up to 16 have theirs below. Beyond, differences are rounded to it.
const maxScale = 720_720

// Paired is the difference B − A of two shares over the same cases: a case differs by
// the share of its epochs that B has right less the share that A has, and counts once
// however many epochs were judged.
//
// Cases with equal differences are kept as a count, so memory grows with the
// differences that occur (2K+1 at K epochs each), not with the cases. The zero value
// has no case.
type Paired struct {
	cases   map[fraction]int64
	n       int64
	several bool                  // some case has several epochs
	sides   [2]map[fraction]int64 // cases of A and of B by the share of their epochs that is right
}

// fraction is in lowest terms, its denominator positive.
type fraction struct{ num, den int64 }

func (f fraction) value() float64 { return float64(f.num) / float64(f.den) }

// Add counts a case that A has right in kA of mA judged epochs and B in kB of mB. A
// case that one of them did not judge is not paired, and left out.
func (p *Paired) Add(kA, mA, kB, mB int64) {
	if !isCount(kA, mA) || !isCount(kB, mB) {
		return
	}
	if p.cases == nil {
		p.cases = make(map[fraction]int64)
		p.sides = [2]map[fraction]int64{make(map[fraction]int64), make(map[fraction]int64)}
	}
	p.cases[reduced(kB*mA-kA*mB, mA*mB)]++
	p.sides[0][reduced(kA, mA)]++
	p.sides[1][reduced(kB, mB)]++
	p.several = p.several || mA > 1 || mB > 1
	p.n++
}

func reduced(num, den int64) fraction {
	common := gcd(abs(num), den)
	return fraction{num / common, den / common}
}

func isCount(k, m int64) bool { return m > 0 && k >= 0 && k <= m }

// N is how many cases are paired.
func (p *Paired) N() int64 { return p.n }

// Wins is in how many cases B is right more often.
func (p *Paired) Wins() (n int64) {
	for d, count := range p.cases {
		if d.num > 0 {
			n += count
		}
	}
	return n
}

// Losses is in how many cases A is right more often.
func (p *Paired) Losses() (n int64) { return p.n - p.cases[fraction{0, 1}] - p.Wins() }

// Value is the mean difference; false without a case.
func (p *Paired) Value() (float64, bool) {
	if p.n == 0 {
		return 0, false
	}
	return p.moments().sum / float64(p.n), true
}

// P is the two-sided p of «no difference» by the sign-flip test, with mid-p: under it
// the difference of a case is as likely to have the other sign. With one epoch it is
// McNemar's mid-p test. It is 1 when no case differs.
//
// Sources: Fisher, «The Design of Experiments» (1935), §21; Fagerland, Lydersen &
// Laake, «The McNemar test for binary matched-pairs data: mid-p and asymptotic are
// better than exact conditional», BMC Medical Research Methodology 13 (2013).
func (p *Paired) P() float64 {
	flips, sum := p.flips()
	if flips.total == 0 {
		return 1
	}
	farther, equal := flips.beyond(sum)
	return farther + equal/2
}

// Exact is the p of the same test without the mid-p: never too small, often too large.
func (p *Paired) Exact() float64 {
	flips, sum := p.flips()
	farther, equal := flips.beyond(sum)
	return min(farther+equal, 1)
}

// flips are the differences in whole parts of their scale, and their sum.
func (p *Paired) flips() (law signFlips, sum int64) {
	scale := p.scale()
	sizes := make(map[int64]int64)
	for d, n := range p.cases {
		whole := int64(math.Round(d.value() * float64(scale)))
		sum += whole * n
		if whole != 0 {
			sizes[abs(whole)] += n
		}
	}
	var groups []flips
	for _, size := range slices.Sorted(maps.Keys(sizes)) {
		groups = append(groups, flips{size: size, n: sizes[size]})
	}
	return newSignFlips(groups), sum
}

// scale is the least common denominator of all differences.
func (p *Paired) scale() int64 {
	scale := int64(1)
	for d := range p.cases {
		if scale = scale / gcd(scale, d.den) * d.den; scale > maxScale {
			return maxScale
		}
	}
	return scale
}

// Interval is the confidence interval of the difference by Bonett & Price: two cases
// are added, one for each side, so that it has a width where nothing differs. With
// epochs a case may differ by less than 1, and the added ones differ by the root mean
// square of those that do. ok is false without a case.
//
// Sources: Bonett & Price, «Adjusted Wald Confidence Interval for a Difference of
// Binomial Proportions Based on Paired Data», Journal of Educational and Behavioral
// Statistics 37 (2012); recommended by Fagerland, Lydersen & Laake, Statistics in
// Medicine 33 (2014). The size of the added cases is ours, chosen by simulation.
func (p *Paired) Interval(level float64) (lo, hi float64, ok bool) {
	if p.n == 0 || !isLevel(level) {
		return 0, 0, false
	}
	m := p.moments()
	half := normalScore(level) * math.Sqrt(m.variance()/(m.n+2))
	return max(m.mean()-half, -1), min(m.mean()+half, 1), true
}

// Variance is that of a case's difference, the two added cases of [Paired.Interval]
// included: a run without flips does not prove that none can occur.
func (p *Paired) Variance() float64 { return p.moments().variance() }

// moments are sums over the cases' differences.
type moments struct{ n, differing, sum, squares float64 }

func byValue(a, b fraction) int {
	return cmp.Or(cmp.Compare(a.value(), b.value()), cmp.Compare(a.den, b.den))
}

// moments adds in the order of the differences: the same bits in any order of cases.
func (p *Paired) moments() moments {
	m := moments{n: float64(p.n)}
	for _, d := range slices.SortedFunc(maps.Keys(p.cases), byValue) {
		count := float64(p.cases[d])
		m.sum += count * d.value()
		m.squares += count * d.value() * d.value()
		if d.num != 0 {
			m.differing += count
		}
	}
	return m
}

// typical is the mean square of the differences that are not 0, drawn to 1 by one
// case: with one epoch it is 1.
func (m moments) typical() float64 { return (m.squares + 1) / (m.differing + 1) }

func (m moments) mean() float64 { return m.sum / (m.n + 2) }

func (m moments) variance() float64 {
	return (m.squares+2*m.typical())/(m.n+2) - m.mean()*m.mean()
}
