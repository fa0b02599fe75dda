package tune

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// holdOut computes the held-out accuracy by cross-validation: each case is decided by the threshold
// that is best on the other folds.
//
// Its variance is larger than that of independent cases, because the chosen thresholds depend on
// the cases. In simulations, 95 % intervals for independent cases contain the true value too
// rarely: at worst in 91 % of runs for an accuracy, and in 86 % for a difference. Intervals from a
// bootstrap of the whole selection contain it too often, in up to 99 %. The mean of both variances
// leads to 93 to 98 % and is used here. It is at least the variance of independent cases.
//
// Source on the coverage of cross-validation: Bates, Hastie & Tibshirani, "Cross-validation: what
// does it estimate and how well does it do it?", JASA 119 (2024).
func (c *curve) holdOut(out *Tuning, present float64, folds int) {
	f := newCrossFit(c, folds, out.Seed, present)
	f.fit(func(int) int64 { return 1 })
	out.Folds = f.parts()
	held, now := f.byCase(), c.rightAt(c.at)
	ofHeld, ofGain := f.variances(now, out.Seed)
	out.HeldOutAccuracy = c.accuracy(held, out.Missing)
	widen(&out.HeldOutAccuracy, c.effective(held), ofHeld)
	out.HeldOutGain, out.State = c.gain(now, held, ofGain)
}

// widen sets the interval of the estimate for the mean of two variances: the given one and that of
// n independent trials.
func widen(e *eval.Estimate, n, variance float64) {
	spread := *e.Value * (1 - *e.Value)
	if spread == 0 || variance*n <= spread {
		return
	}
	n = spread / ((spread/n + variance) / 2)
	lo, hi := stats.Wilson(*e.Value*n, n, level)
	e.Lo, e.Hi = &lo, &hi
}

// gain returns the difference between held-out and current accuracy, with its interval and
// significance. now and held contain, for each case, how many trials are right at the current and
// at the held-out threshold.
func (c *curve) gain(now, held []int64, variance float64) (eval.Contrast, eval.ComparisonState) {
	var d stats.Paired
	for i, one := range c.cases {
		d.Add(now[i], one.n, held[i], one.n)
	}
	v, _ := d.Value()
	lo, hi, _ := d.Interval(level)
	z := distuv.UnitNormal.Quantile((1 + level) / 2)
	alone := (hi - lo) / 2 / z
	se := math.Sqrt((alone*alone + max(alone*alone, variance)) / 2)
	lo, hi = max(v-z*se, -1), min(v+z*se, 1)
	p := 2 * distuv.UnitNormal.Survival(math.Abs(v)/se)
	state := eval.NotSignificant
	switch {
	case d.Wins()+d.Losses() == 0:
		state = eval.Identical
	case lo > 0:
		state = eval.Better
	case hi < 0:
		state = eval.Worse
	}
	return eval.Contrast{
		Value: &v,
		Lo:    &lo,
		Hi:    &hi,
		P:     &p,
		N:     d.N(),
	}, state
}

// These constants limit the number of bootstrap replicates. Large data gets fewer, because the
// choice of the threshold has little effect there.
const (
	maxReplicates = 100
	minReplicates = 20
	maxSteps      = 20_000_000
)

// variances returns the variances of the held-out accuracy and of its difference from the current
// accuracy. It computes them by a bootstrap over cases. Each case stays in its fold with all its
// epochs.
func (f *crossFit) variances(now []int64, seed uint64) (ofHeld, ofGain float64) {
	replays := min(max(maxSteps/(len(f.jumps)+len(f.right)*len(f.others)), minReplicates), maxReplicates)
	weights := make([][]uint8, len(f.cases))
	for i, one := range f.cases {
		weights[i] = weightsOf(draw(seed, one.id), replays)
	}
	var share, difference spread
	for r := range replays {
		var n, right int64
		for i, one := range f.cases {
			w := int64(weights[i][r])
			n, right = n+w*one.n, right+w*now[i]
		}
		if n == 0 {
			continue
		}
		held := f.fit(func(of int) int64 { return int64(weights[of][r]) })
		share.add(float64(held) / float64(n))
		difference.add(float64(held-right) / float64(n))
	}
	return share.variance(), difference.variance()
}

// spread computes the variance of the values that are added.
type spread struct{ n, sum, squares float64 }

func (s *spread) add(v float64) { s.n, s.sum, s.squares = s.n+1, s.sum+v, s.squares+v*v }

func (s *spread) variance() float64 {
	if s.n < 2 {
		return 0
	}
	return max(s.squares-s.sum*s.sum/s.n, 0) / (s.n - 1)
}

// weightsOf returns n bootstrap weights of a case, from a Poisson distribution with mean 1.
func weightsOf(seed uint64, n int) []uint8 {
	random := rand.New(rand.NewPCG(seed, 1))
	list := make([]uint8, n)
	for i := range list {
		k, chance, u := uint8(0), math.Exp(-1), random.Float64()
		for ; u >= chance && k < 20; k++ {
			u -= chance
			chance /= float64(k + 1)
		}
		list[i] = k
	}
	return list
}
