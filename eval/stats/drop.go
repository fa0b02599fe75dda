package stats

import (
	"maps"
	"math"
	"math/cmplx"
	"slices"
	"sort"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/stat/distuv"
)

// Limits of the exact p-values of a drop. Beyond them the normal limit is used, which is then
// within 0.001 of the exact p-value.
const (
	maxGainVariance = 100_000 // of the number of gains, with one epoch
	maxWindow       = 1 << 18 // points of the distribution of the sum, with several epochs
)

// dropLattice is how many steps a drop of 1 has at most. Finer drops are rounded to it, and
// the mean of what that changes is taken off the margin.
const dropLattice = 240

// lostMass is how much of a distribution may lie outside the range that is summed.
const lostMass = 1e-10

// PDropBelow is the p-value against "the drop A − B is margin or more": at most alpha is
// proof that the drop is smaller. It is 1 without a case.
//
// The null distribution is estimated from the cases, with the drop fixed at margin, and
// the chance of a result at least as good is computed exactly. Simulated, the size at
// alpha 0.05 is at most 0.055, however many cases there are and whichever way they differ.
//
// With one epoch the cases are three-nomial (lost, gained, equal), the statistic is
// Tango's score and the null has its restricted maximum-likelihood estimate. With several
// epochs the null is the empirical distribution, tilted so that its mean is margin. Where
// no tilt reaches that mean, the rest of the weight goes to a case that loses all epochs.
//
// Sources: Tango, "Equivalence test and confidence interval for the difference in
// proportions for the paired-sample design", Statistics in Medicine 17 (1998); Lloyd &
// Moldovan, Australian & New Zealand Journal of Statistics 49 (2007), for the estimated
// p-value; Owen, "Empirical Likelihood" (2001), for the tilt; Grendár & Špitalský,
// Electronic Journal of Statistics 11 (2017), for the weight of an unseen result. The
// exact tail under the tilted weights is ours, chosen by simulation.
func (p *Paired) PDropBelow(margin float64) float64 { return p.drops(false).pBelow(margin) }

// PDropAbove is the p-value against "the drop A − B is margin or less": the mirror image
// of [Paired.PDropBelow].
func (p *Paired) PDropAbove(margin float64) float64 { return p.drops(true).pBelow(-margin) }

// OneSidedBounds are two bounds of the difference B − A, each of which the true one crosses with
// a chance of about alpha: the differences at which [Paired.PDropBelow] and
// [Paired.PDropAbove] fall to alpha. Where no case differs they are ±(1 − alpha^(1/n)).
// ok is false without a case, and for an alpha outside 0…0.5.
func (p *Paired) OneSidedBounds(alpha float64) (lo, hi float64, ok bool) {
	if p.n == 0 || !(alpha > 0 && alpha < 0.5) {
		return 0, 0, false
	}
	return -p.drops(false).bound(alpha), p.drops(true).bound(alpha), true
}

// NeededForDrop is how many cases, each with that variance of its difference, prove with
// that power that less than margin is lost where nothing is. It is [NeededWithin], and
// never less than the cases that prove it where no case differs: 299, 149 and 59 for 1, 2
// and 5 points at an alpha of 0.05.
func NeededForDrop(variance, margin, alpha, power float64) int64 {
	n := NeededWithin(variance, margin, alpha, power)
	if n == 0 && variance != 0 || !(margin > 0 && margin < 1) || !isLevel(alpha) {
		return n
	}
	return max(n, int64(math.Ceil(math.Log(alpha)/math.Log1p(-margin))))
}

// PassesUnchanged is the chance that as many other cases prove that less than margin is lost
// ([Paired.PDropBelow] is at most alpha) if nothing is lost: as many cases differ on average as
// differ here, half of them in either direction. With one epoch it is exact, with several it is
// the normal limit.
func (p *Paired) PassesUnchanged(margin, alpha float64) float64 {
	if p.n == 0 || !(margin > 0 && margin < 1) || !isLevel(alpha) {
		return 0
	}
	if !p.isSingle() {
		return distuv.UnitNormal.CDF(margin/math.Sqrt(p.Variance()/float64(p.n)) - normalScore(1-alpha))
	}
	differing := 1 - float64(p.cases[fraction{0, 1}])/float64(p.n)
	spread := reach(1, float64(p.n)*differing*(1-differing))
	from, to := max(int64(float64(p.n)*differing-spread), 0), min(int64(float64(p.n)*differing+spread)+1, p.n)
	chance := 0.0
	for flips := from; flips <= to; flips++ {
		of := chanceOf(flips, p.n, differing)
		if of < lostMass {
			continue
		}
		tooMany := sort.Search(int(flips)+1, func(losses int) bool {
			return flipDrops{n: p.n, losses: int64(losses), gains: flips - int64(losses)}.pBelow(margin) > alpha
		})
		chance += of * below(int64(tooMany), flips, 0.5)
	}
	return chance
}

