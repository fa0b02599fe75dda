package tune

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// curve contains the results of all cases as a function of the threshold. Thresholds between two
// consecutive confidences of the model lead to the same decisions. Such a range of thresholds is
// called a place and has an index. Place 0 contains the thresholds that always accept the model's
// decision. Place i contains the thresholds above cuts[i-1] and up to cuts[i].
type curve struct {
	cuts  []float64 // the different confidences of the model, ascending
	cases []cluster // results by case, sorted by ID
	jumps []jump    // changes of the cases' results, sorted by cut
	at    int       // index of the threshold range that contains the current threshold
	last  int       // index of the highest threshold range that contains a threshold of at most 1
	goal  goal
	costs *costs

	labels int // number of different labels of the cases
}

// goal is what a threshold is chosen by.
type goal struct {
	Objective
	mix
	fixedCost bool // the cost does not depend on the threshold
}

// channels returns the channels that the objective is computed from.
func (g goal) channels() (list []channel) {
	for _, m := range g.measured() {
		list = append(list, m.channels(g.mix)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// cluster is a case with the results of all its epochs.
type cluster struct {
	id, label string
	isOOS     bool            // its first labeled turn accepts only the out-of-scope label
	n         int64           // number of scored trials
	most      [channels]int64 // maximum of each channel
	base      [channels]int64 // each channel if the model's decision is always accepted
	stratum   int             // index of its label
}

// jump is the change of a case's results when the threshold rises above a confidence.
type jump struct {
	cut       int
	caseIndex int // index in curve.cases
	rejected  int64
	delta     [channels]int64
}

// newCurve returns the curve of the trials for a goal. Their order does not matter.
func newCurve(trials []trial, g goal) *curve {
	c := &curve{goal: g}
	at := map[string]int{}
	for _, t := range trials {
		at[t.caseID] = 0
		for _, s := range t.states[1:] {
			c.cuts = append(c.cuts, s.above)
		}
	}
	slices.Sort(c.cuts)
	c.cuts = slices.Compact(c.cuts)
	c.costs = newCosts(c, trials)
	c.cases = make([]cluster, 0, len(at))
	for id := range at {
		c.cases = append(c.cases, cluster{id: id})
	}
	slices.SortFunc(c.cases, func(a, b cluster) int { return cmp.Compare(a.id, b.id) })
	for i, one := range c.cases {
		at[one.id] = i
	}
	for _, t := range trials {
		c.add(at[t.caseID], t)
	}
	slices.SortFunc(c.jumps,
		func(a, b jump) int { return cmp.Or(cmp.Compare(a.cut, b.cut), cmp.Compare(a.caseIndex, b.caseIndex)) })
	c.last = len(c.cuts)
	if c.last > 0 && c.cuts[c.last-1] == 1 {
		c.last--
	}
	labels := map[string]int{}
	for i, one := range c.cases {
		if _, known := labels[one.label]; !known {
			labels[one.label] = len(labels)
		}
		c.cases[i].stratum = labels[one.label]
	}
	c.labels = len(labels)
	return c
}

func (c *curve) add(of int, t trial) {
	one := &c.cases[of]
	one.n++
	if one.label == "" || t.label < one.label {
		one.label = t.label
	}
	one.isOOS = one.isOOS || t.isOOS
	for ch, n := range [channels]int64{
		trialsRight:     1,
		oosRight:        t.oosTurns,
		inScopeRight:    t.inScopeTurns,
		inScopeRejected: t.inScopeTurns,
		labelsRight:     1,
		costNanos:       1,
	} {
		one.most[ch] += n
	}
	before := c.sums(t, t.states[0])
	for ch, v := range before {
		one.base[ch] += v
	}
	rejected := t.states[0].rejected
	for _, s := range t.states[1:] {
		now := c.sums(t, s)
		j := jump{cut: c.place(s.above), caseIndex: of, rejected: s.rejected - rejected}
		for ch, v := range now {
			j.delta[ch] = v - before[ch]
		}
		c.jumps = append(c.jumps, j)
		before, rejected = now, s.rejected
	}
}

// sums returns what a trial adds to each channel in a state.
func (c *curve) sums(t trial, s state) [channels]int64 {
	nanos, _, _ := c.costs.of(t, s)
	return [channels]int64{
		trialsRight:     count(s.right),
		oosRight:        s.oosRight,
		inScopeRight:    s.inScopeRight,
		inScopeRejected: s.inScopeRejected,
		labelsRight:     count(s.right),
		costNanos:       nanos,
	}
}

func count(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// place returns the index of the threshold range that contains the threshold.
func (c *curve) place(threshold float64) int { return sort.SearchFloat64s(c.cuts, threshold) }

// strata returns the number of strata of a channel. Its rate is the weighted mean of the rates of
// its strata.
func (c *curve) strata(ch channel) int {
	switch {
	case ch == labelsRight:
		return c.labels
	case ch == costNanos && c.goal.prior > 0:
		return 2
	}
	return 1
}

// stratum returns the index of the stratum of a channel that a case belongs to.
func (c *curve) stratum(ch channel, of int) int {
	switch {
	case ch == labelsRight:
		return c.cases[of].stratum
	case ch == costNanos && c.goal.prior > 0:
		return int(count(c.cases[of].isOOS))
	}
	return 0
}

// stratumWeights returns the weight of each stratum (in scope, out of scope) in the rate of a
// channel. n contains how much the cases of each stratum can add at most. Strata without cases have
// weight 0.
func (c *curve) stratumWeights(ch channel, n []float64) []float64 {
	weights := make([]float64, len(n))
	total := 0.0
	for s := range n {
		switch {
		case ch == costNanos && c.goal.prior > 0:
			weights[s] = []float64{1 - c.goal.prior, c.goal.prior}[s]
		case n[s] > 0:
			weights[s] = 1
		}
		total += weights[s]
	}
	for s := range weights {
		weights[s] /= total
	}
	return weights
}

// scan calls visit with the rates at each threshold range, the lowest first. list contains the
// channels that are needed. weight is the weight of a case. The rate of a channel without cases is
// NaN.
func (c *curve) scan(list []channel, weight func(of int) float64, visit func(place int, r *rates)) {
	var r rates
	var sum, divisor [channels]float64
	var factor [channels][]float64 // by stratum; nil: 1
	for _, ch := range list {
		n := make([]float64, c.strata(ch))
		for i := range c.cases {
			n[c.stratum(ch, i)] += weight(i) * float64(c.cases[i].most[ch])
		}
		if divisor[ch] = n[0]; len(n) > 1 {
			factor[ch], divisor[ch] = c.stratumWeights(ch, n), 1
			for s := range n {
				if factor[ch][s] > 0 {
					factor[ch][s] /= n[s] // infinite for a class without cases: the rate is then unknown
				}
			}
		}
	}
	r.oosShare = c.oosShare(weight)
	for i := range c.cases {
		for _, ch := range list {
			sum[ch] += c.part(ch, i, factor[ch]) * weight(i) * float64(c.cases[i].base[ch])
		}
	}
	next := 0
	for place := range c.last + 1 {
		for ; next < len(c.jumps) && c.jumps[next].cut < place; next++ {
			j := &c.jumps[next]
			w := weight(j.caseIndex)
			if w == 0 {
				continue
			}
			for _, ch := range list {
				if d := j.delta[ch]; d != 0 {
					sum[ch] += c.part(ch, j.caseIndex, factor[ch]) * w * float64(d)
				}
			}
		}
		for _, ch := range list {
			r.of[ch] = sum[ch] / divisor[ch]
		}
		if c.costs.unknown[place] > 0 || !c.costs.priced {
			r.of[costNanos] = math.NaN()
		}
		visit(place, &r)
	}
}

// part returns the factor of a case in a channel; factors contains those of the strata.
func (c *curve) part(ch channel, of int, factors []float64) float64 {
	if factors == nil {
		return 1
	}
	return factors[c.stratum(ch, of)]
}

// oosShare returns the share of out-of-scope turns: the expected one, or that of the cases.
func (c *curve) oosShare(weight func(of int) float64) float64 {
	if c.goal.prior > 0 {
		return c.goal.prior
	}
	var oos, all float64
	for i, one := range c.cases {
		w := weight(i)
		oos += w * float64(one.most[oosRight])
		all += w * float64(one.most[oosRight]+one.most[inScopeRight])
	}
	return orZero(oos, all)
}

// scores returns how good each threshold range is by the objective: higher is better. A threshold
// that violates the limit of the objective has −Inf. If all do, the limited measure decides.
func (c *curve) scores(weight func(of int) float64) []float64 {
	list, limited := make([]float64, c.last+1), make([]float64, c.last+1)
	isAnyAllowed := false
	m := c.goal.goal()
	c.scan(c.goal.channels(), weight, func(place int, r *rates) {
		list[place] = m.oriented(m.value(*r, c.goal.mix))
		if c.goal.limited.name == "" {
			isAnyAllowed = true
			return
		}
		v := c.goal.limited.value(*r, c.goal.mix)
		limited[place] = c.goal.limited.oriented(v)
		if c.goal.IsWithinLimit(v) {
			isAnyAllowed = true
		} else {
			list[place] = math.Inf(-1)
		}
	})
	if !isAnyAllowed {
		return limited
	}
	return list
}

// all is the weight of each case in the data itself.
func all(int) float64 { return 1 }

// edges returns the thresholds that belong to the ranges with the indexes from to to: those above
// lo and up to hi.
func (c *curve) edges(from, to int) (lo, hi float64) {
	lo, hi = 0, 1
	if from > 0 {
		lo = c.cuts[from-1]
	}
	if to < len(c.cuts) {
		hi = c.cuts[to]
	}
	return lo, hi
}

// highest returns the highest threshold of the range with this index, rounded to few digits.
func (c *curve) highest(place int) float64 { return roundedDown(c.edges(place, place)) }

// best returns a threshold with the highest score. Among several ranges of such thresholds, it
// returns the middle of the range closest to the current threshold. If the current threshold is in
// one of them, it returns the current one.
func (c *curve) best(scores []float64, present float64) float64 {
	most := slices.Max(scores)
	least := most - rounding*max(1, math.Abs(most)) // of equally good thresholds
	if math.IsInf(most, -1) {
		return present
	}
	found, nearest := present, math.Inf(1)
	for from := 0; from < len(scores); from++ {
		if scores[from] < least {
			continue
		}
		to := from
		for to+1 < len(scores) && scores[to+1] >= least {
			to++
		}
		lo, hi := c.edges(from, to)
		if from <= c.at && c.at <= to {
			return present
		}
		if away := max(lo-present, present-hi); away < nearest {
			found, nearest = c.middle(from, to), away
		}
		from = to
	}
	return found
}

// rounding is the relative difference below which two scores are equal.
const rounding = 1e-12

// middle returns a threshold in the middle of the ranges with the indexes from to to, with few
// digits. For the lowest range it returns 0 (always accept), for the highest 1 (never accept).
func (c *curve) middle(from, to int) float64 {
	lo, hi := c.edges(from, to)
	switch {
	case to == 0:
		return 0
	case from == len(c.cuts):
		return 1
	}
	return shortestBetween(lo, hi)
}
