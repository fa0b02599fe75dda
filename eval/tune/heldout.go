package tune

import (
	"math"
	"math/rand/v2"
	"slices"

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
//
// Other objectives than accuracy combine the shares of several classes. Their interval combines
// the intervals of these shares (MOVER: Newcombe, Statistics in Medicine 17 (1998)), widened by the
// same variance.
func (c *curve) holdOut(out *Tuning, present float64, folds int) {
	f := newCrossFit(c, folds, out.Seed, present)
	f.fit(all)
	held, now := f.byCase(), c.sumsAt(func(int) int { return c.at })
	out.Folds = f.parts(held)
	figures := c.figures(out)
	variances, ofGain := f.variances(figures, now, out.Seed)
	for i, one := range figures {
		*one.into = c.estimate(one.measure, one.mix, held, variances[i], out.UnscoredTrials)
	}
	out.HeldOutGain, out.GainState = c.gain(now, held, ofGain)
}

// figure is a measure that is estimated on held-out cases.
type figure struct {
	measure
	mix  mix
	into *eval.Estimate
}

// figures returns the measures to estimate on held-out cases; the objective is the first.
func (c *curve) figures(out *Tuning) []figure {
	list := []figure{
		{c.goal.goal(), c.goal.mix, &out.HeldOutObjective},
		{measures()[0], mix{}, &out.HeldOutAccuracy},
	}
	if c.goal.limited.name != "" {
		out.HeldOutLimited = &eval.Estimate{}
		list = append(list, figure{c.goal.limited, c.goal.mix, out.HeldOutLimited})
	}
	if c.classes() {
		out.HeldOutOOSRecall, out.HeldOutInScopeAccuracy = &eval.Estimate{}, &eval.Estimate{}
		for _, m := range measures() {
			switch m.name {
			case recallMeasure:
				list = append(list, figure{m, c.goal.mix, out.HeldOutOOSRecall})
			case inScopeMeasure:
				list = append(list, figure{m, c.goal.mix, out.HeldOutInScopeAccuracy})
			}
		}
	}
	return list
}

// classes reports whether the cases contain both classes: out of scope and in scope.
func (c *curve) classes() bool {
	oos, inside := false, false
	for _, one := range c.cases {
		oos, inside = oos || one.most[oosRight] > 0, inside || one.most[inScopeRight] > 0
	}
	return oos && inside
}

// sumsAt returns the sums of each case at a threshold range that may differ from case to case.
func (c *curve) sumsAt(place func(of int) int) [][channels]int64 {
	list := make([][channels]int64, len(c.cases))
	for i, one := range c.cases {
		list[i] = one.base
	}
	for _, j := range c.jumps {
		if j.cut < place(j.caseIndex) {
			for ch, d := range j.delta {
				list[j.caseIndex][ch] += d
			}
		}
	}
	return list
}

// rates returns the rates of the channels in list for the sums of each case.
func (c *curve) rates(list []channel, weight func(of int) float64, sums [][channels]int64) (r rates) {
	r.oosShare = c.oosShare(weight)
	for _, ch := range list {
		n, k := make([]float64, c.strata(ch)), make([]float64, c.strata(ch))
		for i := range c.cases {
			s, w := c.stratum(ch, i), weight(i)
			n[s] += w * float64(c.cases[i].most[ch])
			k[s] += w * float64(sums[i][ch])
		}
		for s, w := range c.stratumWeights(ch, n) {
			if w > 0 {
				r.of[ch] += w * k[s] / n[s]
			}
		}
		if len(n) == 1 {
			r.of[ch] = k[0] / n[0]
		}
	}
	return r
}

// part is one share, or one mean cost, that a measure is computed from.
type part struct {
	ch       channel
	weight   float64 // of its stratum in the channel
	value    float64
	n        float64 // effective number of independent trials; 0: a cost
	variance float64
	slope    float64 // derivative of the measure

	difference         float64 // from the sums of another threshold
	differenceVariance float64
	changes            bool // the decisions of some case differ between both thresholds
}

// partsOf returns the parts of a measure for the sums of each case. before contains the sums that
// they are compared with.
func (c *curve) partsOf(m measure, in mix, sums, before [][channels]int64) (list []part) {
	channelsOf := m.channels(in)
	whole := c.rates(channelsOf, all, sums)
	for _, ch := range channelsOf {
		n := make([]float64, c.strata(ch))
		for i, one := range c.cases {
			n[c.stratum(ch, i)] += float64(one.most[ch])
		}
		weights := c.stratumWeights(ch, n)
		for s := range n {
			if n[s] == 0 {
				continue
			}
			p := c.partOf(ch, s, sums, before)
			p.weight = weights[s]
			step := slopeStep
			if ch == costNanos {
				step = max(math.Abs(p.value), 1) * slopeStep
			}
			at := func(by float64) float64 {
				moved := whole
				moved.of[ch] += by * p.weight
				return m.value(moved, in)
			}
			p.slope = (at(step) - at(-step)) / (2 * step)
			list = append(list, p)
		}
	}
	return list
}

const slopeStep = 1e-4

// partOf returns one part: the cases of a channel that belong to a stratum.
func (c *curve) partOf(ch channel, stratum int, sums, before [][channels]int64) part {
	p := part{ch: ch}
	if ch == costNanos {
		return c.costPart(p, stratum, sums, before)
	}
	var share stats.Proportion
	var change stats.PairedAccuracy
	for i, one := range c.cases {
		if c.stratum(ch, i) == stratum {
			share.Add(sums[i][ch], one.most[ch])
			change.Add(before[i][ch], one.most[ch], sums[i][ch], one.most[ch])
		}
	}
	p.value, _ = share.Value()
	p.n = share.EffectiveN()
	p.variance = p.value * (1 - p.value) / p.n
	p.difference, _ = change.Value()
	lo, hi, _ := change.Interval(level)
	se := (hi - lo) / 2 / distuv.UnitNormal.Quantile((1+level)/2)
	p.differenceVariance = se * se
	p.changes = change.Wins()+change.Losses() > 0
	return p
}

// costPart returns the part of a mean cost. Its variances are those of a ratio of sums over cases.
func (c *curve) costPart(p part, stratum int, sums, before [][channels]int64) part {
	var n, k, b, cases float64
	in := func(i int) bool { return c.stratum(costNanos, i) == stratum && c.cases[i].most[costNanos] > 0 }
	for i, one := range c.cases {
		if in(i) {
			n += float64(one.most[costNanos])
			k += float64(sums[i][costNanos])
			b += float64(before[i][costNanos])
			cases++
		}
	}
	p.value, p.difference = k/n, (k-b)/n
	for i, one := range c.cases {
		if in(i) {
			most, now := float64(one.most[costNanos]), float64(sums[i][costNanos])
			d := now - float64(before[i][costNanos])
			p.variance += (now - p.value*most) * (now - p.value*most)
			p.differenceVariance += (d - p.difference*most) * (d - p.difference*most)
			p.changes = p.changes || d != 0
		}
	}
	if cases > 1 {
		p.variance *= cases / (cases - 1)
		p.differenceVariance *= cases / (cases - 1)
	}
	p.variance /= n * n
	p.differenceVariance /= n * n
	return p
}

// interval returns the interval of a part whose variance is increased by a factor.
func (p part) interval(factor float64) (lo, hi float64) {
	if p.n == 0 {
		half := distuv.UnitNormal.Quantile((1+level)/2) * math.Sqrt(p.variance*factor)
		return max(p.value-half, 0), p.value + half
	}
	n := p.n / factor
	return stats.Wilson(p.value*n, n, level)
}

// estimate returns a measure with its confidence interval for the sums of each case. variance is
// that of the bootstrap; 0: the cases did not select the threshold. An undefined measure has no
// value.
func (c *curve) estimate(m measure, in mix, sums [][channels]int64, variance float64, missing int64) eval.Estimate {
	parts := c.partsOf(m, in, sums, sums)
	r := c.rates(m.channels(in), all, sums)
	v := m.value(r, in)
	e := eval.Estimate{Missing: missing}
	if math.IsNaN(v) {
		return e
	}
	e.Value = &v
	var cases int64
	for i := range c.cases {
		var most int64
		for _, ch := range m.channels(in) {
			most += c.cases[i].most[ch]
		}
		e.N += most
		cases += min(most, 1)
	}
	if cases < e.N {
		e.Cases = cases
	}
	independent := 0.0
	for _, p := range parts {
		independent += p.slope * p.slope * p.variance
	}
	factor := 1.0
	if independent > 0 && variance > independent {
		factor = (1 + variance/independent) / 2
	}
	var below, above float64
	for _, p := range parts {
		lo, hi := p.interval(factor)
		for _, end := range []float64{lo, hi} {
			moved := r
			moved.of[p.ch] += p.weight * (end - p.value)
			if d := m.value(moved, in) - v; d < 0 {
				below += d * d
			} else {
				above += d * d
			}
		}
	}
	lo, hi := v-math.Sqrt(below), v+math.Sqrt(above)
	if m.name != costMeasure {
		lo, hi = max(lo, 0), min(hi, 1)
	}
	e.Lo, e.Hi = &lo, &hi
	return e
}

// gain returns the difference of the objective between the held-out and the current thresholds,
// with its interval and significance. now and held contain the sums of each case. If one of both
// objectives is undefined, so is the difference.
func (c *curve) gain(now, held [][channels]int64, variance float64) (eval.Contrast, eval.ComparisonState) {
	m, in := c.goal.goal(), c.goal.mix
	after := c.rates(m.channels(in), all, held)
	before := after
	var alone float64
	changes := false
	for _, p := range c.partsOf(m, in, held, now) {
		before.of[p.ch] -= p.weight * p.difference
		alone += p.slope * p.slope * p.differenceVariance
		changes = changes || p.changes
	}
	v := m.value(after, in) - m.value(before, in)
	if math.IsNaN(v) {
		return eval.Contrast{}, eval.InsufficientData
	}
	se := math.Sqrt((alone + max(alone, variance)) / 2)
	z := distuv.UnitNormal.Quantile((1 + level) / 2)
	lo, hi := v-z*se, v+z*se
	if m.name != costMeasure {
		lo, hi = max(lo, -1), min(hi, 1)
	}
	p := 2 * distuv.UnitNormal.Survival(math.Abs(v)/se)
	worst, best := lo, hi
	if m.lowerIsBetter {
		worst, best = -hi, -lo
	}
	state := eval.NotSignificant
	switch {
	case !changes:
		state, p = eval.Identical, 1
	case worst > 0:
		state = eval.Better
	case best < 0:
		state = eval.Worse
	}
	n := int64(0)
	for i := range c.cases {
		if slices.ContainsFunc(m.channels(in), func(ch channel) bool { return c.cases[i].most[ch] > 0 }) {
			n++
		}
	}
	return eval.Contrast{
		Value: &v,
		Lo:    &lo,
		Hi:    &hi,
		P:     &p,
		N:     n,
	}, state
}

// These constants limit the number of bootstrap replicates. Large data gets fewer, because the
// choice of the threshold has little effect there.
const (
	maxReplicates = 100
	minReplicates = 20
	maxSteps      = 20_000_000
)

// variances returns the variance of each figure on held-out cases, and that of the difference of
// the first from its current value. It computes them by a bootstrap over cases. Each case stays in
// its fold with all its epochs. Replicates in which a figure is undefined do not count.
func (f *crossFit) variances(figures []figure, now [][channels]int64, seed uint64) (list []float64, ofGain float64) {
	replays := min(max(maxSteps/(len(f.jumps)+f.folds*(f.last+1)), minReplicates), maxReplicates)
	weights := make([][]uint8, len(f.cases))
	for i, one := range f.cases {
		weights[i] = weightsOf(draw(seed, one.id), replays)
	}
	values, gain := make([]spread, len(figures)), spread{}
	for r := range replays {
		weight := func(of int) float64 { return float64(weights[of][r]) }
		f.fit(weight)
		held := f.byCase()
		for i, one := range figures {
			v := one.value(f.rates(one.channels(one.mix), weight, held), one.mix)
			if math.IsNaN(v) {
				continue
			}
			values[i].add(v)
			if i > 0 {
				continue
			}
			if d := v - one.value(f.rates(one.channels(one.mix), weight, now), one.mix); !math.IsNaN(d) {
				gain.add(d)
			}
		}
	}
	for _, s := range values {
		list = append(list, s.variance())
	}
	return list, gain.variance()
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