// drops are the differences A − B of paired cases.
type drops struct {
	n     int64
	value float64                      // mean
	pAt   func(margin float64) float64 // for margins between −1 and 1
}

// drops of the cases, or of A and B exchanged.
func (p *Paired) drops(exchanged bool) drops {
	if p.n == 0 {
		return drops{}
	}
	sign := int64(-1)
	if exchanged {
		sign = 1
	}
	d := drops{n: p.n, value: float64(sign) * p.moments().sum / float64(p.n)}
	if p.isSingle() {
		flips := flipDrops{n: p.n, losses: p.cases[fraction{sign, 1}], gains: p.cases[fraction{-sign, 1}]}
		d.pAt = flips.pBelow
		return d
	}
	d.pAt = newLatticeDrops(p, sign).pBelow
	return d
}

// isSingle reports whether every difference is −1, 0 or 1.
func (p *Paired) isSingle() bool {
	for d := range p.cases {
		if d.den != 1 {
			return false
		}
	}
	return true
}

func (d drops) pBelow(margin float64) float64 {
	switch {
	case d.n == 0, !(margin > -1): // also NaN
		return 1
	case margin < 1:
		return min(max(d.pAt(margin), 0), 1)
	case d.value < 1:
		return 0
	}
	return 1
}

// bound is the margin at which the p-value falls to alpha.
func (d drops) bound(alpha float64) float64 {
	const width = 1e-8
	low, high := d.value, 1-1e-9
	if low >= high {
		return 1
	}
	return least(low, high, width, func(margin float64) bool { return d.pBelow(margin) <= alpha })
}

// flipDrops are cases of one epoch.
type flipDrops struct{ n, losses, gains int64 }

func (t flipDrops) pBelow(margin float64) float64 {
	observed := t.score(margin)
	n, gain := float64(t.n), t.gainRate(margin)
	if n*gain*(1-gain) > maxGainVariance {
		return distuv.UnitNormal.CDF(observed)
	}
	loss := 0.0
	if gain < 1 {
		loss = min((gain+margin)/(1-gain), 1)
	}
	spread := reach(1, n*gain*(1-gain))
	from, to := max(math.Floor(n*gain-spread), 0), min(math.Ceil(n*gain+spread), n)
	sum := 0.0
	for gains := int64(from); gains <= int64(to); gains++ {
		others := t.n - gains
		worse := sort.Search(int(others)+1, func(losses int) bool {
			return flipDrops{n: t.n, losses: int64(losses), gains: gains}.score(margin) > observed+1e-9
		})
		sum += chanceOf(gains, t.n, gain) * below(int64(worse), others, loss)
	}
	return sum
}

// chanceOf k successes in n trials.
func chanceOf(k, n int64, chance float64) float64 {
	switch {
	case chance > 0 && chance < 1:
		return distuv.Binomial{N: float64(n), P: chance}.Prob(float64(k))
	case chance <= 0 && k == 0, chance >= 1 && k == n:
		return 1
	}
	return 0
}

// below is the chance of fewer than k successes in n trials.
func below(k, n int64, chance float64) float64 {
	switch {
	case k < 1:
		return 0
	case k > n || chance <= 0:
		return 1
	case chance >= 1:
		return 0
	}
	return distuv.Binomial{N: float64(n), P: chance}.CDF(float64(k - 1))
}

// score is Tango's; the larger, the more is lost.
func (t flipDrops) score(margin float64) float64 {
	n := float64(t.n)
	variance := n * (2*t.gainRate(margin) + margin - margin*margin)
	if !(variance > 0) {
		return 0
	}
	return (float64(t.losses-t.gains) - n*margin) / math.Sqrt(variance)
}

// gainRate is the maximum-likelihood estimate of the share of gains where the drop is margin.
func (t flipDrops) gainRate(margin float64) float64 {
	n, b, c := float64(t.n), float64(t.losses), float64(t.gains)
	linear, constant := (2*n-b+c)*margin-b-c, -c*margin*(1-margin)
	root := math.Sqrt(max(linear*linear-8*n*constant, 0))
	return max((root-linear)/(4*n), 0, -margin)
}

