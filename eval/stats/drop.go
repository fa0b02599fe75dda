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

// Limits up to which the p-values of a drop are exact. Beyond them the normal limit is used, which
// is within 0.001 of the exact p-value.
const (
	maxGainVariance = 100_000 // variance of the number of gains, with one epoch
	maxWindow       = 1 << 18 // points of the distribution of the sum, with several epochs
)

// dropLattice is the finest resolution of a case's drop: 1/240. Finer drops are rounded, and the
// margin is corrected by the mean of the rounding error.
const dropLattice = 240

// tailMass is the maximum probability that may be left out when a distribution is summed.
const tailMass = 1e-10

// DropBelowPValue returns the p-value of the test that the drop A − B in accuracy is below margin.
// The null hypothesis is "the drop is margin or more". A p-value of at most alpha proves that the
// drop is smaller. It is 1 without cases.
//
// The null distribution is estimated from the cases with the drop fixed at margin. The probability
// of a result at least as good is then computed exactly. In simulation the size at alpha 0.05 is at
// most 0.055 for any number of cases and any pattern of differences.
//
// With one epoch the cases are trinomial (lost, gained, equal). The statistic is Tango's score, and
// the null is the restricted maximum-likelihood estimate. With several epochs the null is the
// empirical distribution, tilted so that its mean is margin. If no tilt reaches that mean, the rest
// of the weight goes to a case that loses all epochs.
//
// Sources: Tango, "Equivalence test and confidence interval for the difference in proportions for
// the paired-sample design", Statistics in Medicine 17 (1998); Lloyd & Moldovan, Australian & New
// Zealand Journal of Statistics 49 (2007), for the estimated p-value; Owen, "Empirical Likelihood"
// (2001), for the tilt; Grendár & Špitalský, Electronic Journal of Statistics 11 (2017), for the
// weight of an unseen result. The exact tail under the tilted weights is ours, selected by
// simulation.
func (p *PairedAccuracy) DropBelowPValue(margin float64) float64 {
	return p.drops(false).pBelow(margin)
}

// DropAbovePValue returns the p-value of the test that the drop A − B in accuracy is above margin.
// The null hypothesis is "the drop is margin or less". It mirrors [Paired.DropBelowPValue].
func (p *PairedAccuracy) DropAbovePValue(margin float64) float64 {
	return p.drops(true).pBelow(-margin)
}

// OneSidedBounds returns a lower and an upper confidence bound of the difference B − A. Each is
// wrong with a probability of about alpha. They are the differences at which [Paired.DropBelowPValue]
// and [Paired.DropAbovePValue] fall to alpha. If no case differs they are ±(1 − alpha^(1/n)). ok is
// false without cases, and for an alpha outside 0…0.5.
func (p *PairedAccuracy) OneSidedBounds(alpha float64) (lo, hi float64, ok bool) {
	if p.n == 0 || !(alpha > 0 && alpha < 0.5) {
		return 0, 0, false
	}
	return -p.drops(false).bound(alpha), p.drops(true).bound(alpha), true
}

// NeededCasesForDropGate returns how many cases a gate on a drop below margin needs to pass with
// probability power if there is no drop. variance is the variance of a case's difference. The
// result is [NeededCasesWithinMargin], but at least the number that suffices if no case differs.
// For margins of 1, 2 and 5 percentage points at an alpha of 0.05 that is 299, 149 and 59.
func NeededCasesForDropGate(variance, margin, alpha, power float64) int64 {
	n := NeededCasesWithinMargin(variance, margin, alpha, power)
	if n == 0 && variance != 0 || !(margin > 0 && margin < 1) || !isLevel(alpha) {
		return n
	}
	return max(n, int64(math.Ceil(math.Log(alpha)/math.Log1p(-margin))))
}

// PassProbabilityIfUnchanged returns the probability that a gate on a drop below margin passes on
// as many new cases if there is no drop. The gate passes if [Paired.DropBelowPValue] is at most
// alpha. The new cases are assumed to differ as often as these, half of them in each direction. The
// result is exact with one epoch and the normal limit with several.
func (p *PairedAccuracy) PassProbabilityIfUnchanged(margin, alpha float64) float64 {
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
		of := binomialProb(flips, p.n, differing)
		if of < tailMass {
			continue
		}
		tooMany := sort.Search(int(flips)+1, func(losses int) bool {
			return flipDrops{n: p.n, losses: int64(losses), gains: flips - int64(losses)}.pBelow(margin) > alpha
		})
		chance += of * binomialBelow(int64(tooMany), flips, 0.5)
	}
	return chance
}

