package gate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/eval/metric"
	"evalctl/eval/stats"
)

// alpha is the significance level of comparisons with the baseline run; power is the power for the
// required number of cases.
const (
	alpha = 0.05
	power = 0.8
)

// proof is the statistical evidence in one condition for or against a rule with an upper limit. lo
// and hi are one-sided confidence bounds, each wrong with a probability of at most alpha. scale
// converts a value to the scale of the test: the logarithm of a ratio, and the unchanged value of a
// drop.
type proof struct {
	rule           Rule
	cases          int64
	value, lo, hi  float64 // measured value with its bounds: a drop as a fraction, or a ratio as a factor
	scale          func(float64) float64
	unchangedValue float64 // the value if nothing had changed: 0 for a drop, 1 for a ratio
	variance       float64 // variance of a single case, in units of scale

	// one-sided p-value of the hypothesis that the value is at or above the limit; 0: the bound hi
	// decides instead
	pWithin float64
	pBeyond float64 // one-sided p-value of the hypothesis that the value is at or below the limit

	share *stats.PairedAccuracy // data for the drop of a share or mean; nil: the bound hi decides
}

// isProvenWithin reports whether the value is significantly within the limit.
func (p proof) isProvenWithin() bool {
	return p.pWithin <= alpha && p.rule.Op.isSatisfied(p.hi, p.rule.Limit)
}

// p returns the p-value of the test that the value exceeds the limit. It is 1 if the lower bound is
// within the limit.
func (p proof) p() float64 {
	if p.lo > p.rule.Limit {
		return p.pBeyond
	}
	return 1
}

// normal sets pBeyond by a normal approximation, from bounds that are symmetric on the scale of the
// test. Whether the rule passes depends on the upper bound only.
func (p proof) normal() proof {
	lo, hi, limit := p.scale(p.lo), p.scale(p.hi), p.scale(p.rule.Limit)
	switch {
	case hi > lo:
		p.pBeyond = distuv.UnitNormal.Survival(((hi+lo)/2 - limit) / p.error())
	case lo <= limit:
		p.pBeyond = 1
	}
	return p
}

// error returns the standard error of the value, on the scale of the test (logarithmic for a
// ratio).
func (p proof) error() float64 {
	return (p.scale(p.hi) - p.scale(p.lo)) / 2 / distuv.UnitNormal.Quantile(1-alpha)
}

// margin returns the limit minus the unchanged value, both converted by scale.
func (p proof) margin() float64 { return p.scale(p.rule.Limit) - p.scale(p.unchangedValue) }

// casesNeeded returns how many cases would prove that the value is within the limit if nothing
// changed. It returns 0 if no number would, or if there are already enough.
func (p proof) casesNeeded() int64 {
	if n := p.casesFor(p.margin()); n > p.cases {
		return n
	}
	return 0
}

// casesFor returns how many cases prove a change below margin if nothing changed. margin is on the
// scale of the test.
func (p proof) casesFor(margin float64) int64 {
	if p.rule.Comparison == Drop {
		return stats.NeededCasesForDropGate(p.variance, margin, alpha, power)
	}
	return stats.NeededCasesWithinMargin(p.variance, margin, alpha, power)
}

// hasTooFewCases reports whether there are too few cases to detect even three times the margin.
func (p proof) hasTooFewCases() bool { return p.margin() == 0 || p.casesForTriple() > p.cases }

func (p proof) casesForTriple() int64 {
	thrice := 3 * p.margin()
	if p.rule.Comparison == Ratio && p.margin() > 0 {
		thrice = p.scale(p.unchangedValue + 3*(p.rule.Limit-p.unchangedValue))
	}
	return p.casesFor(math.Abs(thrice))
}

func identity(v float64) float64 { return v }

// dropProof returns the evidence about a drop. difference is the value of this run minus the value
// of the baseline run; the drop is its negative.
func dropProof(r Rule, cases int64, difference, lo, hi, variance float64) proof {
	return proof{
		rule:     r,
		cases:    cases,
		value:    0 - difference,
		lo:       0 - hi,
		hi:       0 - lo,
		scale:    identity,
		variance: variance,
	}
}

func ratioProof(r Rule, cases int64, ratio, lo, hi float64) proof {
	p := proof{
		rule:           r,
		cases:          cases,
		value:          ratio,
		lo:             lo,
		hi:             hi,
		scale:          math.Log,
		unchangedValue: 1,
	}
	p.variance = p.error() * p.error() * float64(cases)
	return p.normal()
}

// provesLimit reports whether the same cases prove that the value is within another limit.
func (p proof) provesLimit(limit float64) bool {
	return p.rule.Op.isSatisfied(p.hi, limit) && (p.share == nil || p.share.DropBelowPValue(limit) <= alpha)
}

// numDiffering returns the number of cases that differ between the runs. It applies only to the
// drop of a share.
func (p proof) numDiffering() int64 { return p.share.Losses() + p.share.Wins() }