// latticeDrops are cases with fractions as drops, as whole steps of a lattice.
type latticeDrops struct {
	n      float64
	steps  float64   // of a drop of 1
	at     []float64 // the drops that occur, in steps, ascending
	share  []float64 // of the cases, with each
	sum    float64   // of all drops, in steps
	shift  float64   // by which rounding has lowered their mean
	fft    *fourier.FFT
	weight []float64 // of at, under the null
}

// newLatticeDrops takes the least common denominator for the lattice, but for one that is
// finer than dropLattice.
func newLatticeDrops(p *Paired, sign int64) *latticeDrops {
	t := &latticeDrops{n: float64(p.n), steps: float64(min(p.scale(), dropLattice))}
	cases := map[float64]float64{t.steps: 0} // may get the weight of an unseen loss
	for d, count := range p.cases {
		cases[math.Round(float64(sign)*d.value()*t.steps)] += float64(count)
	}
	for _, at := range slices.Sorted(maps.Keys(cases)) {
		t.at, t.share = append(t.at, at), append(t.share, cases[at]/t.n)
		t.sum += at * cases[at]
	}
	if p.scale() > dropLattice {
		t.shift = (float64(sign)*p.moments().sum - t.sum/t.steps) / t.n
	}
	t.weight = make([]float64, len(t.at))
	return t
}

func (t *latticeDrops) pBelow(margin float64) float64 {
	margin -= t.shift
	if t.sum >= t.n*margin*t.steps {
		return 1
	}
	t.tilt(margin)
	mean := t.n * margin * t.steps
	variance, farthest := 0.0, 0.0
	for i, at := range t.at {
		from := at - margin*t.steps
		variance += t.n * t.weight[i] * from * from
		if t.weight[i] > 0 {
			farthest = max(farthest, math.Abs(from))
		}
	}
	spread := reach(farthest, variance)
	low := max(math.Floor(mean-spread), t.n*t.at[0])
	high := min(math.Ceil(mean+spread), t.n*t.at[len(t.at)-1])
	switch {
	case t.sum < low:
		return 0
	case high-low >= maxWindow:
		return distuv.UnitNormal.CDF((t.sum + 0.5 - mean) / math.Sqrt(variance))
	}
	law := t.sumLaw(int(high-low) + 1)
	p := 0.0
	for at := low; at <= t.sum; at++ {
		p += law[wrapped(at, len(law))]
	}
	return p
}

// tilt weighs the drops that occur so that their mean is the margin, which is larger than
// theirs: w = share/(1+λ(drop−margin)).
func (t *latticeDrops) tilt(margin float64) {
	weigh := func(lambda float64) (mean, total float64) {
		for i, at := range t.at {
			from := at/t.steps - margin
			t.weight[i] = t.share[i] / max(1+lambda*from, 1e-300)
			mean += t.weight[i] * from
			total += t.weight[i]
		}
		return mean, total
	}
	low, high := -1/(1-margin), 0.0
	for range 100 {
		middle := (low + high) / 2
		if mean, _ := weigh(middle); mean > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	_, total := weigh(high)
	t.weight[len(t.weight)-1] += max(1-total, 0)
	total = max(total, 1)
	for i := range t.weight {
		t.weight[i] /= total
	}
}

// sumLaw is the distribution of the sum of n drops, wrapped around a circle of at least so
// many steps.
func (t *latticeDrops) sumLaw(points int) []float64 {
	size := 1
	for size < points {
		size *= 2
	}
	if t.fft == nil || t.fft.Len() != size {
		t.fft = fourier.NewFFT(size)
	}
	law := make([]float64, size)
	for i, at := range t.at {
		law[wrapped(at, size)] += t.weight[i]
	}
	waves := t.fft.Coefficients(nil, law)
	for i, w := range waves {
		r, angle := cmplx.Polar(w)
		waves[i] = cmplx.Rect(math.Pow(r, t.n)/float64(size), math.Remainder(angle*t.n, 2*math.Pi))
	}
	return t.fft.Sequence(law, waves)
}

// wrapped is a step's place on a circle.
func wrapped(at float64, size int) int { return ((int(at) % size) + size) % size }

// reach is how far a sum of independent values, each within farthest of its mean, lies from
// its own mean at most, but for lostMass: Bernstein's inequality.
func reach(farthest, variance float64) float64 {
	logs := -math.Log(lostMass / 2)
	return farthest*logs/3 + math.Sqrt(farthest*farthest*logs*logs/9+2*logs*variance)
}
