package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// maxScale limits the common denominator of the differences in a sign-flip test. It suffices for
// all numbers of epochs up to 16. Beyond it, differences are rounded.
const maxScale = 720_720

// PairedAccuracy accumulates the difference B − A in accuracy of two variants over the same cases.
// The difference of a case is the share of its epochs that are right under B less the share under
// A. Each case counts once for any number of scored epochs.
//
// Cases with equal differences are stored as a count. Memory grows with the number of different
// differences (2K+1 at K epochs each), not with the cases. The zero value is empty.
type PairedAccuracy struct {
	cases   map[fraction]int64
	n       int64
	several bool                  // at least one case has several epochs
	sides   [2]map[fraction]int64 // number of cases of A (0) and of B (1) by their share of right epochs
}

// fraction is a rational number in lowest terms with a positive denominator.
type fraction struct{ num, den int64 }

func (f fraction) value() float64 { return float64(f.num) / float64(f.den) }

// Add adds a case with kA right of mA scored epochs under A and kB right of mB under B. A case that
// is unscored under either is ignored.
func (p *PairedAccuracy) Add(kA, mA, kB, mB int64) {
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

// N returns the number of paired cases.
func (p *PairedAccuracy) N() int64 { return p.n }

// Wins returns the number of cases in which B is right in more of its epochs than A.
func (p *PairedAccuracy) Wins() (n int64) {
	for d, count := range p.cases {
		if d.num > 0 {
			n += count
		}
	}
	return n
}

// Losses returns the number of cases in which A is right in more of its epochs than B.
func (p *PairedAccuracy) Losses() (n int64) { return p.n - p.cases[fraction{0, 1}] - p.Wins() }

// Value returns the mean difference B − A over the cases; false without cases.
func (p *PairedAccuracy) Value() (float64, bool) {
	if p.n == 0 {
		return 0, false
	}
	return p.moments().sum / float64(p.n), true
}

// MidP returns the two-sided mid-p value of the sign-flip test of "no difference". Under the null
// hypothesis the difference of a case has either sign with equal probability. With one epoch it is
// McNemar's mid-p test. It is 1 if no case differs.
//
// Sources: Fisher, "The Design of Experiments" (1935), §21; Fagerland, Lydersen & Laake, "The
// McNemar test for binary matched-pairs data: mid-p and asymptotic are better than exact
// conditional", BMC Medical Research Methodology 13 (2013).
func (p *PairedAccuracy) MidP() float64 {
	flips, sum := p.flips()
	if flips.total == 0 {
		return 1
	}
	farther, equal := flips.beyond(sum)
	return farther + equal/2
}

// ExactP returns the exact p-value of the sign-flip test, without the mid-p of [Paired.MidP]. It is
// never too small and often too large.
func (p *PairedAccuracy) ExactP() float64 {
	flips, sum := p.flips()
	farther, equal := flips.beyond(sum)
	return min(farther+equal, 1)
}

// flips returns the null distribution of the sign-flip test, with differences scaled to integers,
// and the observed sum.
func (p *PairedAccuracy) flips() (law signFlips, sum int64) {
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

// scale returns the least common denominator of all differences, at most maxScale.
func (p *PairedAccuracy) scale() int64 {
	scale := int64(1)
	for d := range p.cases {
		if scale = scale / gcd(scale, d.den) * d.den; scale > maxScale {
			return maxScale
		}
	}
	return scale
}

// Interval returns the confidence interval of the difference B − A by Bonett & Price. Two cases are
// added, one for each side, so that it has a width if no case differs. With epochs a case may
// differ by less than 1, and the added cases differ by the root mean square of the nonzero
// differences. ok is false without cases.
//
// Sources: Bonett & Price, "Adjusted Wald Confidence Interval for a Difference of Binomial
// Proportions Based on Paired Data", Journal of Educational and Behavioral Statistics 37 (2012);
// recommended by Fagerland, Lydersen & Laake, Statistics in Medicine 33 (2014). The size of the
// added cases is ours, selected by simulation.
func (p *PairedAccuracy) Interval(level float64) (lo, hi float64, ok bool) {
	if p.n == 0 || !isLevel(level) {
		return 0, 0, false
	}
	m := p.moments()
	half := normalScore(level) * math.Sqrt(m.variance()/(m.n+2))
	return max(m.mean()-half, -1), min(m.mean()+half, 1), true
}

// Variance returns the variance of a case's difference B − A. It includes the two added cases of
// [Paired.Interval]: a run in which no case differs does not prove that none can.
func (p *PairedAccuracy) Variance() float64 { return p.moments().variance() }

// moments has the number of cases, the number of nonzero differences, and the sums of the
// differences and of their squares.
type moments struct{ n, differing, sum, squares float64 }

func byValue(a, b fraction) int {
	return cmp.Or(cmp.Compare(a.value(), b.value()), cmp.Compare(a.den, b.den))
}

// moments sums the differences of the cases. It adds them in ascending order, so the result is
// bit-identical for any order of cases.
func (p *PairedAccuracy) moments() moments {
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

// typical returns the mean square of the nonzero differences, shrunk to 1 by one case. With one
// epoch it is 1.
func (m moments) typical() float64 { return (m.squares + 1) / (m.differing + 1) }

func (m moments) mean() float64 { return m.sum / (m.n + 2) }

func (m moments) variance() float64 {
	return (m.squares+2*m.typical())/(m.n+2) - m.mean()*m.mean()
}
