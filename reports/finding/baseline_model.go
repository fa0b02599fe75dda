package finding

import (
	"math"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// notBetterThanBaseline returns the finding that some variants are not significantly better than
// the best baseline model, so that nothing justifies their cost. It calls a variant worse only if
// the difference is significant. With few cases, it states only the number of cases. It returns nil
// if the cases were selected because they failed.
func notBetterThanBaseline(s suite) *Sentence {
	ranked := RankedByAccuracy(s.SuiteSummary)
	at := slices.IndexFunc(ranked, func(c eval.ConditionSummary) bool { return c.BaselineModel })
	if at < 0 || s.FailedInRun != "" {
		return nil
	}
	baselineModel := ranked[at]
	var below, unproven, tooSmall []eval.Difference // most accurate variant first
	for _, c := range ranked {
		d, ok := Difference(s.SuiteSummary, c.Variant, baselineModel.Variant)
		switch {
		case !ok || c.BaselineModel || d.State == eval.Better || d.State == eval.InsufficientData ||
			!metric.IsKnown(d.Accuracy.Value):
		case d.State == eval.Worse:
			below = append(below, d)
		case d.Cases < minPercentSample:
			tooSmall = append(tooSmall, d)
		default:
			unproven = append(unproven, d)
		}
	}
	out := &Sentence{Kind: KindBaselineModel}
	out.addComparison(unproven, "not significantly better than", baselineModel)
	out.addComparison(below, "significantly worse than", baselineModel)
	out.tooFew(tooSmall, baselineModel)
	if len(out.Parts) == 0 {
		return nil
	}
	return out
}

// addComparison compares variants with the baseline model. It gives the difference only for the
// most accurate variant.
func (out *Sentence) addComparison(list []eval.Difference, how string, baselineModel eval.ConditionSummary) {
	if len(list) == 0 {
		return
	}
	isFirst := out.startClause()
	out.addSome(list)
	if d := list[0]; len(list) == 1 && d.State == eval.NotSignificant && *d.Accuracy.Value != 0 {
		side := "below"
		if *d.Accuracy.Value > 0 {
			side = "above"
		}
		out.add(" is " + unsignedPoints(math.Abs(*d.Accuracy.Value)) + " points " + side)
		out.baselineModel(baselineModel, isFirst)
		out.add(intervalText(d) + ", which is not significant" + detectableText(d))
		return
	}
	if len(list) == 1 {
		out.add(" is " + how)
	} else {
		out.add(" are " + how)
	}
	out.baselineModel(baselineModel, isFirst)
	best := list[0]
	if len(list) > 1 {
		out.add("; the best of them, ")
		out.addVariants(best.Variant)
	}
	out.add(": " + metric.FormatPoints(*best.Accuracy.Value) + " points" + intervalText(best))
	if best.State != eval.Worse {
		out.add(detectableText(best))
	}
}

// tooFew states that a comparison with the baseline model has too few cases, and which difference
// these cases can detect.
func (out *Sentence) tooFew(list []eval.Difference, baselineModel eval.ConditionSummary) {
	if len(list) == 0 {
		return
	}
	isFirst := out.startClause()
	out.add(metric.Plural(list[0].Cases, "case") + " are too few to compare ")
	out.addSome(list)
	out.add(" with")
	out.baselineModel(baselineModel, isFirst)
	out.add(detectableText(list[0]))
}

// startClause starts a clause of the sentence and reports whether it is the first one.
func (out *Sentence) startClause() (isFirst bool) {
	if len(out.Parts) == 0 {
		return true
	}
	out.add(". ")
	return false
}

// baselineModel names the baseline model in the first clause. Later clauses refer to "that baseline
// model".
func (out *Sentence) baselineModel(baselineModel eval.ConditionSummary, isFirst bool) {
	if !isFirst {
		out.add(" that baseline model")
		return
	}
	out.add(" the baseline model ")
	out.addVariants(baselineModel.Variant)
	out.addDetail(" (" + share(baselineModel.Metrics[accuracy]) + ")")
}

// maxNamedBelow is the maximum number of variants for which a sentence contains every name.
const maxNamedBelow = 3

// addSome names all variants if there are at most maxNamedBelow, otherwise the first and the number
// of the others.
func (out *Sentence) addSome(list []eval.Difference) {
	var names []string
	for _, d := range list {
		names = append(names, d.Variant)
	}
	if len(names) <= maxNamedBelow {
		out.addVariants(names...)
		return
	}
	out.addVariants(names[0])
	out.add(" and " + metric.FormatInteger(int64(len(names)-1)) + " more")
}
