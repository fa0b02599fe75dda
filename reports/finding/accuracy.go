package finding

import (
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// onlyVariant states how often the variant of a suite with only one is wrong.
func onlyVariant(s eval.SuiteSummary) values {
	ranked := RankedByAccuracy(s)
	if len(ranked) != 1 || len(ConditionsWithoutFault(s)) != 1 {
		return nil
	}
	name, e := ranked[0].Variant, ranked[0].Metrics[accuracy]
	decisions := metric.Plural(e.N, scoredUnit(s, e))
	v := values{"variant": variants(name)}
	if wrong := e.N - Numerator(e); wrong == 0 {
		v["right"] = decisions
	} else {
		v["wrong"] = linked(metric.FormatInteger(wrong)+" of "+decisions, CaseFilter{Variant: name, Result: wrongCases})
	}
	return v
}

// ranking compares the most accurate variant of a suite with the others.
type ranking struct {
	best      eval.ConditionSummary
	identical []string          // best and the variants with identical decisions, if there are any
	rest      []string          // other variants, most accurate first
	equal     []eval.Difference // with variants that have the same accuracy over the common cases
	// significant differences from variants in rest, but only from the baseline variant and the
	// runner-up, in this order
	above []eval.Difference
	even  []eval.Difference // differences from variants in rest that are not significant
}

// zeroTolerance is the maximum absolute value of a difference that counts as 0. Sums of
// floating-point shares have rounding errors.
const zeroTolerance = 1e-12

// rank returns false if nothing can be compared, or if the cases were selected because they
// failed in a run. A variant that failed by chance in that run would look better here.
func rank(s eval.SuiteSummary) (r ranking, ok bool) {
	ranked := RankedByAccuracy(s)
	if len(ranked) < 2 || s.FailedInRun != "" {
		return r, false
	}
	r.best = ranked[0]
	first := BaselineVariant(s)
	others := 0
	for _, c := range ranked[1:] {
		d, ok := Difference(s, r.best.Variant, c.Variant)
		if ok && d.State == eval.Identical {
			r.identical = append(r.identical, c.Variant)
			continue
		}
		r.rest = append(r.rest, c.Variant)
		isKnown := ok && metric.IsKnown(d.Accuracy.Value)
		if isKnown && d.State == eval.NotSignificant && math.Abs(*d.Accuracy.Value) < zeroTolerance {
			r.equal = append(r.equal, d)
			continue
		}
		others++
		switch {
		case !isKnown:
		case d.State == eval.NotSignificant:
			r.even = append(r.even, d)
		case d.State == eval.Better && c.Variant == first:
			r.above = slices.Insert(r.above, 0, d)
		case d.State == eval.Better && others == 1:
			r.above = append(r.above, d)
		}
	}
	if len(r.identical) > 0 {
		r.identical = slices.Insert(r.identical, 0, r.best.Variant)
	}
	return r, true
}

func identicalDecisions(s eval.SuiteSummary) values {
	r, ok := rank(s)
	if !ok || len(r.identical) == 0 {
		return nil
	}
	v := values{
		"variants": variants(r.identical...),
		"accuracy": share(r.best.Metrics[accuracy]),
		"others":   worseThanIdentical(s, r),
	}
	if d, ok := Difference(s, r.identical[1], r.best.Variant); ok && d.Unpaired == 0 {
		v["cases"] = metric.Plural(d.Cases, "case")
	}
	return v
}

// worseThanIdentical compares variants with identical decisions with the best of the others. Cases
// are linked if the former include the baseline variant.
func worseThanIdentical(s eval.SuiteSummary, r ranking) clause {
	if len(r.rest) == 0 {
		return nil
	}
	d, ok := Difference(s, r.rest[0], r.best.Variant)
	switch {
	case !ok || d.State == eval.InsufficientData || !metric.IsKnown(d.Accuracy.Value):
		return nil
	case d.State == eval.NotSignificant:
		return fill("{variant} is not significantly different ({points} points{interval}){detectable}", values{
			"variant":    variants(d.Variant),
			"points":     metric.FormatPoints(*d.Accuracy.Value),
			"interval":   intervalText(d),
			"detectable": detectable(d),
		})
	}
	same := slices.DeleteFunc(slices.Clone(r.rest), func(name string) bool {
		o, ok := Difference(s, name, r.best.Variant)
		return !ok || o.State != d.State || o.Fixed != d.Fixed || o.Broken != d.Broken
	})
	v := values{
		"variants": variants(same...),
		"broken":   metric.FormatInteger(d.Broken) + " of these",
		"fixed":    d.Fixed,
		"points":   metric.FormatPoints(*d.Accuracy.Value),
		"interval": interval(d.Accuracy.Lo, d.Accuracy.Hi, metric.FormatPoints),
	}
	if s.Epochs > 1 {
		return fill("{variants} {variants:is|are} right less often in {broken} and more often in {fixed}"+
			"[ ({points} points{interval})]", v)
	}
	if slices.Contains(r.identical, BaselineVariant(s)) {
		v["broken"] = linked(v["broken"], CaseFilter{Variant: d.Variant, Change: brokenByVariant})
		v["fixed"] = linked(v["fixed"], CaseFilter{Variant: d.Variant, Change: fixedByVariant})
	}
	return fill("{variants} {variants:breaks|break} {broken} and {variants:fixes|fix} {fixed}"+
		"[ ({points} points{interval})]", v)
}

func equalAccuracy(s eval.SuiteSummary) values {
	r, ok := rank(s)
	if !ok || len(r.identical) > 0 || len(r.equal) == 0 {
		return nil
	}
	d := r.equal[0]
	two := variants(d.Variant, d.ComparedWith)
	v := values{
		"variants": two,
		"accuracy": share(r.best.Metrics[accuracy]),
		"they":     "they",
		"cases":    metric.Plural(d.Fixed+d.Broken, "case"),
	}
	if n := len(r.equal) - 1; n > 0 {
		v["they"] = two
		v["variants"] = fill("{variants}{more}",
			values{"variants": join(eachName(two.role, two.list), ", "), "more": more(n)})
	}
	if d.Unpaired > 0 {
		v["accuracy"], v["common"] = nil, metric.Plural(d.Cases, "case")
	}
	if len(r.even) == 0 {
		v["detectable"] = detectable(d)
	}
	if len(r.above)+len(r.even) > 0 {
		v["best"], v["comparisons"] = variants(d.Variant), comparisons(s, r)
	}
	return v
}

// highestAccuracy states the highest accuracy if the variant that has it is one that concerns selects.
func highestAccuracy(concerns func(eval.ConditionSummary) bool) func(eval.SuiteSummary) values {
	return func(s eval.SuiteSummary) values {
		r, ok := rank(s)
		if !ok || len(r.identical)+len(r.equal) > 0 || len(r.above)+len(r.even) == 0 ||
			!concerns(r.best) {
			return nil
		}
		return values{
			"best":        variants(r.best.Variant),
			"accuracy":    share(r.best.Metrics[accuracy]),
			"comparisons": comparisons(s, r),
		}
	}
}

func isBaselineModel(c eval.ConditionSummary) bool   { return c.BaselineModel }
func isNoBaselineModel(c eval.ConditionSummary) bool { return !c.BaselineModel }

// comparisons names the variants that the best one exceeds significantly, and those that it does not.
func comparisons(s eval.SuiteSummary, r ranking) clause {
	var list []clause
	for i, d := range r.above {
		v := values{
			"points":   unsignedPoints(*d.Accuracy.Value) + when(i == 0, " points"),
			"variant":  variants(d.ComparedWith),
			"interval": interval(d.Accuracy.Lo, d.Accuracy.Hi, unsignedPoints),
			"fixed":    metric.Plural(d.Fixed, "case"),
			"broken":   d.Broken,
		}
		isBaseline := d.ComparedWith == BaselineVariant(s) && v["interval"] != ""
		switch {
		case isBaseline && s.Epochs > 1:
			list = append(list, fill("{points} above {variant}"+
				"[{interval} ({fixed} right more often, {broken} less often)]", v))
		case isBaseline:
			v["fixed"] = linked(fill("{fixed} fixed", v), CaseFilter{Variant: d.Variant, Change: fixedByVariant})
			v["broken"] = linked(fill("{broken} broken", v), CaseFilter{Variant: d.Variant, Change: brokenByVariant})
			list = append(list, fill("{points} above {variant}[{interval} ({fixed}, {broken})]", v))
		default:
			list = append(list, fill("{points} above {variant}{interval}", v))
		}
	}
	if len(r.even) > 0 {
		d := r.even[0]
		v := values{
			"variant":    variants(d.ComparedWith),
			"points":     metric.FormatPoints(*d.Accuracy.Value),
			"interval":   intervalText(d),
			"more":       more(len(r.even) - 1),
			"detectable": detectable(d),
		}
		list = append(list, fill("not significantly above {variant} ({points} points{interval}){more}{detectable}", v))
	}
	return join(list, ", ")
}

// notBetterThanBaselineModel names variants that are not significantly better than the best baseline
// model, so that nothing justifies their cost. It omits what [highestAccuracy] states. It calls a variant
// worse only if the difference is significant. With few cases, it states only the number of cases. It
// returns nil if the cases were selected because they failed.
func notBetterThanBaselineModel(s eval.SuiteSummary) values {
	ranked := RankedByAccuracy(s)
	at := slices.IndexFunc(ranked, func(c eval.ConditionSummary) bool { return c.BaselineModel })
	if at < 0 || s.FailedInRun != "" {
		return nil
	}
	var worse, even, tooFew []eval.Difference // most accurate variant first
	stated := statedComparisons(s)
	for _, c := range ranked {
		d, ok := Difference(s, c.Variant, ranked[at].Variant)
		switch {
		case !ok || slices.Contains(stated, c.Variant) || c.BaselineModel || d.State == eval.Better ||
			d.State == eval.InsufficientData || !metric.IsKnown(d.Accuracy.Value):
		case d.State == eval.Worse:
			worse = append(worse, d)
		case d.Cases < minPercentSample:
			tooFew = append(tooFew, d)
		default:
			even = append(even, d)
		}
	}
	model := fill("the baseline model {variant}[ ({accuracy})]",
		values{"variant": variants(ranked[at].Variant), "accuracy": share(ranked[at].Metrics[accuracy])})
	var clauses []clause
	for _, list := range [][]eval.Difference{even, worse, tooFew} {
		if len(list) == 0 {
			continue
		}
		c := comparedWithBaselineModel(list, model)
		clauses, model = append(clauses, c), toClause("that baseline model")
	}
	if len(clauses) == 0 {
		return nil
	}
	return values{"comparisons": join(clauses, ". ")}
}

// statedComparisons returns the variants with which [highestAccuracy] compares the most accurate one, if
// that is a baseline model.
func statedComparisons(s eval.SuiteSummary) (names []string) {
	r, ok := rank(s)
	if !ok || !r.best.BaselineModel || len(r.identical)+len(r.equal) > 0 {
		return nil
	}
	for _, d := range slices.Concat(r.above, r.even[:min(len(r.even), 1)]) {
		names = append(names, d.ComparedWith)
	}
	return names
}

// comparedWithBaselineModel compares variants with the baseline model. All are significantly worse, or
// all have too few cases, or neither. It gives the difference only for the most accurate variant, which
// comes first.
func comparedWithBaselineModel(list []eval.Difference, model clause) clause {
	var names []string
	for _, d := range list {
		names = append(names, d.Variant)
	}
	d, by := list[0], *list[0].Accuracy.Value
	v := values{
		"n":          len(list),
		"variants":   someVariants(names),
		"model":      model,
		"points":     metric.FormatPoints(by),
		"distance":   unsignedPoints(math.Abs(by)),
		"interval":   intervalText(d),
		"detectable": detectable(d),
		"cases":      metric.Plural(d.Cases, "case"),
	}
	if len(list) > 1 {
		v["best"] = variants(d.Variant)
	}
	isSingle := len(list) == 1 && d.State == eval.NotSignificant
	switch {
	case d.State == eval.Worse:
		return fill("{variants} {n:is|are} significantly worse than {model}<; the best of them, {best}>: "+
			"{points} points{interval}", v)
	case d.Cases < minPercentSample:
		return fill("{cases} are too few to compare {variants} with {model}{detectable}", v)
	case isSingle && by > 0:
		return fill("{variants} is {distance} points above {model}{interval}, which is not significant{detectable}", v)
	case isSingle && by < 0:
		return fill("{variants} is {distance} points below {model}{interval}, which is not significant{detectable}", v)
	}
	return fill("{variants} {n:is|are} not significantly better than {model}<; the best of them, {best}>: "+
		"{points} points{interval}{detectable}", v)
}

// maxNamedVariants is the maximum number of variants for which a sentence contains every name.
const maxNamedVariants = 3

// someVariants names all variants if there are at most maxNamedVariants, otherwise the first and the
// number of the others.
func someVariants(names []string) clause {
	if n := len(names); n > maxNamedVariants {
		return fill("{variant}{more}", values{"variant": variants(names[0]), "more": more(n - 1)})
	}
	return toClause(variants(names...))
}

func unsignedPoints(v float64) string { return strings.TrimPrefix(metric.FormatPoints(v), "+") }

// interval formats a confidence interval, with a space in front. It returns "" if a bound is unknown.
func interval(lo, hi *float64, format func(float64) string) string {
	if !metric.IsKnown(lo) || !metric.IsKnown(hi) {
		return ""
	}
	return " [" + format(*lo) + ", " + format(*hi) + "]"
}

// intervalText formats the confidence interval of a difference. It returns "" if the interval
// contradicts the significance, because only the latter is corrected for multiple comparisons;
// [detectable] explains that.
func intervalText(d eval.Difference) string {
	if isSignificant := d.State == eval.Better || d.State == eval.Worse; excludesZero(d.Accuracy) != isSignificant {
		return ""
	}
	return interval(d.Accuracy.Lo, d.Accuracy.Hi, metric.FormatPoints)
}

func excludesZero(c eval.Contrast) bool {
	return metric.IsKnown(c.Lo) && metric.IsKnown(c.Hi) && *c.Lo**c.Hi > 0
}

// DetectableDifferenceText states which difference a comparison can detect. The comparison must
// have a [eval.Difference.MinDetectableDifference].
func DetectableDifferenceText(d eval.Difference) string {
	v := values{
		"cases":  metric.Plural(d.Cases, "case"),
		"points": unsignedPoints(*d.MinDetectableDifference),
	}
	if all := d.MinDetectableDifferenceAllEpochs; metric.IsKnown(all) {
		v["allEpochs"] = unsignedPoints(*all)
	}
	if d.Cases == 1 {
		v["cases"] = "case"
	}
	return fill("The {cases} that both score can detect {points} points with 80 % power"+
		"< ({allEpochs} points if a case that changes does so in every epoch)>", v).String()
}

// detectable states which difference a comparison can detect. If the interval excludes 0, it first
// explains why the difference is not significant.
func detectable(d eval.Difference) (text string) {
	if excludesZero(d.Accuracy) && d.FamilySize > 1 {
		text = ", corrected for " + metric.Plural(d.FamilySize, "comparison")
	}
	if metric.IsKnown(d.MinDetectableDifference) {
		text += ". " + DetectableDifferenceText(d)
	}
	return text
}