// passProbability returns the probability that as many other cases would pass the given limit, if
// nothing changed and the same number of cases differed. With exact, it is computed exactly where
// possible, else with the normal approximation.
func (p proof) passProbability(limit float64, exact bool) float64 {
	if p.share != nil && (exact || p.numDiffering() == 0) {
		return p.share.PassProbabilityIfUnchanged(limit, alpha)
	}
	if p.rule.Comparison == Drop && stats.NeededCasesForDropGate(p.variance, limit, alpha, power) > p.cases {
		return 0
	}
	return distuv.UnitNormal.CDF(
		(p.scale(limit)-p.scale(p.unchangedValue))/math.Sqrt(p.variance/float64(p.cases)) - distuv.UnitNormal.Quantile(
			1-alpha))
}

// limits returns the round limits that a verdict may suggest instead of the rule's limit.
func (p proof) limits() []float64 {
	if p.rule.Comparison == Ratio {
		return []float64{1.05, 1.1, 1.2, 1.3, 1.5, 2, 3}
	}
	return []float64{0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5}
}

// decidableLimit returns the smallest limit above the rule's limit that the present number of cases
// can decide; 0: none. At this limit every undecided condition passes now. It would also pass with
// a probability of 80 % on as many other cases, if nothing changed.
func decidableLimit(undecided []proof) float64 {
	if len(undecided) == 0 || undecided[0].margin() < 0 { // the rule requires an improvement
		return 0
	}
	for _, limit := range undecided[0].limits() {
		if limit <= undecided[0].rule.Limit {
			continue
		}
		hardest, all := undecided[0], true
		for _, p := range undecided {
			chance := p.passProbability(limit, false)
			all = all && chance >= power && p.provesLimit(limit)
			if chance < hardest.passProbability(limit, false) {
				hardest = p
			}
		}
		if all && hardest.passProbability(limit, true) >= power {
			return limit
		}
	}
	return 0
}

// text returns the measured value with its bounds and the number of cases, as a sentence part.
func (p proof) text() string {
	of := metric.Plural(p.cases, "case")
	if p.rule.Comparison == Ratio {
		return fmt.Sprintf("%s times the baseline's [%s, %s] over %s", metric.FormatRatio(p.value), metric.FormatRatio(p.lo),
			metric.FormatRatio(p.hi), of)
	}
	return fmt.Sprintf("drop %s pp [%s, %s] over %s", metric.FormatPoints(p.value), metric.FormatPoints(p.lo),
		metric.FormatPoints(p.hi), of)
}

// valueText returns the measured value with its bounds and the number of cases, in short form.
func (p proof) valueText() string {
	if p.rule.Comparison == Ratio {
		return fmt.Sprintf("%s times [%s, %s] of %s", metric.FormatRatio(p.value), metric.FormatRatio(p.lo), metric.FormatRatio(p.hi),
			metric.FormatInteger(p.cases))
	}
	return fmt.Sprintf("%s points [%s, %s] of %s", metric.FormatPoints(p.value), metric.FormatPoints(p.lo),
		metric.FormatPoints(p.hi),
		metric.FormatInteger(p.cases))
}

// whyUndecided explains what would decide an undecided rule: more cases, or another limit that
// these cases can decide (limit 0: none).
func (p proof) whyUndecided(limit float64) string {
	cases, lacks := metric.Plural(p.cases, "case"), ""
	switch n := p.casesNeeded(); {
	case p.margin() == 0:
		lacks = "no number of cases can prove that nothing at all is lost"
	case n > 0:
		lacks = fmt.Sprintf("%s cannot resolve %s (about %s are needed)", cases, p.resolution(), metric.FormatInteger(n))
		if p.rule.Comparison == Drop && p.share != nil && p.numDiffering() == 0 && p.rule.Limit > 0 &&
			p.rule.Limit < 1 {
			unchanged := int64(math.Ceil(math.Log(alpha) / math.Log1p(-p.rule.Limit)))
			lacks = fmt.Sprintf("%s cannot resolve %s (about %s are needed; %s if no case differs)", cases,
				p.resolution(), metric.FormatInteger(n), metric.FormatInteger(unchanged))
		}
	default:
		lacks = "the true change may be on either side of the limit"
	}
	if limit == 0 {
		return lacks
	}
	other := p.rule
	other.Limit = limit
	way := fmt.Sprintf("%s. They can decide `%s %s`", lacks, p.rule.Op, other.limit())
	if n := p.casesNeeded(); n == 0 {
		way = fmt.Sprintf("%s. These %s can decide `%s %s`", lacks, cases, p.rule.Op, other.limit())
	}
	if p.rule.Comparison == Drop && p.rule.Metric == accuracy && p.share != nil && p.numDiffering() == 0 {
		way += fmt.Sprintf(" or `%s <= 0`", NewFailures)
	}
	return way
}

// resolution returns the change that the rule must be able to detect, as text.
func (p proof) resolution() string {
	if p.rule.Comparison == Ratio {
		return "a ratio of " + decimal(p.rule.Limit)
	}
	text := shifted(p.rule.Limit)
	if text == "1" {
		return "1 point"
	}
	return text + " points"
}