// drops tests the mean drop A − B of paired cases against a margin.
type drops struct {
	n     int64
	value float64                      // observed mean drop
	pAt   func(margin float64) float64 // p-value for a margin between −1 and 1
}

// drops returns the test of the drop A − B, or of B − A if exchanged is true.
func (p *PairedAccuracy) drops(exchanged bool) drops {
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

// isSingle reports whether the difference of every case is −1, 0 or 1, as it is with one epoch.
func (p *PairedAccuracy) isSingle() bool {
	for d := range p.cases {
		if d.den != 1 {
			return false
		}
	}
	return true
}

func (d drops) pBelow(margin float64) float64 {
	switch {
	case d.n == 0, !(margin > -1): // also for NaN
		return 1
	case margin < 1:
		return min(max(d.pAt(margin), 0), 1)
	case d.value < 1:
		return 0
	}
	return 1
}

// bound returns the margin at which the p-value falls to alpha, which is the upper confidence bound
// of the drop.
func (d drops) bound(alpha float64) float64 {
	const width = 1e-8
	low, high := d.value, 1-1e-9
	if low >= high {
		return 1
	}
	return bisect(low, high, width, func(margin float64) bool { return d.pBelow(margin) <= alpha })
}

// flipDrops tests the drop over n cases of one epoch. A loss is a case that is right only under A;
// a gain is right only under B.
type flipDrops struct{ n, losses, gains int64 }

func (t flipDrops) pBelow(margin float64) float64 {
	observed := t.score(margin)
	n, gain := float64(t.n), t.nullGainRate(margin)
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
		sum += binomialProb(gains, t.n, gain) * binomialBelow(int64(worse), others, loss)
	}
	return sum
}

// binomialProb returns the binomial probability of exactly k successes in n trials.
func binomialProb(k, n int64, chance float64) float64 {
	switch {
	case chance > 0 && chance < 1:
		return distuv.Binomial{N: float64(n), P: chance}.Prob(float64(k))
	case chance <= 0 && k == 0, chance >= 1 && k == n:
		return 1
	}
	return 0
}

// binomialBelow returns the binomial probability of fewer than k successes in n trials.
func binomialBelow(k, n int64, chance float64) float64 {
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

// score returns Tango's score statistic for a drop of margin. It increases with the losses.
func (t flipDrops) score(margin float64) float64 {
	n := float64(t.n)
	variance := n * (2*t.nullGainRate(margin) + margin - margin*margin)
	if !(variance > 0) {
		return 0
	}
	return (float64(t.losses-t.gains) - n*margin) / math.Sqrt(variance)
}

// nullGainRate returns the maximum-likelihood estimate of the share of gains under the null
// hypothesis that the drop is margin.
func (t flipDrops) nullGainRate(margin float64) float64 {
	n, b, c := float64(t.n), float64(t.losses), float64(t.gains)
	linear, constant := (2*n-b+c)*margin-b-c, -c*margin*(1-margin)
	root := math.Sqrt(max(linear*linear-8*n*constant, 0))
	return max((root-linear)/(4*n), 0, -margin)
}

// latticeDrops tests a drop over cases of several epochs. Fractional drops are stored as integer
// steps of a lattice.
type latticeDrops struct {
	n      float64
	steps  float64   // number of steps in a drop of 1
	at     []float64 // the drops that occur, in steps, ascending
	share  []float64 // share of the cases with each drop
	sum    float64   // sum of all drops, in steps
	shift  float64   // amount by which rounding lowered the mean
	fft    *fourier.FFT
	weight []float64 // weights of at, under the null
}

// newLatticeDrops prepares the test of the drop A − B (sign −1) or B − A (sign 1). The lattice is
// the least common denominator of the drops, up to dropLattice.
func newLatticeDrops(p *PairedAccuracy, sign int64) *latticeDrops {
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
	t.tiltTo(margin)
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

// tiltTo weights the drops so that their mean is margin, which is larger than the observed mean: w
// = share/(1+λ(drop−margin)).
func (t *latticeDrops) tiltTo(margin float64) {
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

// sumLaw returns the distribution of the sum of n drops under the null, computed by Fourier
// transform. The sum is wrapped around a circle of at least points steps.
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

// wrapped returns the index of a step on a circle that has size positions.
func wrapped(at float64, size int) int { return ((int(at) % size) + size) % size }

// reach returns the maximum distance of a sum of independent values from its mean, except with
// probability tailMass (Bernstein's inequality). farthest is the maximum distance of a single value
// from its mean.
func reach(farthest, variance float64) float64 {
	logs := -math.Log(tailMass / 2)
	return farthest*logs/3 + math.Sqrt(farthest*farthest*logs*logs/9+2*logs*variance)
}
