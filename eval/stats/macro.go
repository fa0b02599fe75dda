package stats

import (
	"cmp"
	"math"
	"slices"
)

// noSpread is the standard error up to which a value counts as constant, because only rounding
// remains.
const noSpread = 1e-9

// MacroF1 returns macro-F1, the unweighted mean of the F1 scores of all classes; false without
// trials.
func (f *F1) MacroF1() (float64, bool) {
	t := f.totals()
	if t.classes == 0 {
		return 0, false
	}
	return t.macro(), true
}

// MacroF1Interval returns a confidence interval of [F1.MacroF1] by a delete-one-case jackknife on
// the logit scale, with bias correction:
//
//	se² = (n−1)/n Σ(Jᵢ−J̄)²,  b = (n−1)/n Σ(Jᵢ−M) over cases that leave no class empty
//	e = M−b within M−(1−M)/4 … M+(1−M)/2, and above M/2
//	expit(logit e ± z·se/(e(1−e))), widened to contain M
//
// The standard error can be 0: all right, all wrong, or each class one of both. The classes'
// intervals are then combined: M ± √Σ(F_c−bound_c)²/C (MOVER). ok is false with fewer than two
// cases.
//
// Sources: Efron & Stein, "The Jackknife Estimate of Variance", Annals of Statistics 9 (1981);
// Efron & Tibshirani, "An Introduction to the Bootstrap" (1993), ch. 10–11; with many cases per
// class it is the delta method of Takahashi, Yamamoto, Kuchiba & Koyama, Applied Intelligence 52
// (2022); MOVER: Zou & Donner, Statistics in Medicine 27 (2008).
func (f *F1) MacroF1Interval(level float64) (lo, hi float64, ok bool) {
	if f.Cases() < 2 || !isLevel(level) {
		return 0, 0, false
	}
	t := f.totals()
	m := t.macro()
	se, bias := t.jackknife(f.leaveOutGroups())
	if f.tooMany {
		_, _, pairs := f.right.disagreement()
		rows := 1 + float64(pairs)/float64(f.N()) // mean number of trials of a case, weighted by trials
		se, bias = se*math.Sqrt(rows), bias*rows
	}
	if m == 0 || m == 1 || se < noSpread {
		lo, hi = f.mover(m, level)
		return lo, hi, true
	}
	e := min(max(m-bias, m-(1-m)/4, m/2), m+(1-m)/2)
	half := normalScore(level) * se / (e * (1 - e))
	return min(expit(logit(e)-half), m), max(expit(logit(e)+half), m), true
}

// mover combines the intervals of all classes into one of macro-F1 (method of variance estimates
// recovery).
func (f *F1) mover(m, level float64) (lo, hi float64) {
	var below, above, classes float64
	for _, c := range f.Classes(level) {
		below += (c.F1 - c.F1Lo) * (c.F1 - c.F1Lo)
		above += (c.F1Hi - c.F1) * (c.F1Hi - c.F1)
		classes++
	}
	return max(m-math.Sqrt(below)/classes, 0), min(m+math.Sqrt(above)/classes, 1)
}

// totals has the counts of each label, summed over all cases, from which macro-F1 is computed.
type totals struct {
	tallies []tally // indexed by the number of the label
	classes int
	sum     float64 // sum of the classes' F1
}

func (f *F1) totals() totals {
	var t totals
	var scores []float64
	for id, l := range f.labels {
		of := tally{
			label:     id,
			right:     l.recall.Successes(),
			gold:      l.recall.N(),
			predicted: l.precision.N(),
		}
		t.tallies = append(t.tallies, of)
		if of.gold > 0 {
			t.classes++
			scores = append(scores, of.f1())
		}
	}
	t.sum = sumSorted(scores)
	return t
}

func (t totals) macro() float64 { return t.sum / float64(t.classes) }

// leaveOutGroups returns the cases that the jackknife leaves out one at a time, with equal ones
// grouped. If there are too many different cases, it returns single trials, grouped by pair of
// labels.
func (f *F1) leaveOutGroups() []group {
	var groups []group
	for signature, n := range f.cases {
		groups = append(groups, group{tallies: talliesOf(decodeCells(signature, nil)), n: n})
	}
	if f.tooMany {
		for p, n := range f.pairs {
			groups = append(groups, group{tallies: talliesOf([]cell{{pair: p, n: 1}}), n: n})
		}
	}
	return groups
}

// group is n cases with equal results.
type group struct {
	tallies []tally
	n       int64
}

// without returns macro-F1 without one case of the group, and whether all classes still have
// trials.
func (t totals) without(g group) (m float64, whole bool) {
	classes := t.classes
	changes := make([]float64, 0, 8)
	for _, out := range g.tallies {
		all := t.tallies[out.label]
		if all.gold == 0 {
			continue
		}
		changes = append(changes, -all.f1())
		if rest := all.less(out); rest.gold > 0 {
			changes = append(changes, rest.f1())
		} else {
			classes--
		}
	}
	return (t.sum + sumSorted(changes)) / float64(classes), classes == t.classes
}

func (t totals) jackknife(groups []group) (se, bias float64) {
	type leftOut struct {
		m     float64
		whole bool
		n     float64
	}
	var n, mean float64
	list := make([]leftOut, 0, len(groups))
	for _, g := range groups {
		m, whole := t.without(g)
		list = append(list, leftOut{m: m, whole: whole, n: float64(g.n)})
		n += float64(g.n)
	}
	// A fixed order makes sums bit-identical.
	slices.SortFunc(list, func(a, b leftOut) int { return cmp.Or(cmp.Compare(a.m, b.m), cmp.Compare(a.n, b.n)) })
	for _, l := range list {
		mean += l.m * l.n / n
	}
	for _, l := range list {
		se += (l.m - mean) * (l.m - mean) * l.n
		if l.whole {
			bias += (l.m - t.macro()) * l.n
		}
	}
	return math.Sqrt((n - 1) / n * se), (n - 1) / n * bias
}

// sumSorted returns a sum that is bit-identical for any order of the values.
func sumSorted(values []float64) float64 {
	slices.Sort(values)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
func expit(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
